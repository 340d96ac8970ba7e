import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { own } from '../../data/api.ts';
import { useSession } from '../../data/session.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useWords } from '../../words/language.ts';
import { SettingsTabs } from './tabs.tsx';

interface SignedIn {
  readonly id: string;
  readonly current: boolean;
  readonly client: string;
  readonly started_at: string;
  readonly seen_at: string;
}

/** Where this person is signed in, and how to end that. */
export default function Sessions(): ReactNode {
  const { settings: words, shell, parts } = useWords();
  const { person, deciding_until, ends_at } = useSession();
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: async () => (await own<{ readonly sessions: readonly SignedIn[] }>('/console/sessions')).sessions,
  });
  const end = useAct(async ({ id }: SignedIn) => own(`/console/sessions/${id}`, { method: 'DELETE' }));
  return (
    <Page title={shell.settings} part={words.sessions} lead={words.sessionsLead} bar={<SettingsTabs />}>
      <Section title={words.you}>
        <Facts
          of={[
            [words.who, <Said key="who">{person.email ?? person.name ?? person.id}</Said>],
            [words.mayDecide, deciding_until === null ? words.afterLogin : <Moment key="until" at={deciding_until} />],
            [words.signedInUntil, <Moment key="ends" at={ends_at} />],
          ]}
        />
      </Section>
      <Section title={words.sessions}>
        <Failure error={end.error} />
        <Loaded query={sessions}>
          {(items) => (
            <Table
              label={words.sessions}
              rows={items}
              rowKey={({ id }) => id}
              columns={[
                {
                  head: words.client,
                  cell: ({ client, current }) => (
                    <>
                      <Said>{clientOf(client)}</Said> {current ? <Badge tone="held">{words.thisOne}</Badge> : null}
                    </>
                  ),
                },
                { head: words.started, cell: ({ started_at }) => <Moment at={started_at} /> },
                { head: words.seen, cell: ({ seen_at }) => <Moment at={seen_at} ago /> },
                {
                  head: parts.actions,
                  align: 'end',
                  cell: (one) =>
                    one.current ? null : (
                      <Button
                        kind="danger"
                        busy={end.isPending && end.variables.id === one.id}
                        onClick={() => end.mutate(one)}
                      >
                        {words.end}
                      </Button>
                    ),
                },
              ]}
            />
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

/** Browser and system, as people call them, where the browser says so. */
function clientOf(agent: string): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => agent.includes(`${name}/`));
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'].find((name) => agent.includes(name));
  const called = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' } as const;
  const words = [browser, system].map((name) => called[name as keyof typeof called] ?? name).filter(Boolean);
  return words.length === 0 ? agent : words.join(', ');
}
