import type { ReactNode } from 'react';
import { addressOf } from '../../data/api.ts';
import { sum } from '../../data/decimal.ts';
import type { Amount } from '../../data/money.ts';
import { useOrganization, useMay } from '../../data/organization.ts';
import { useGraphPages } from '../../data/queries.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Money } from '../../parts/money.tsx';
import { Day } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { today, yearTo } from './days.ts';
import { ChoiceFilter, DayFilter, FilterBar } from './filters.tsx';
import { bookkeepers } from './may.ts';
import { MoneyTabs } from './tabs.tsx';
import styles from './money.module.css';

interface Entry {
  readonly id: string;
  readonly number: string;
  readonly date: string;
  readonly kind: string;
  readonly narration: string;
  readonly currency: string;
  readonly lines: readonly { readonly debit: Amount | null }[];
}

export default function Entries(): ReactNode {
  const words = useWords().money;
  const { id: tenant } = useOrganization();
  const may = useMay(...bookkeepers);
  const [{ from, to, kind }] = useFilters();
  const pages = useGraphPages<Entry>('money-entries', 'journalEntries', { from, to, kind });
  const period = yearTo(today());
  const file = addressOf('accounting', '/api/reports/journal.csv', {
    tenant,
    query: { from: from ?? period.from, to: to ?? period.to },
  });
  return (
    <Page
      title={words.tabs.entries}
      lead={words.entriesLead}
      actions={
        <>
          <a href={file} download className={styles['file']}>
            CSV
          </a>
          {may ? (
            <ButtonLink kind="first" to="/money/entries/new">
              {words.newEntry}
            </ButtonLink>
          ) : null}
        </>
      }
      bar={
        <MoneyTabs>
          <FilterBar>
            <DayFilter name="from" label={words.from} />
            <DayFilter name="to" label={words.to} />
            <ChoiceFilter name="kind" label={words.kind} of={[['', words.all], ...Object.entries(words.entryKinds)]} />
          </FilterBar>
        </MoneyTabs>
      }
    >
      <CursorList
        pages={pages}
        empty={
          <Empty title={words.entriesEmpty} prompt={words.entriesEmptyPrompt}>
            {words.entriesEmptyLead}
          </Empty>
        }
      >
        {(items) => (
          <Table
            label={words.tabs.entries}
            rows={items}
            rowKey={({ id }) => id}
            to={({ id }) => `/money/entries/${id}`}
            record={({ id, number }) => ({ title: words.entry(number), id })}
            columns={[
              { head: words.number, cell: ({ number }) => number },
              { head: words.day, cell: ({ date }) => <Day on={date} /> },
              { head: words.narration, first: true, cell: ({ narration }) => <Said>{narration}</Said> },
              { head: words.kind, cell: ({ kind: one }) => kindText(words.entryKinds, one), wide: true },
              {
                head: words.amount,
                align: 'end',
                cell: ({ lines, currency }) => (
                  <Money of={{ currency, amount: sum('0', ...lines.map(({ debit }) => debit?.amount ?? '0')) }} />
                ),
              },
            ]}
          />
        )}
      </CursorList>
    </Page>
  );
}

/** A kind that has no word yet is shown as it is. */
export const kindText = (words: object, kind: string): string =>
  (words as Readonly<Record<string, string>>)[kind] ?? kind;
