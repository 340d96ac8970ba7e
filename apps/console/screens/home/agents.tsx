import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { agentOf, type AuditEvents } from '../../data/activity.ts';
import { useTenant } from '../../data/organization.ts';
import { useRead } from '../../data/queries.ts';
import { useSession } from '../../data/session.ts';
import { AgentNamed } from '../../parts/agent-named.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { Happened } from '../../parts/happened.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/page.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { agentsOf, type Agent } from '../agents/agent.ts';
import styles from './home.module.css';
import { counted, latest } from './reads.ts';

/** Who did how much in the last week, and the latest of it. */
export function Agents({ since }: { readonly since: string | undefined }): ReactNode {
  const words = useWords().home;
  const counts = useRead(counted);
  const events = useRead(latest(since));
  return (
    <Section title={words.agents} actions={<Go to="/agents">{words.allAgents}</Go>}>
      <Loaded query={counts} lines={5}>
        {(week) => {
          const agents = agentsOf(week, []);
          return agents.length === 0 ? <FirstCall /> : <Done agents={agents} events={events} since={since} />;
        }}
      </Loaded>
    </Section>
  );
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
            <Go to={`/agents/${encodeURIComponent(id)}`} className={styles['item']}>
              <span className={styles['what']}>
                <AgentNamed id={id} name={name} />
              </span>
              {denied > 0 ? <Badge tone="error">{words.refused(denied)}</Badge> : null}
              <span className={styles['soft']}>
                {words.did(count)}, {words.last} <Moment at={lastAt} ago />
              </span>
            </Go>
          </li>
        ))}
      </ul>
      <h3>{since === undefined ? words.latest : words.sinceYouLooked}</h3>
      <Loaded query={events} lines={4}>
        {({ items }) => {
          const theirs = items.flatMap((event) => {
            const agent = agentOf(event);
            return agent === undefined ? [] : [{ event, agent }];
          });
          return theirs.length === 0 ? (
            <p className={styles['soft']}>{words.nothingSince}</p>
          ) : (
            <ol className={styles['items']}>
              {theirs.slice(0, 6).map(({ event, agent }) => (
                <li key={event.id}>
                  <Go to={`/activity/${event.id}`} className={styles['item']}>
                    <span className={styles['what']}>
                      <Happened of={event} />
                    </span>
                    <span className={styles['soft']}>
                      <AgentNamed {...agent} />, <Moment at={event.received_at} ago />
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
