import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';
import { CommerceTabs, Row } from './parts.tsx';
import type { Brand } from './types.ts';

interface Door {
  readonly protocol: 'ucp' | 'acp';
  readonly active: boolean;
  readonly mode: 'test' | 'live';
  readonly refuseUnsigned: boolean;
  readonly trustedOnly: boolean;
  readonly url: string;
}

interface Agent {
  readonly id: string;
  readonly protocol: 'ucp' | 'acp';
  readonly profileUrl: string;
  readonly verdict: 'signed' | 'bearer' | 'unsigned' | 'unseen';
  readonly standing: 'known' | 'trusted' | 'shut_out';
  readonly lastSeenAt: string;
}

interface Credential {
  readonly id: string;
  readonly profileUrl: string;
  readonly mode: 'test' | 'live';
  readonly label: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly status: 'active' | 'ending' | 'suspended' | 'expired' | 'revoked';
  readonly createdByLeft: 'removed' | 'suspended' | null;
}

interface SigningKey {
  readonly id: string;
  readonly thumbprint: string;
  readonly status: 'active' | 'ending' | 'retired' | 'revoked';
  readonly createdAt: string;
}

interface Refused {
  readonly id: string;
  readonly received_at: string;
  readonly payload: { readonly profile_url: string | null; readonly verdict: string };
}

