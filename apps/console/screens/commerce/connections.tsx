import { Fragment, useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages } from '../../data/queries.ts';
import { useAct, useDecision } from '../../data/step-up.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button, Buttons } from '../../parts/button.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Missing } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { isKind, placeOf } from '../../shell/found.ts';
import { Go, useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { CommerceTabs } from './parts.tsx';

interface Connection {
  readonly id: string;
  readonly receiver: string;
  readonly provider: string;
  readonly name: string;
  readonly live: boolean;
  readonly status: 'awaiting_secrets' | 'active' | 'paused' | 'removed';
  readonly address: string;
  /** Names of those that it has. */
  readonly secrets: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  readonly missingSecrets: readonly string[];
  readonly missingSettings: readonly string[];
  readonly lastReceivedAt: string | null;
  readonly lastRefusedAt: string | null;
  readonly lastRefusal: string | null;
  readonly waiting: number;
  readonly failed: number;
  readonly lastError: string | null;
}

/** What an account at a provider needs, by name, in the provider's words. */
interface Provider {
  readonly receiver: string;
  readonly provider: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
}

const states = ['waiting', 'held', 'applied', 'ignored', 'dead', 'rejected', 'conflicting'] as const;
type State = (typeof states)[number];

interface Delivery {
  readonly id: string;
  readonly provider: string;
  readonly topic: string;
  readonly receivedAt: string;
  readonly status: State;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly lastError: string | null;
  readonly became: readonly { readonly kind: string; readonly id: string }[];
}

const connectionTones: Readonly<Record<Connection['status'], Tone>> = {
  awaiting_secrets: 'waits',
  active: 'held',
  paused: 'waits',
  removed: 'plain',
};

const tones: Readonly<Record<State, Tone>> = {
  waiting: 'waits',
  held: 'waits',
  applied: 'held',
  ignored: 'plain',
  dead: 'error',
  rejected: 'plain',
  conflicting: 'error',
};

/** Accounts at providers, and what each of them told: what became of it, and what did not. */
export default function Connections(): ReactNode {
  const { selling: words, parts } = useWords();
  const tenant = useTenant();
  const operates = useMay('owner', 'admin', 'developer');
  const connects = useMay('owner', 'admin');
  const decide = useDecision();
  const [given, setGiven] = useState<Connection>();
  const [{ connection = '', status = '' }, setFilters] = useFilters();
  const connections = usePages<Connection>('portal', '/api/connections');
  const act = useAct(async (path: string) => api('portal', path, { tenant, method: 'POST' }));
  return (
    <Page title={words.connections} lead={words.connectionsLead} bar={<CommerceTabs />}>
      {given === undefined ? null : <Secrets of={given} onClose={() => setGiven(undefined)} />}
      <Failure error={act.error} />
      <CursorList pages={connections} empty={<Empty title={words.noConnections} prompt={words.noConnectionsPrompt} />}>
        {(items) => (
          <Table
            label={words.connections}
            rows={items}
            rowKey={({ id }) => id}
            to={({ id }) => `/commerce/connections?connection=${id}`}
            record={({ id, name }) => ({ title: name, id, place: 'portal', path: `/api/connections/${id}` })}
            columns={[
              { head: words.name, cell: ({ name }) => <Said>{name}</Said> },
              { head: words.provider, cell: ({ provider }) => <Said>{provider}</Said> },
              {
                head: words.state,
                cell: ({ status: one, live, lastRefusal, lastRefusedAt, lastReceivedAt }) => (
                  <>
                    <Badge tone={connectionTones[one]}>{words.connectionState[one]}</Badge>{' '}
                    {live ? null : <Badge tone="accent">{words.test}</Badge>}
                    {lastRefusal !== null && (lastRefusedAt ?? '') > (lastReceivedAt ?? '') ? (
                      <>
                        {' '}
                        <Badge tone="error">{words.refused}</Badge> <Said>{lastRefusal}</Said>
                      </>
                    ) : null}
                  </>
                ),
              },
              {
                head: words.failed,
                align: 'end',
                cell: ({ failed }) => (failed > 0 ? <Badge tone="error">{failed}</Badge> : failed),
              },
              { head: words.waiting, align: 'end', wide: true, cell: ({ waiting }) => waiting },
              { head: words.last, wide: true, cell: ({ lastReceivedAt }) => <Moment at={lastReceivedAt} ago /> },
              ...(operates
                ? [
                    {
                      head: parts.actions,
                      cell: (one: Connection) =>
                        one.status === 'removed' ? null : (
                          <Buttons>
                            {connects ? (
                              // What is typed there is kept nowhere, so the login comes before it.
                              <Button
                                kind={one.status === 'awaiting_secrets' ? 'first' : 'quiet'}
                                onClick={() => decide(() => setGiven(one))}
                              >
                                {words.secrets}
                              </Button>
                            ) : null}
                            {one.status === 'active' ? (
                              <Button
                                busy={act.isPending}
                                onClick={() => act.mutate(`/api/connections/${one.id}/pause`)}
                              >
                                {words.pause}
                              </Button>
                            ) : null}
                            {one.status === 'paused' && connects ? (
                              <Button
                                busy={act.isPending}
                                onClick={() => decide(() => act.mutate(`/api/connections/${one.id}/resume`))}
                              >
                                {words.resume}
                              </Button>
                            ) : null}
                          </Buttons>
                        ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </CursorList>
      <Section title={words.deliveries} plain>
        <Choice
          label={words.state}
          value={status}
          onChange={(next) => setFilters({ status: next })}
          of={[['', words.all], ...states.map((one) => [one, words.deliveryState[one]] as const)]}
        />
        <Deliveries connection={connection} status={status} mayOperate={operates} />
      </Section>
    </Page>
  );
}

/** Due now: what becomes of it is not far. */
const isUnderWay = ({ status, nextAttemptAt }: Delivery): boolean =>
  status === 'waiting' && (nextAttemptAt === null || Date.parse(nextAttemptAt) < Date.now());

function Deliveries({
  connection,
  status,
  mayOperate,
}: {
  readonly connection: string;
  readonly status: string;
  readonly mayOperate: boolean;
}): ReactNode {
  const { selling: words, parts } = useWords();
  const tenant = useTenant();
  const [rejected, setRejected] = useState<Delivery>();
  const pages = usePages<Delivery>('portal', '/api/callbacks', { connectionId: connection, status }, isUnderWay);
  const act = useAct(async ({ path, body }: { readonly path: string; readonly body?: object }) =>
    api('portal', path, { tenant, method: 'POST', ...(body === undefined ? {} : { body }) }),
  );
  return (
    <>
      {rejected === undefined ? null : <Reject of={rejected} onClose={() => setRejected(undefined)} />}
      <Failure error={act.error} />
      <CursorList pages={pages} empty={<Empty title={words.noDeliveries} />}>
        {(items) => (
          <Table
            label={words.deliveries}
            rows={items}
            rowKey={({ id }) => id}
            record={({ id, topic }) => ({ title: topic, id, place: 'portal', path: `/api/callbacks/${id}` })}
            columns={[
              { head: words.what, cell: ({ topic, provider }) => <Said>{`${provider}: ${topic}`}</Said> },
              {
                head: words.state,
                cell: ({ status: one }) => <Badge tone={tones[one]}>{words.deliveryState[one]}</Badge>,
              },
              { head: words.attempts, align: 'end', cell: ({ attempts }) => attempts },
              {
                head: words.became,
                cell: ({ became, lastError }) =>
                  lastError === null ? <Became of={became} /> : <Said>{lastError}</Said>,
              },
              { head: words.when, cell: ({ receivedAt }) => <Moment at={receivedAt} ago /> },
              ...(mayOperate
                ? [
                    {
                      head: parts.actions,
                      cell: (one: Delivery) => (
                        <Buttons>
                          {one.status === 'applied' || one.status === 'ignored' ? (
                            <Button
                              busy={act.isPending}
                              onClick={() =>
                                act.mutate({ path: '/api/callbacks/replay', body: { deliveryIds: [one.id] } })
                              }
                            >
                              {words.replay}
                            </Button>
                          ) : one.status === 'rejected' ? null : (
                            <>
                              <Button
                                busy={act.isPending}
                                onClick={() => act.mutate({ path: `/api/callbacks/${one.id}/retry` })}
                              >
                                {words.retry}
                              </Button>
                              <Button onClick={() => setRejected(one)}>{words.reject}</Button>
                            </>
                          )}
                        </Buttons>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </CursorList>
    </>
  );
}

/** The address to register at the provider, and what it gives for it. */
function Secrets({ of, onClose }: { readonly of: Connection; readonly onClose: () => void }): ReactNode {
  const words = useWords().selling;
  const tenant = useTenant();
  const providers = useApi<{ readonly items: readonly Provider[] }>('portal', '/api/providers');
  const own = providers.data?.items.find(
    ({ receiver, provider }) => receiver === of.receiver && provider === of.provider,
  );
  const act = useAct(
    async (body: object) => api('portal', `/api/connections/${of.id}/secrets`, { tenant, method: 'PUT', body }),
    { onDone: onClose },
  );
  const give = (values: Readonly<Record<string, string>>): void => {
    const typed = (kind: string, names: object) =>
      Object.keys(names).map((name) => [name, values[`${kind}.${name}`]] as const);
    const secrets = typed('secrets', own?.secrets ?? {}).filter(([, one]) => one !== undefined);
    const settings = typed('settings', own?.settings ?? {}).flatMap(([name, one]) =>
      one === of.settings[name] ? [] : [[name, one ?? null] as const],
    );
    act.mutate({
      secrets: Object.fromEntries(secrets),
      settings: Object.fromEntries(settings),
      ...(values['overlapHours'] === undefined ? {} : { overlapHours: Number(values['overlapHours']) }),
    });
  };
  return (
    <Dialog title={of.name} onClose={onClose}>
      <p>{words.addressToRegister}</p>
      <Snippet text={of.address} label={words.addressToRegister} />
      {own === undefined ? (
        <Missing query={providers} lines={3} />
      ) : (
        <Form submit={words.giveSecrets} busy={act.isPending} error={act.error} onCancel={onClose} onSubmit={give}>
          <p>{words.secretsLead}</p>
          {Object.entries(own.secrets).map(([name, says]) => (
            <Field
              key={name}
              kind="secret"
              label={name}
              name={`secrets.${name}`}
              pointer={`/secrets/${name}`}
              hint={<Said>{says}</Said>}
              optional={!of.missingSecrets.includes(name)}
            />
          ))}
          {Object.entries(own.settings).map(([name, says]) => (
            <Field
              key={name}
              label={name}
              name={`settings.${name}`}
              pointer={`/settings/${name}`}
              hint={<Said>{says}</Said>}
              value={of.settings[name]}
              optional={!of.missingSettings.includes(name)}
            />
          ))}
          {of.secrets.includes('signing') ? (
            <Field kind="number" label={words.overlap} name="overlapHours" value="24" hint={words.overlapHint} />
          ) : null}
        </Form>
      )}
    </Dialog>
  );
}

/** What came of a delivery: one record leads to where it is seen, several of a kind are counted. */
function Became({ of }: { readonly of: Delivery['became'] }): ReactNode {
  const { shell } = useWords();
  return Array.from(
    Map.groupBy(of, ({ kind }) => kind),
    ([kind, [first, ...more]], at) => {
      const name = isKind(kind) ? shell.kinds[kind] : kind.replaceAll('_', ' ');
      const isSeen = first !== undefined && more.length === 0 && isKind(kind) && kind !== 'bank_line';
      return (
        <Fragment key={kind}>
          {at === 0 ? '' : ', '}
          {isSeen ? (
            <Go to={placeOf({ kind, id: first.id, within: null, day: null })}>{name}</Go>
          ) : (
            <Said>{more.length === 0 ? name : `${more.length + 1} × ${name}`}</Said>
          )}
        </Fragment>
      );
    },
  );
}

function Reject({ of, onClose }: { readonly of: Delivery; readonly onClose: () => void }): ReactNode {
  const words = useWords().selling;
  const tenant = useTenant();
  const [reason, setReason, forget] = useDraft(`reject ${of.id}`, '');
  const act = useAct(
    async (given: string) => api('portal', `/api/callbacks/${of.id}/reject`, { tenant, body: { reason: given } }),
    {
      onDone: () => {
        forget();
        onClose();
      },
    },
  );
  return (
    <Dialog title={words.reject} onClose={onClose}>
      <p>{words.rejectLead}</p>
      <Form
        submit={words.reject}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() => act.mutate(reason)}
      >
        <Field label={words.reason} name="reason" value={reason} onChange={setReason} />
      </Form>
    </Dialog>
  );
}
