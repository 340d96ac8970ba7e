import type { ReactNode } from 'react';
import { shortDayText } from '../../data/moment.ts';
import { useMay } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { AgentNamed } from '../../parts/agent-named.tsx';
import { Badge } from '../../parts/badge.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded, Missing } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Plot, usePlots } from '../../parts/plot.tsx';
import { Table } from '../../parts/table.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import { agentsOf, daysOf, type Agent, type Counted, type Grant } from './agent.ts';
import styles from './agents.module.css';
import { Suspended } from './suspended.tsx';
import { Terms } from './terms.tsx';

/** Who works here: what each may do, by whose word, and what it did lately. */
export default function Agents(): ReactNode {
  usePlots();
  const words = useWords().agents;
  const may = useMay('owner', 'admin');
  const counts = useApi<Counted>('accounting', '/api/audit/activity', { query: { days: 30 } });
  const grants = useApi<Paged<Grant>>('portal', '/api/agent-grants', { query: { limit: 100 } });
  const policy = useApi<{ readonly agentsNeedGrant: boolean }>('portal', '/api/tool-policy');
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <ButtonLink kind="first" to="/agents/hire">
          {words.hire}
        </ButtonLink>
      }
    >
      <Loaded query={counts} lines={8}>
        {(counted) => {
          const agents = agentsOf(counted, grants.data?.items ?? []);
          return (
            <>
              {grants.data === undefined ? <Missing query={grants} lines={1} /> : null}
              {agents.length === 0 ? (
                <Empty
                  title={words.none}
                  action={
                    <ButtonLink kind="first" to="/agents/hire">
                      {words.hire}
                    </ButtonLink>
                  }
                >
                  {words.noneLead}
                </Empty>
              ) : (
                <List agents={agents} needGrant={policy.data?.agentsNeedGrant === true} />
              )}
              <Suspended />
              <PerDay counted={counted} />
              {policy.data === undefined || !may ? null : (
                <p className={styles['quiet']}>{policy.data.agentsNeedGrant ? words.needGrant : words.needNoGrant}</p>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

export const agentPath = (id: string): `/${string}` => `/agents/${encodeURIComponent(id)}`;

function List({ agents, needGrant }: { readonly agents: readonly Agent[]; readonly needGrant: boolean }): ReactNode {
  const words = useWords().agents;
  return (
    <Table
      label={words.title}
      rows={agents}
      rowKey={({ id }) => id}
      to={({ id }) => agentPath(id)}
      columns={[
        {
          head: words.agent,
          first: true,
          cell: (agent) => <AgentNamed {...agent} />,
        },
        { head: words.mayDo, cell: ({ grant }) => <Terms grant={grant} needGrant={needGrant} /> },
        {
          head: words.lastCall,
          cell: ({ lastAt }) =>
            lastAt === undefined ? (
              <span className={styles['quiet']}>{words.notLately}</span>
            ) : (
              <Moment at={lastAt} ago />
            ),
        },
        { head: words.events, align: 'end', cell: ({ events }) => events },
        {
          head: words.denied,
          align: 'end',
          cell: ({ denied }) => (denied === 0 ? 0 : <Badge tone="waits">{denied}</Badge>),
        },
      ]}
    />
  );
}

/** Calls of a day: what was recorded, and what was refused. */
export function PerDay({ counted, agent }: { readonly counted: Counted; readonly agent?: string }): ReactNode {
  const words = useWords().agents;
  const locale = useLocale();
  const days = daysOf(counted, 30, agent);
  if (days.every(({ events }) => events === 0)) return null;
  return (
    <Section title={words.perDay}>
      <Plot
        label={words.perDay}
        kind="bars"
        labels={days.map(({ day }) => shortDayText(day, locale))}
        series={[
          { name: words.events, values: days.map(({ events }) => events) },
          { name: words.denied, values: days.map(({ denied }) => denied) },
        ]}
        say={String}
        to={(at) => {
          const day = days[at]?.day ?? '';
          const next = new Date(Date.parse(day) + 86_400_000).toISOString();
          const search = new URLSearchParams({ occurred_from: `${day}T00:00:00Z`, occurred_before: next });
          if (agent !== undefined) search.set('principal', `agent:${agent}`);
          return `/activity?${search.toString()}`;
        }}
      />
    </Section>
  );
}
