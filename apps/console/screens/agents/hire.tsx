import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useOrganization, useTenant } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useSession } from '../../data/session.ts';
import { AgentNamed } from '../../parts/agent-named.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Go, useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { agentsOf, type Counted, type Grant } from './agent.ts';
import { agentPath } from './agents.tsx';
import styles from './agents.module.css';
import { MayDo } from './may.tsx';
import { Terms } from './terms.tsx';

/** Milliseconds between looks, only while this page waits and is in sight: what an agent reads is announced by no event. */
const every = 3_000;

/**
 * A prompt to copy; the page waits for the first call of somebody new, turns by itself, and asks what it may do. Those that called before and have
 * no grant are offered to be asked about.
 */
export default function Hire(): ReactNode {
  const words = useWords().agents;
  const tenant = useTenant();
  const { name } = useOrganization();
  const [{ opened, agent: chosen }] = useFilters();
  const { addresses } = useSession();
  const address = `${addresses.mcp}/t/${tenant}`;
  const [known, setKnown] = useState<ReadonlySet<string> | undefined>(opened === undefined ? undefined : new Set());
  const query = useQuery({
    queryKey: [tenant, 'first call'],
    queryFn: async ({ signal }) => {
      const counted = await api<Counted>('accounting', '/api/audit/activity', { tenant, query: { days: 92 }, signal });
      const agents = agentsOf(counted, []);
      setKnown((before) => before ?? new Set(agents.map(({ id }) => id)));
      return agents;
    },
    refetchInterval: every,
    gcTime: 0,
  });
  const may = useMay('owner', 'admin');
  const grants = useApi<Paged<Grant>>('portal', '/api/agent-grants', { query: { limit: 100 } });
  const newcomer = query.data?.find(({ id }) => known !== undefined && !known.has(id));
  const before = query.data?.find(({ id }) => id === chosen);
  const hired = before ?? newcomer;
  const undecided = !may
    ? []
    : query.data?.filter(({ id }) => grants.data?.items.every(({ agentId }) => agentId !== id) === true);
  return (
    <Page
      title={words.hire}
      lead={opened === undefined ? words.hireLead : words.opened(name)}
      actions={<Go to="/agents">{words.back}</Go>}
    >
      <Section title={words.stepConnect}>
        <p>{words.stepConnectHint}</p>
        <Snippet text={address} label={words.address} />
        <Snippet text={`claude mcp add --transport http steward ${address}`} label="Claude Code" />
      </Section>
      <Section title={words.stepTell}>
        <Snippet text={words.hirePrompt(name, address)} label={words.stepTell} />
      </Section>
      <Section title={words.stepWait}>
        <Loaded query={query}>
          {() =>
            hired === undefined ? (
              <p role="status" className={styles['waiting']}>
                {words.waitingForCall}
              </p>
            ) : (
              <div role="status" className={styles['hired']}>
                <p>
                  <AgentNamed {...hired} /> {before === undefined ? words.called : words.calledLast}{' '}
                  <Moment at={hired.lastAt} />
                </p>
                <ButtonLink to={agentPath(hired.id)}>{words.seeIt}</ButtonLink>
              </div>
            )
          }
        </Loaded>
      </Section>
      {hired !== undefined || undecided === undefined || undecided.length === 0 ? null : (
        <Section title={words.undecided}>
          <p>{words.undecidedHint}</p>
          <ul className={styles['told']}>
            {undecided.map((agent) => (
              <li key={agent.id}>
                <Go to={`/agents/hire?${new URLSearchParams({ agent: agent.id }).toString()}`}>
                  <AgentNamed {...agent} />
                </Go>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {hired === undefined || !may ? null : (
        <Section title={words.stepMay}>
          <Loaded query={grants}>
            {({ items }) => {
              const grant = items.find(({ agentId }) => agentId === hired.id);
              return grant === undefined ? (
                <MayDo id={hired.id} />
              ) : (
                <p role="status">
                  {words.mayDo}: <Terms grant={grant} needGrant={false} />
                </p>
              );
            }}
          </Loaded>
        </Section>
      )}
    </Page>
  );
}