/** Which shopping agents a brand sells to, by which protocol, and how they prove who they are. */
export default function Doors(): ReactNode {
  const words = useWords().selling;
  const [{ brand }, setFilters] = useFilters();
  const brands = useApi<Paged<Brand>>('portal', '/api/brands', { query: { limit: 100 } });
  const chosen = brands.data?.items.find(({ id }) => id === brand) ?? brands.data?.items[0];
  return (
    <Page title={words.doors} lead={words.doorsLead} bar={<CommerceTabs />}>
      <Loaded query={brands}>
        {({ items }) => (
          <>
            {items.length > 1 ? (
              <Choice
                label={words.brand}
                value={chosen?.id ?? ''}
                onChange={(next) => setFilters({ brand: next })}
                of={items.map(({ id, name }) => [id, name] as const)}
                names
              />
            ) : null}
            {chosen === undefined ? null : <OfBrand key={chosen.id} brand={chosen.id} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function OfBrand({ brand }: { readonly brand: string }): ReactNode {
  const { selling: words, parts } = useWords();
  const tenant = useTenant();
  const manages = useMay('owner', 'admin', 'developer');
  const path = `/api/brands/${brand}`;
  const doors = useApi<{ readonly doors: readonly Door[] }>('commerce', `${path}/agentic-commerce`);
  const agents = usePages<Agent>('commerce', '/api/shopping-agents', { brandId: brand });
  const keys = useApi<Paged<SigningKey>>('commerce', `${path}/signing-keys`, { query: { limit: 20 } });
  const credentials = useApi<Paged<Credential>>('commerce', `${path}/agent-credentials`, { query: { limit: 50 } });
  const refused = useApi<Paged<Refused>>('accounting', '/api/audit/events', {
    query: { type: 'agentic.request.refused', resource: brand, limit: 20 },
  });
  const act = useAct(
    async ({ to, method = 'POST', body }: { readonly to: string; readonly method?: string; readonly body?: object }) =>
      api('commerce', to, { tenant, method, ...(body === undefined ? {} : { body }) }),
  );
  const issue = useAct(async (body: object) =>
    api<{ readonly key: string | null }>('commerce', `${path}/agent-credentials`, { tenant, body }),
  );
  const change = (protocol: Door['protocol'], body: object): void =>
    act.mutate({ to: `${path}/agentic-commerce`, method: 'PATCH', body: { protocol, ...body } });
  return (
    <>
      <Failure error={act.error} />
      <div className={styles['pair']}>
        <Loaded query={doors}>
          {({ doors: all }) =>
            all.map(({ protocol, active, mode, refuseUnsigned, trustedOnly, url }) => (
              <Section
                key={protocol}
                title={protocol.toUpperCase()}
                actions={<Badge tone={active ? 'held' : 'plain'}>{active ? words.openDoor : words.closedDoor}</Badge>}
              >
                <p className={styles['soft']}>
                  {mode === 'live' ? words.live : words.test} · {trustedOnly ? words.trustedOnly : words.anyAgent} ·{' '}
                  {refuseUnsigned ? words.signedOnly : words.unsignedToo}
                </p>
                <code>
                  <Said>{url}</Said>
                </code>
                {manages ? (
                  <Row>
                    <Button busy={act.isPending} onClick={() => change(protocol, { active: !active })}>
                      {active ? words.closeDoor : words.open}
                    </Button>
                    <Button
                      busy={act.isPending}
                      onClick={() => change(protocol, { mode: mode === 'live' ? 'test' : 'live' })}
                    >
                      {mode === 'live' ? words.toTest : words.toLive}
                    </Button>
                    <Button busy={act.isPending} onClick={() => change(protocol, { trustedOnly: !trustedOnly })}>
                      {trustedOnly ? words.admitAny : words.admitTrusted}
                    </Button>
                  </Row>
                ) : null}
              </Section>
            ))
          }
        </Loaded>
      </div>
      <Section title={words.agents}>
        <CursorList pages={agents} empty={<Empty title={words.noAgents}>{words.noAgentsLead}</Empty>}>
          {(items) => (
            <Table
              label={words.agents}
              rows={items}
              rowKey={({ id }) => id}
              record={({ id, profileUrl }) => ({ title: profileUrl, id })}
              columns={[
                { head: words.agent, cell: ({ profileUrl }) => <Said>{profileUrl}</Said> },
                { head: words.protocol, cell: ({ protocol }) => protocol.toUpperCase() },
                { head: words.proof, cell: ({ verdict }) => words.verdict[verdict] },
                {
                  head: words.state,
                  cell: ({ standing }) => (
                    <Badge tone={standing === 'trusted' ? 'held' : standing === 'shut_out' ? 'error' : 'plain'}>
                      {words.standing[standing]}
                    </Badge>
                  ),
                },
                { head: words.last, wide: true, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} ago /> },
                ...(manages
                  ? [
                      {
                        head: parts.actions,
                        cell: ({ id, standing }: Agent) => (
                          <Button
                            busy={act.isPending}
                            onClick={() =>
                              act.mutate({
                                to: `/api/shopping-agents/${id}/${standing === 'shut_out' ? 'readmit' : 'shut-out'}`,
                              })
                            }
                          >
                            {standing === 'shut_out' ? words.readmit : words.shutOut}
                          </Button>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )}
        </CursorList>
      </Section>
      <Section title={words.refusedRequests}>
        <Loaded query={refused}>
          {({ items }) =>
            items.length === 0 ? (
              <p className={styles['soft']}>{words.noneRefused}</p>
            ) : (
              <Table
                label={words.refusedRequests}
                rows={items}
                rowKey={({ id }) => id}
                to={({ id }) => `/activity/${id}`}
                columns={[
                  { head: words.agent, cell: ({ payload }) => <Said>{payload.profile_url ?? words.nobodyYet}</Said> },
                  { head: words.proof, cell: ({ payload }) => <Said>{payload.verdict}</Said> },
                  { head: words.when, cell: ({ received_at }) => <Moment at={received_at} ago /> },
                ]}
              />
            )
          }
        </Loaded>
      </Section>
      <div className={styles['pair']}>
        <Section title={words.signingKeys}>
          <Loaded query={keys}>
            {({ items }) => (
              <>
                {items.length === 0 ? <p className={styles['soft']}>{words.noKeys}</p> : null}
                <ul className={styles['items']}>
                  {items.map(({ id, thumbprint, status, createdAt }) => (
                    <li key={id} className={styles['spread']}>
                      <code>
                        <Said>{thumbprint}</Said>
                      </code>
                      <span>
                        <Badge tone={status === 'active' ? 'held' : 'plain'}>{words.keyState[status]}</Badge>{' '}
                        <Moment at={createdAt} ago />
                      </span>
                    </li>
                  ))}
                </ul>
                {manages ? (
                  <div>
                    <Button
                      busy={act.isPending}
                      onClick={() => act.mutate({ to: `${path}/signing-keys${items.length === 0 ? '' : '/rotate'}` })}
                    >
                      {items.length === 0 ? words.makeKey : words.rotateKey}
                    </Button>
                  </div>
                ) : null}
              </>
            )}
          </Loaded>
        </Section>
        <Section title={words.credentials}>
          <Loaded query={credentials}>
            {({ items }) => (
              <ul className={styles['items']}>
                {items.map(({ id, label, profileUrl, prefix, lastFour, status, createdByLeft }) => (
                  <li key={id} className={styles['item']}>
                    <span className={styles['spread']}>
                      <Said>{label || profileUrl}</Said>
                      <Badge tone={status === 'active' ? 'held' : 'plain'}>{words.keyState[status]}</Badge>
                      {createdByLeft === null || status !== 'active' ? null : (
                        <Badge tone="waits">{parts.madeByLeft}</Badge>
                      )}
                    </span>
                    <code>{`${prefix}…${lastFour}`}</code>
                    {manages && status === 'active' ? (
                      <div>
                        <Button
                          kind="danger"
                          busy={act.isPending}
                          onClick={() => act.mutate({ to: `/api/agent-credentials/${id}`, method: 'DELETE' })}
                        >
                          {words.revoke}
                        </Button>
                      </div>
                    ) : null}
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
          {issue.data?.key === undefined || issue.data.key === null ? null : (
            <>
              <p role="status">{words.keyOnce}</p>
              <Snippet text={issue.data.key} label={words.credentials} />
            </>
          )}
          {manages ? <Issue busy={issue.isPending} error={issue.error} onIssue={(body) => issue.mutate(body)} /> : null}
        </Section>
      </div>
    </>
  );
}

function Issue({
  busy,
  error,
  onIssue,
}: {
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onIssue: (body: object) => void;
}): ReactNode {
  const words = useWords().selling;
  return (
    <Form submit={words.issue} busy={busy} error={error} onSubmit={onIssue}>
      <Field label={words.profileUrl} name="profileUrl" kind="url" />
      <Field
        label={words.mode}
        name="mode"
        options={[
          ['test', words.test],
          ['live', words.live],
        ]}
      />
    </Form>
  );
}
