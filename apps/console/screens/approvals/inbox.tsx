import type { ReactNode } from 'react';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
import { useSession } from '../../data/session.ts';
import { awaitsAnother } from '../../data/to-decide.ts';
import { Badge } from '../../parts/badge.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Plot, usePlots } from '../../parts/plot.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { Go, useFilters } from '../../shell/go.tsx';
import { useToolTitle } from '../../parts/tool-title.ts';
import { useWords } from '../../words/language.ts';
import { askerOf, decisionTimes, states, type Action, type State } from './action.ts';
import styles from './approvals.module.css';
import { Asker, Named } from './shown.tsx';

/** What waits for people, by who asked and with what; what became of the rest. */
export default function Approvals(): ReactNode {
  const words = useWords().approvals;
  const [filters, setFilters] = useFilters();
  const state = states.find((one) => one === filters['state']) ?? 'pending';
  const pages = usePages<Action>('portal', '/api/pending-actions', { state, tool: filters['tool'], limit: 50 });
  return (
    <Page title={words.title} lead={words.lead} actions={<Go to="/settings/policy">{words.rules}</Go>}>
      <Choice<State>
        label={words.state}
        of={states.filter((one) => one !== 'approved').map((one) => [one, words.filters[one]])}
        value={state}
        onChange={(next) => setFilters({ state: next === 'pending' ? undefined : next })}
      />
      <CursorList
        pages={pages}
        empty={
          <Empty
            title={state === 'pending' ? words.none0 : words.noneSuch}
            {...(state === 'pending' ? { prompt: words.prompt } : {})}
          >
            {state === 'pending' ? words.none0Lead : undefined}
          </Empty>
        }
      >
        {(items) =>
          state === 'pending' ? <Groups items={items} /> : <Rows label={words.filters[state]} items={items} />
        }
      </CursorList>
      {state === 'pending' ? <Times /> : null}
    </Page>
  );
}

function Groups({ items }: { readonly items: readonly Action[] }): ReactNode {
  const words = useWords().approvals;
  const { person } = useSession();
  const own = (actions: readonly Action[]): number => actions.filter((one) => !awaitsAnother(one, person.id)).length;
  const titleOf = useToolTitle();
  const groups = [...Map.groupBy(items, (action) => `${askerOf(action)} ${action.tool}`)];
  return (
    <div className={styles['groups']}>
      {groups.map(([key, [first, ...rest]]) =>
        first === undefined ? null : (
          <section key={key} className={styles['group']}>
            <div className={styles['groupHead']}>
              <h2>
                <Named by={first.requestedBy.at(-1)} of={first} /> · <Said>{titleOf(first.tool, first.title)}</Said>
              </h2>
              {own([first, ...rest]) < 2 ? null : (
                <ButtonLink
                  to={`/approvals/together?${new URLSearchParams({ tool: first.tool, asker: askerOf(first) }).toString()}`}
                >
                  {words.together(own([first, ...rest]))}
                </ButtonLink>
              )}
            </div>
            <Rows label={titleOf(first.tool, first.title)} items={[first, ...rest]} />
          </section>
        ),
      )}
    </div>
  );
}

function Rows({ label, items }: { readonly label: string; readonly items: readonly Action[] }): ReactNode {
  const words = useWords().approvals;
  const titleOf = useToolTitle();
  return (
    <Table
      label={label}
      rows={items}
      rowKey={({ id }) => id}
      to={({ id }) => `/approvals/${id}`}
      record={({ id, tool, title }) => ({
        title: titleOf(tool, title),
        id,
        place: 'portal',
        path: `/api/pending-actions/${id}`,
      })}
      columns={[
        { head: words.action, cell: ({ summary }) => <Said>{summary}</Said>, first: true },
        { head: words.amount, align: 'end', cell: ({ amount }) => <Money of={amount} /> },
        { head: words.askedBy, cell: (action) => <Asker of={action} />, wide: true },
        {
          head: words.approvals,
          cell: ({ state, available, approvals, approvalsNeeded }) =>
            state === 'pending' ? (
              <Badge tone="waits">{words.ofNeeded(available?.counting ?? approvals.length, approvalsNeeded)}</Badge>
            ) : (
              <Badge tone={state === 'executed' ? 'held' : state === 'failed' ? 'error' : 'plain'}>
                {words.states[state]}
              </Badge>
            ),
        },
        {
          head: words.when,
          cell: ({ state, expiresAt, decidedAt, requestedAt }) =>
            state === 'pending' ? (
              <span>
                {words.expires} <Moment at={expiresAt} ago />
              </span>
            ) : (
              <Moment at={decidedAt ?? requestedAt} />
            ),
        },
      ]}
    />
  );
}

/** How long people look before they decide: seconds are a rubber stamp. */
function Times(): ReactNode {
  usePlots();
  const words = useWords().approvals;
  const query = useApi<Paged<Action>>('portal', '/api/pending-actions', { query: { limit: 100 } });
  return (
    <Loaded query={query}>
      {({ items }) => {
        const { approved, rejected } = decisionTimes(items);
        if ([...approved, ...rejected].every((count) => count === 0)) return null;
        return (
          <Section title={words.times}>
            <p className={styles['quiet']}>{words.timesLead}</p>
            <Plot
              label={words.times}
              kind="bars"
              labels={Object.values(words.waits)}
              series={[
                { name: words.filters.executed, values: approved },
                { name: words.filters.rejected, values: rejected },
              ]}
              say={String}
            />
          </Section>
        );
      }}
    </Loaded>
  );
}
