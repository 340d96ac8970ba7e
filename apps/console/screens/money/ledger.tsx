import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOf } from '../../data/api.ts';
import type { Amount } from '../../data/money.ts';
import { dayText } from '../../data/moment.ts';
import { useOrganization } from '../../data/organization.ts';
import { useGraphPages } from '../../data/queries.ts';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Figure } from '../../parts/figure.tsx';
import { Day } from '../../parts/moment.tsx';
import { Facts, Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useFilters } from '../../shell/go.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import { isDay, today, yearTo } from './days.ts';
import { DayFilter, FilterBar } from './filters.tsx';
import { Print } from './print.tsx';
import { MoneyTabs } from './tabs.tsx';
import styles from './money.module.css';

interface LedgerLine {
  readonly entryId: string;
  readonly number: string;
  readonly date: string;
  readonly narration: string;
  readonly memo: string | null;
  readonly debit: Amount | null;
  readonly credit: Amount | null;
  readonly balance: Amount;
}

/** Beside its lines. */
interface LedgerHead {
  readonly code: string;
  readonly name: string;
  readonly opening: Amount;
}

/** The postings of one account, each with the entry that it belongs to. */
export default function Ledger(): ReactNode {
  const words = useWords().money;
  const locale = useLocale();
  const { account = '' } = useParams({ strict: false }) as { account?: string };
  const { name: organization, id: tenant } = useOrganization();
  const [filters] = useFilters();
  const to = isDay(filters['to']) ? filters['to'] : today();
  const from = isDay(filters['from']) ? filters['from'] : yearTo(to).from;
  const pages = useGraphPages<LedgerLine, LedgerHead>('money-ledger', 'generalLedger', {
    accountId: account,
    from,
    to,
  });
  const first = pages.data?.pages[0];
  const file = addressOf('accounting', '/api/reports/general-ledger.csv', {
    tenant,
    query: { accountId: account, from, to },
  });
  return (
    <Page
      title={first === undefined ? words.ledger : `${first.code} ${first.name}`}
      lead={`${organization} · ${words.ledger} · ${words.fromTo(dayText(from, locale), dayText(to, locale))}`}
      actions={
        <>
          <a href={file} download className={styles['file']}>
            CSV
          </a>
          <Print />
        </>
      }
      bar={
        <MoneyTabs>
          <FilterBar>
            <DayFilter name="from" label={words.from} otherwise={from} />
            <DayFilter name="to" label={words.to} otherwise={to} />
          </FilterBar>
        </MoneyTabs>
      }
    >
      <CursorList pages={pages} empty={<Empty title={words.ledgerEmpty}>{words.ledgerEmptyLead}</Empty>}>
        {(items) => (
          <>
            {first === undefined ? null : (
              <Facts
                of={[
                  [words.opening, <Figure key="opening" of={first.opening} />],
                  [words.currency, first.opening.currency],
                ]}
              />
            )}
            <Table
              label={words.ledger}
              rows={items}
              rowKey={(line) => `${line.entryId} ${line.balance.amount} ${items.indexOf(line)}`}
              to={({ entryId }) => `/money/entries/${entryId}`}
              record={({ entryId, number }) => ({ title: words.entry(number), id: entryId })}
              columns={[
                { head: words.day, cell: ({ date }) => <Day on={date} /> },
                { head: words.entryHead, cell: ({ number }) => number, wide: true },
                {
                  head: words.narration,
                  first: true,
                  cell: ({ narration, memo }) => <Said>{memo === null ? narration : `${narration} · ${memo}`}</Said>,
                },
                { head: words.debit, align: 'end', cell: ({ debit }) => <Figure of={debit} /> },
                { head: words.credit, align: 'end', cell: ({ credit }) => <Figure of={credit} /> },
                { head: words.balance, align: 'end', cell: ({ balance }) => <Figure of={balance} /> },
              ]}
            />
          </>
        )}
      </CursorList>
    </Page>
  );
}
