import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { agentOf, type AuditEvents } from '../../data/activity.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { useSession } from '../../data/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { Happened } from '../../parts/happened.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './home.module.css';

interface Counted {
  readonly items: readonly {
    readonly day: string;
    readonly agent: string | null;
    readonly events: number;
    readonly denied: number;
    readonly last_at: string;
  }[];
  readonly display_names?: Readonly<Record<string, string>>;
}

interface Agent {
  readonly id: string;
  readonly name: string;
  readonly events: number;
  readonly denied: number;
  readonly lastAt: string;
}

/** Who did how much in the last week, and the latest of it. */
export function Agents({ since }: { readonly since: string | undefined }): ReactNode {
  const words = useWords().home;
  const counts = useApi<Counted>('accounting', '/api/audit/activity', { query: { days: 7 } });
  const events = useApi<AuditEvents>('accounting', '/api/audit/events', { query: { limit: 40, received_from: since } });
  return (
    <Section title={words.agents} actions={<Go to="/agents">{words.allAgents}</Go>}>
      <Loaded query={counts} lines={5}>
        {(counted) => {
          const agents = agentsOf(counted);
          return agents.length === 0 ? <FirstCall /> : <Done agents={agents} events={events} since={since} />;
        }}
      </Loaded>
    </Section>
  );
}

function agentsOf({ items, display_names = {} }: Counted): readonly Agent[] {
  const days = Map.groupBy(
    items.filter((item): item is typeof item & { readonly agent: string } => item.agent !== null),
    ({ agent }) => agent,
  );
  return [...days]
    .map(([id, rows]) => ({
      id,
      name: display_names[`agent:${id}`] ?? id,
      events: rows.reduce((sum, { events }) => sum + events, 0),
      denied: rows.reduce((sum, { denied }) => sum + denied, 0),
      lastAt:
        rows
          .map(({ last_at }) => last_at)
          .toSorted()
          .at(-1) ?? '',
    }))
    .toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1));
}

interface DoneProps {
  readonly agents: readonly Agent[];
  readonly events: UseQueryResult<AuditEvents>;
  readonly since: string | undefined;
}

function Done({ agents, events, since }: DoneProps): ReactNode {
  const words = useWords().home;
  return (
    <>
      <ul className={styles['items']}>
        {agents.slice(0, 5).map(({ id, name, events: count, denied, lastAt }) => (
          <li key={id}>
            <div className={styles['item']}>
              <span className={styles['what']}>
                <Said>{name}</Said>
              </span>
              {denied > 0 ? <Badge tone="error">{words.refused(denied)}</Badge> : null}
              <span className={styles['soft']}>
                {words.did(count)}, {words.last} <Moment at={lastAt} ago />
              </span>
            </div>
          </li>
        ))}
      </ul>
      <h3>{since === undefined ? words.latest : words.sinceYouLooked}</h3>
      <Loaded query={events} lines={4}>
        {({ items }) => {
          const theirs = items.filter((event) => agentOf(event) !== undefined);
          return theirs.length === 0 ? (
            <p className={styles['soft']}>{words.nothingSince}</p>
          ) : (
            <ol className={styles['items']}>
              {theirs.slice(0, 6).map((event) => (
                <li key={event.id}>
                  <Go to={`/activity/${event.id}`} className={styles['item']}>
                    <span className={styles['what']}>
                      <Happened of={event} />
                    </span>
                    <span className={styles['soft']}>
                      <Said>{agentOf(event)}</Said>, <Moment at={event.received_at} ago />
                    </span>
                  </Go>
                </li>
              ))}
            </ol>
          );
        }}
      </Loaded>
    </>
  );
}

/** Nobody works here yet: how the first one does. The list turns by itself with its first call. */
function FirstCall(): ReactNode {
  const words = useWords().home;
  const tenant = useTenant();
  const { addresses } = useSession();
  return (
    <>
      <p>{words.noAgents}</p>
      <Snippet text={`${addresses.mcp}/t/${tenant}`} label={words.address} />
      <p className={styles['soft']}>{words.waitingForCall}</p>
      <p>
        <Go to="/developers">{words.howToConnect}</Go>
      </p>
    </>
  );
}
