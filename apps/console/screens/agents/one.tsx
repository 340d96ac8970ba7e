import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { AgentNamed } from '../../parts/agent-named.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded, Missing } from '../../parts/loaded.tsx';
import { type Integration, Leaves } from '../../parts/made-by.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Tool } from '../../parts/tool.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import type { LogEvent } from '../activity/event.ts';
import { agentsOf, pillars, tiers, type Agent, type Counted, type Grant } from './agent.ts';
import { PerDay } from './agents.tsx';
import styles from './agents.module.css';
import { Suspended, WouldSuspend, type Suspends } from './suspended.tsx';
import { Terms } from './terms.tsx';
import { tickedIn, Ticks } from './ticks.tsx';

interface Member {
  readonly principalId: string;
  readonly displayName: string | null;
  readonly email: string | null;
}

/** One agent: by whose word it is here, what it did, what was refused, and the way to shut it out. */
export default function AgentOne(): ReactNode {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const words = useWords().agents;
  const counts = useApi<Counted>('accounting', '/api/audit/activity', { query: { days: 30 } });
  const grants = useApi<Paged<Grant>>('portal', '/api/agent-grants', { query: { limit: 100 } });
  const policy = useApi<{ readonly agentsNeedGrant: boolean }>('portal', '/api/tool-policy');
  const agent =
    counts.data === undefined || grants.data === undefined
      ? undefined
      : (agentsOf(counts.data, grants.data.items).find((one) => one.id === id) ?? {
          id,
          name: id,
          grant: undefined,
          events: 0,
          denied: 0,
          lastAt: undefined,
        });
  return (
    <Page
      title={agent === undefined || agent.name === id ? words.agent : agent.name}
      part={agent?.name === id ? id : undefined}
      lead={<Said>{id}</Said>}
      actions={<Go to="/agents">{words.back}</Go>}
    >
      <Loaded query={grants}>
        {() => (
          <Loaded query={counts}>
            {(counted) =>
              agent === undefined ? null : (
                <>
                  <Known agent={agent} needGrant={policy.data?.agentsNeedGrant === true} />
                  <Suspended through={id} />
                  <PerDay counted={counted} agent={id} />
                  <Denied id={id} />
                </>
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function Known({ agent, needGrant }: { readonly agent: Agent; readonly needGrant: boolean }): ReactNode {
  const words = useWords().agents;
  const may = useMay('owner', 'admin');
  const [asked, setAsked] = useState<'shut out' | 'grant'>();
  const members = useApi<Paged<Member>>('portal', '/api/members', { query: { limit: 100 } });
  const nameOf = (id: string): string => {
    const found = members.data?.items.find(({ principalId }) => principalId === id);
    return found?.displayName ?? found?.email ?? id;
  };
  const { grant } = agent;
  const out = grant !== undefined && grant.status !== 'granted';
  const close = (): void => setAsked(undefined);
  return (
    <Section
      title={words.here}
      actions={
        may ? (
          <span className={styles['row']}>
            <Button onClick={() => setAsked('grant')}>
              {out ? words.letIn : grant === undefined ? words.grantIt : words.changeGrant}
            </Button>
            {grant?.status === 'revoked' ? null : (
              <Button kind="danger" onClick={() => setAsked('shut out')}>
                {words.shutItOut}
              </Button>
            )}
          </span>
        ) : null
      }
    >
      <Facts
        of={[
          [words.mayDo, <Terms key="t" grant={grant} needGrant={needGrant} />],
          [words.grantedBy, grant === undefined ? undefined : <Said key="g">{nameOf(grant.grantedBy)}</Said>],
          [words.grantedAt, grant === undefined ? undefined : <Moment key="a" at={grant.grantedAt} />],
          [words.shutOutAt, grant?.revokedAt == null ? undefined : <Moment key="r" at={grant.revokedAt} />],
          [words.tools, grant?.tools == null ? undefined : <Said key="l">{grant.tools.join(', ')}</Said>],
          [words.lastCall, agent.lastAt === undefined ? words.notLately : <Moment key="m" at={agent.lastAt} />],
          [words.events, agent.events],
          [words.denied, agent.denied],
        ]}
      />
      {grant?.seen === false ? <p className={styles['quiet']}>{words.neverSeen}</p> : null}
      {asked === 'shut out' ? <ShutOut agent={agent} onClose={close} /> : null}
      {asked === 'grant' ? <ChangeGrant agent={agent} onClose={close} /> : null}
    </Section>
  );
}

interface AskedProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

function ShutOut({ agent: { id, name }, onClose }: AskedProps): ReactNode {
  const words = useWords().agents;
  const tenant = useTenant();
  const path = `/api/agent-grants/${encodeURIComponent(id)}`;
  const told = useApi<{ readonly items: readonly Suspends[]; readonly leaves: readonly Integration[] }>(
    'portal',
    `${path}/suspensions`,
  );
  const act = useAct(async (_given: undefined) => api('portal', path, { tenant, method: 'DELETE' }));
  // Nobody is asked before it is there whom it hits.
  if (told.data === undefined)
    return (
      <Dialog title={words.shutItOut} onClose={onClose}>
        <Missing query={told} lines={3} />
      </Dialog>
    );
  return (
    <Confirm
      title={words.shutItOut}
      act={act}
      onConfirm={() => act.mutate(undefined, { onSuccess: onClose })}
      submit={words.shutOutNow}
      danger
      onClose={onClose}
    >
      <div className={styles['told']}>
        <p>
          <AgentNamed id={id} name={name} />: {words.shutOutLead}
        </p>
        <WouldSuspend items={told.data.items} />
        <Leaves title={words.goesOn} items={told.data.leaves} kinds={words.kinds} />
      </div>
    </Confirm>
  );
}

function ChangeGrant({ agent: { id, grant }, onClose }: AskedProps): ReactNode {
  const words = useWords().agents;
  const tenant = useTenant();
  const act = useAct(async (body: object) => api('portal', '/api/agent-grants', { tenant, body }), { onDone: onClose });
  const chosen = <Name extends string>(
    form: FormData,
    kind: string,
    names: readonly Name[],
  ): readonly Name[] | undefined => {
    const some = tickedIn(form, kind, names);
    return some.length === names.length ? undefined : some;
  };
  return (
    <Dialog title={words.changeGrant} onClose={onClose}>
      <p>{words.grantLead}</p>
      <Form
        submit={words.grantNow}
        busy={act.isPending}
        error={act.error}
        onCancel={onClose}
        onSubmit={({ tools }, form) =>
          act.mutate({
            agentId: id,
            tiers: chosen(form, 'tier', tiers),
            pillars: chosen(form, 'pillar', pillars),
            ...(tools === undefined ? {} : { tools: tools.split(/[\s,]+/).filter(Boolean) }),
          })
        }
      >
        <Ticks
          title={words.tiersTitle}
          kind="tier"
          names={tiers}
          labels={words.tiers}
          ticked={(one) => grant?.tiers == null || grant.tiers.includes(one)}
        />
        <Ticks
          title={words.pillarsTitle}
          kind="pillar"
          names={pillars}
          labels={words.pillars}
          ticked={(one) => grant?.pillars == null || grant.pillars.includes(one)}
        />
        <Field
          name="tools"
          kind="area"
          label={words.onlyTools}
          hint={words.onlyToolsHint}
          optional
          value={grant?.tools?.join('\n') ?? ''}
        />
      </Form>
    </Dialog>
  );
}

/** The latest calls that were refused. */
function Denied({ id }: { readonly id: string }): ReactNode {
  const words = useWords().agents;
  const query = useApi<Paged<LogEvent>>('accounting', '/api/audit/events', {
    query: { principal: `agent:${id}`, limit: 10, type: 'tools.*.denied' },
  });
  const all = `/activity?${new URLSearchParams({ principal: `agent:${id}` }).toString()}` as const;
  return (
    <Section title={words.refused} actions={<Go to={all}>{words.everythingItDid}</Go>}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles['quiet']}>{words.noneRefused}</p>
          ) : (
            <Table
              label={words.refused}
              rows={items}
              rowKey={(event) => event.id}
              to={(event) => `/activity/${event.id}`}
              columns={[
                {
                  head: words.tool,
                  first: true,
                  cell: ({ payload, type }) => <Tool name={String(payload['tool'] ?? type)} />,
                },
                {
                  head: words.why,
                  cell: ({ payload }) => <Said>{String(payload['code'] ?? payload['count'] ?? '')}</Said>,
                },
                { head: words.when, cell: ({ received_at: at }) => <Moment at={at} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
