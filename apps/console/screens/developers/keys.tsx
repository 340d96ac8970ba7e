import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button, Buttons } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useWords } from '../../words/language.ts';
import { AddSite } from './site-add.tsx';
import { DevelopersTabs } from './tabs.tsx';

interface Site {
  readonly id: string;
  readonly name: string;
  readonly origins: readonly string[];
  readonly status: 'active' | 'disabled';
}

interface SdkKey {
  readonly id: string;
  readonly mode: 'live' | 'test';
  readonly label: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly status: 'active' | 'ending' | 'expired' | 'revoked';
  readonly lastUsedAt: string | null;
  readonly createdByLeft: 'removed' | 'suspended' | null;
}

type Issued = SdkKey & { readonly key: string | null };

const tones: Readonly<Record<SdkKey['status'], Tone>> = {
  active: 'held',
  ending: 'waits',
  expired: 'plain',
  revoked: 'plain',
};

/** Sites with the keys that their pages have. */
export default function Keys(): ReactNode {
  const { developers: words, shell } = useWords();
  const may = useMay('owner', 'admin', 'developer', 'merchandiser');
  const sites = usePages<Site>('studio', '/api/sites');
  const [adds, setAdds] = useState(false);
  return (
    <Page
      title={shell.developers}
      part={words.keys}
      lead={words.keysLead}
      actions={may ? <Button onClick={() => setAdds(true)}>{words.addSite}</Button> : undefined}
      bar={<DevelopersTabs />}
    >
      {adds ? <AddSite onClose={() => setAdds(false)} /> : null}
      <CursorList pages={sites} empty={<Empty title={words.noSites} prompt={words.noSitesPrompt} />}>
        {(items) => items.map((site) => <SiteKeys key={site.id} site={site} />)}
      </CursorList>
    </Page>
  );
}

function SiteKeys({ site }: { readonly site: Site }): ReactNode {
  const { developers: words, parts } = useWords();
  const tenant = useTenant();
  const may = useMay('owner', 'admin', 'developer', 'merchandiser');
  const at = `/api/sites/${site.id}/keys`;
  const keys = useApi<Paged<SdkKey>>('studio', at, { query: { limit: 100 } });
  const [asking, setAsking] = useState<'issue' | SdkKey>();
  const [issued, setIssued] = useState<Issued>();
  const issue = useAct(async (body: Readonly<Record<string, string>>) => api<Issued>('studio', at, { tenant, body }), {
    onDone: (key) => {
      setAsking(undefined);
      setIssued(key);
    },
  });
  const rotate = useAct(async ({ id }: SdkKey) => api<Issued>('studio', `${at}/${id}/rotate`, { tenant, body: {} }), {
    onDone: setIssued,
  });
  const revoke = useAct(async ({ id }: SdkKey) => api('studio', `${at}/${id}`, { tenant, method: 'DELETE' }));
  return (
    <Section
      title={<Said>{site.name}</Said>}
      actions={may ? <Button onClick={() => setAsking('issue')}>{words.issueKey}</Button> : null}
    >
      <p>
        <Said>{site.origins.length === 0 ? words.noOrigins : site.origins.join(', ')}</Said>
      </p>
      <Failure error={rotate.error} />
      <Loaded query={keys}>
        {({ items }) => (
          <Table
            label={words.keys}
            rows={items}
            rowKey={({ id }) => id}
            record={({ id, label }) => ({ title: `${words.key} ${label}`, id, place: 'studio', path: at })}
            columns={[
              { head: words.label, cell: ({ label }) => <Said>{label}</Said> },
              { head: words.key, cell: ({ prefix, lastFour }) => <code>{`${prefix}…${lastFour}`}</code> },
              {
                head: words.mode,
                cell: ({ mode }) => <Badge tone={mode === 'live' ? 'accent' : 'plain'}>{words[mode]}</Badge>,
              },
              {
                head: words.state,
                cell: ({ status, createdByLeft }) => (
                  <>
                    <Badge tone={tones[status]}>{words[status]}</Badge>{' '}
                    {createdByLeft === null ? null : <Badge tone="waits">{parts.madeByLeft}</Badge>}
                  </>
                ),
              },
              {
                head: words.lastUsed,
                cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <Moment at={lastUsedAt} ago />),
              },
              ...(may
                ? [
                    {
                      head: parts.actions,
                      align: 'end' as const,
                      cell: (key: SdkKey) =>
                        key.status === 'active' ? (
                          <Buttons>
                            <Button busy={rotate.isPending} onClick={() => rotate.mutate(key)}>
                              {words.rotate}
                            </Button>
                            <Button kind="danger" onClick={() => setAsking(key)}>
                              {words.revoke}
                            </Button>
                          </Buttons>
                        ) : null,
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Loaded>
      {asking === 'issue' ? (
        <Dialog title={words.issueKey} onClose={() => setAsking(undefined)}>
          <Form
            submit={words.issueKey}
            error={issue.error}
            busy={issue.isPending}
            onSubmit={(values) => issue.mutate(values)}
            onCancel={() => setAsking(undefined)}
          >
            <Field label={words.label} name="label" optional />
            <Field
              label={words.mode}
              name="mode"
              hint={words.modeHint}
              options={[
                ['live', words.live],
                ['test', words.test],
              ]}
            />
          </Form>
        </Dialog>
      ) : null}
      {asking !== undefined && asking !== 'issue' ? (
        <Confirm
          title={words.revoke}
          act={revoke}
          onConfirm={() => revoke.mutate(asking, { onSuccess: () => setAsking(undefined) })}
          submit={words.revoke}
          danger
          onClose={() => setAsking(undefined)}
        >
          {words.revokeHint}
        </Confirm>
      ) : null}
      {issued === undefined ? null : (
        <Dialog title={words.newKey} onClose={() => setIssued(undefined)}>
          <p>{words.newKeyHint}</p>
          <Snippet text={issued.key ?? ''} label={words.key} />
        </Dialog>
      )}
    </Section>
  );
}
