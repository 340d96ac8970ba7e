import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useOrganization, useTenant } from '../../data/organization.ts';
import { useApi, usePages } from '../../data/queries.ts';
import type { Role } from '../../data/session.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button, Buttons } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Day, Moment } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import { Restore, Suspended } from '../agents/suspended.tsx';
import { SellerDetails } from './seller.tsx';
import { Integrations, LeftBehind } from './integrations.tsx';
import { SettingsTabs } from './tabs.tsx';

const roles = [
  'viewer',
  'developer',
  'merchandiser',
  'accountant',
  'admin',
  'owner',
] as const satisfies readonly Role[];

/** The organization itself, who belongs to it, and who is invited. */
export default function Settings(): ReactNode {
  const { settings: words, shell } = useWords();
  return (
    <Page title={shell.settings} part={words.members} lead={words.lead} bar={<SettingsTabs />}>
      <Itself />
      <SellerDetails />
      <Suspended />
      <Members />
      <Invitations />
      <Integrations />
    </Page>
  );
}

interface Whole {
  readonly name: string;
  readonly defaultCurrency: string;
  readonly fiscalYearStartMonth: number;
  readonly version: number;
}

function Itself(): ReactNode {
  const { settings: words, parts } = useWords();
  const locale = useLocale();
  const tenant = useTenant();
  const { role } = useOrganization();
  const may = useMay('owner', 'admin');
  const organization = useApi<Whole>('portal', '/api/organization');
  const [renaming, setRenaming] = useState(false);
  const rename = useAct(async (body: object) => api('portal', '/api/organization', { tenant, method: 'PATCH', body }), {
    onDone: () => setRenaming(false),
  });
  const month = (number: number): string =>
    new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2000, number - 1)));
  return (
    <Section
      title={words.organization}
      actions={may ? <Button onClick={() => setRenaming(true)}>{words.rename}</Button> : null}
    >
      <Loaded query={organization}>
        {({ name, defaultCurrency, fiscalYearStartMonth, version }) => (
          <>
            <Facts
              of={[
                [words.name, <Said key="name">{name}</Said>],
                [words.currency, defaultCurrency],
                [words.yearBegins, month(fiscalYearStartMonth)],
                [words.yourRole, `${words[role]}: ${words.can[role]}`],
              ]}
            />
            {renaming ? (
              <Dialog title={words.rename} onClose={() => setRenaming(false)}>
                <Form
                  submit={parts.save}
                  error={rename.error}
                  busy={rename.isPending}
                  onCancel={() => setRenaming(false)}
                  onSubmit={(values) => rename.mutate({ name: values['name'] ?? '', version })}
                >
                  <Field label={words.name} name="name" value={name} />
                </Form>
              </Dialog>
            ) : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface Member {
  readonly principalType: 'user' | 'service';
  readonly principalId: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly role: Role;
  readonly since: string;
  readonly suspendedAt: string | null;
}

function Members(): ReactNode {
  const { settings: words, parts } = useWords();
  const tenant = useTenant();
  const may = useMay('owner', 'admin');
  const pages = usePages<Member>('portal', '/api/members');
  const [asking, setAsking] = useState<{ readonly what: 'role' | 'remove'; readonly of: Member }>();
  const close = (): void => setAsking(undefined);
  const at = ({ principalType, principalId }: Member): string =>
    `/api/members/${principalType}/${encodeURIComponent(principalId)}`;
  const change = useAct(
    async ({ of, role }: { readonly of: Member; readonly role: string }) =>
      api('portal', at(of), { tenant, method: 'PATCH', body: { role } }),
    { onDone: close },
  );
  const remove = useAct(async (of: Member) => api('portal', at(of), { tenant, method: 'DELETE' }));
  return (
    <Section title={words.members}>
      <CursorList pages={pages} empty={null}>
        {(items) => (
          <Table
            label={words.members}
            rows={items}
            rowKey={({ principalType, principalId }) => `${principalType} ${principalId}`}
            record={(one) => ({
              title: one.displayName ?? one.principalId,
              id: one.principalId,
              place: 'portal',
              path: '/api/members',
            })}
            columns={[
              {
                head: words.who,
                cell: ({ displayName, email, principalId }) => <Said>{displayName ?? email ?? principalId}</Said>,
              },
              { head: words.role, cell: ({ role }) => words[role] },
              {
                head: words.kind,
                cell: ({ principalType, suspendedAt }) =>
                  suspendedAt === null ? words[principalType] : <Badge tone="waits">{words.suspended}</Badge>,
              },
              { head: words.since, cell: ({ since }) => <Day on={since} />, wide: true },
              ...(may
                ? [
                    {
                      head: parts.actions,
                      align: 'end' as const,
                      cell: (of: Member) => (
                        <Buttons>
                          {of.suspendedAt === null ? null : (
                            <Restore kind="member" id={`${of.principalType}:${of.principalId}`} />
                          )}
                          <Button onClick={() => setAsking({ what: 'role', of })}>{words.changeRole}</Button>
                          <Button kind="danger" onClick={() => setAsking({ what: 'remove', of })}>
                            {words.remove}
                          </Button>
                        </Buttons>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </CursorList>
      {asking?.what === 'role' ? (
        <Dialog title={words.changeRole} onClose={close}>
          <Form
            submit={parts.save}
            error={change.error}
            busy={change.isPending}
            onCancel={close}
            onSubmit={({ role = '' }) => change.mutate({ of: asking.of, role })}
          >
            <Field
              label={words.role}
              name="role"
              value={asking.of.role}
              options={roles.map((role) => [role, `${words[role]}: ${words.can[role]}`])}
            />
          </Form>
        </Dialog>
      ) : null}
      {asking?.what === 'remove' ? (
        <Confirm
          title={words.remove}
          act={remove}
          onConfirm={() => remove.mutate(asking.of, { onSuccess: close })}
          submit={words.remove}
          danger
          onClose={close}
        >
          <p>
            <Said>{asking.of.displayName ?? asking.of.email ?? asking.of.principalId}</Said>: {words.removeHint}
          </p>
          <LeftBehind member={`${asking.of.principalType}:${asking.of.principalId}`} />
        </Confirm>
      ) : null}
    </Section>
  );
}

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly status: 'open' | 'expired' | 'accepted' | 'revoked' | 'suspended';
  readonly expiresAt: string;
}

type Invited = Invitation & { readonly secret: string };

const tones: Readonly<Record<Invitation['status'], Tone>> = {
  open: 'waits',
  expired: 'plain',
  accepted: 'held',
  revoked: 'plain',
  suspended: 'waits',
};

function Invitations(): ReactNode {
  const { settings: words, parts } = useWords();
  const tenant = useTenant();
  const may = useMay('owner', 'admin');
  const pages = usePages<Invitation>('portal', '/api/invitations');
  const [inviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<Invited>();
  const invite = useAct(
    async (body: Readonly<Record<string, string>>) => api<Invited>('portal', '/api/invitations', { tenant, body }),
    {
      onDone: (made) => {
        setInviting(false);
        setInvited(made);
      },
    },
  );
  const renew = useAct(
    async ({ id }: Invitation) => api<Invited>('portal', `/api/invitations/${id}/secret`, { tenant, body: {} }),
    { onDone: setInvited },
  );
  const revoke = useAct(async ({ id }: Invitation) =>
    api('portal', `/api/invitations/${id}`, { tenant, method: 'DELETE' }),
  );
  return (
    <Section
      title={words.invitations}
      actions={
        may ? (
          <Button kind="first" onClick={() => setInviting(true)}>
            {words.invite}
          </Button>
        ) : null
      }
    >
      <Failure error={renew.error ?? revoke.error} />
      <CursorList pages={pages} empty={<p>{words.noInvitations}</p>}>
        {(items) => (
          <Table
            label={words.invitations}
            rows={items}
            rowKey={({ id }) => id}
            record={({ id, email }) => ({ title: email, id, place: 'portal', path: '/api/invitations' })}
            columns={[
              { head: words.email, cell: ({ email }) => <Said>{email}</Said> },
              { head: words.role, cell: ({ role }) => words[role] },
              { head: words.state, cell: ({ status }) => <Badge tone={tones[status]}>{words[status]}</Badge> },
              {
                head: words.expires,
                cell: ({ status, expiresAt }) => (status === 'open' ? <Moment at={expiresAt} ago /> : null),
              },
              ...(may
                ? [
                    {
                      head: parts.actions,
                      align: 'end' as const,
                      cell: (one: Invitation) =>
                        one.status === 'open' ? (
                          <Buttons>
                            <Button busy={renew.isPending} onClick={() => renew.mutate(one)}>
                              {words.newSecret}
                            </Button>
                            <Button kind="danger" busy={revoke.isPending} onClick={() => revoke.mutate(one)}>
                              {words.revoke}
                            </Button>
                          </Buttons>
                        ) : one.status === 'suspended' ? (
                          <Restore kind="invitation" id={one.id} />
                        ) : null,
                    },
                  ]
                : []),
            ]}
          />
        )}
      </CursorList>
      {inviting ? (
        <Dialog title={words.invite} onClose={() => setInviting(false)}>
          <Form
            submit={words.invite}
            error={invite.error}
            busy={invite.isPending}
            onCancel={() => setInviting(false)}
            onSubmit={(values) => invite.mutate(values)}
          >
            <Field label={words.email} name="email" kind="email" />
            <Field
              label={words.role}
              name="role"
              value="viewer"
              options={roles.map((role) => [role, `${words[role]}: ${words.can[role]}`])}
            />
          </Form>
        </Dialog>
      ) : null}
      {invited === undefined ? null : (
        <Dialog title={words.invitation} onClose={() => setInvited(undefined)}>
          <p>{words.secretHint(invited.email)}</p>
          <Snippet text={invited.secret} label={words.secret} />
        </Dialog>
      )}
    </Section>
  );
}
