import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useOrganization, useTenant } from '../../data/organization.ts';
import { useSession } from '../../data/session.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Go, useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { agentsOf, type Counted } from './agent.ts';
import { agentPath } from './agents.tsx';
import styles from './agents.module.css';

/** Milliseconds between looks, only while this page waits and is in sight: what an agent reads is announced by no event. */
const every = 3_000;

/** A prompt to copy; the page waits for the first call of somebody new, and turns by itself. */
export default function Hire(): ReactNode {
  const words = useWords().agents;
  const tenant = useTenant();
  const { name } = useOrganization();
  const [{ opened }] = useFilters();
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
  const hired = query.data?.find(({ id }) => known !== undefined && !known.has(id));
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
                  <Said>{hired.name}</Said> {words.called} <Moment at={hired.lastAt} />
                </p>
                <ButtonLink kind="first" to={agentPath(hired.id)}>
                  {words.seeIt}
                </ButtonLink>
              </div>
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}
