import type { ReactNode } from 'react';
import { addressOf } from '../../data/api.ts';
import type { Amount } from '../../data/money.ts';
import { useMay, useOrganization } from '../../data/organization.ts';
import { useGraphPages } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
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
import { ChoiceFilter, DayFilter, FilterBar } from './filters.tsx';
import { bookkeepers } from './may.ts';
import { MoneyTabs } from './tabs.tsx';
import styles from './money.module.css';

interface Listed {
  readonly id: string;
  readonly number: string;
  readonly date: string;
  readonly direction: 'made' | 'received';
  readonly method: 'card' | 'cash' | 'check' | 'network' | 'other' | 'transfer';
  readonly refund: boolean;
  readonly partyName: string;
  readonly reference: string | null;
  readonly voidOn: string | null;
  readonly amount: Amount;
  readonly open: Amount;
}

export default function Payments(): ReactNode {
  const words = useWords().money;
  const { id: tenant } = useOrganization();
  const may = useMay(...bookkeepers);
  const [{ direction, open, from, to, party }] = useFilters();
  const pages = useGraphPages<Listed>('money-payments', 'payments', {
    direction,
    from,
    to,
    partyId: party,
    ...(open === 'yes' ? { open: true } : {}),
  });
  return (
    <Page
      title={words.tabs.payments}
      lead={words.paymentsLead}
      actions={
        <>
          <a href={addressOf('accounting', '/api/export/payments.csv', { tenant })} download className={styles['file']}>
            CSV
          </a>
          {may ? (
            <ButtonLink kind="first" to="/money/payments/new">
              {words.recordPayment}
            </ButtonLink>
          ) : null}
        </>
      }
      bar={
        <MoneyTabs>
          <FilterBar>
            <ChoiceFilter
              name="direction"
              label={words.direction}
              of={[['', words.all], ...Object.entries(words.directions)]}
            />
            <ChoiceFilter
              name="open"
              label={words.allocated}
              of={[
                ['', words.all],
                ['yes', words.openOnly],
              ]}
            />
            <DayFilter name="from" label={words.from} />
            <DayFilter name="to" label={words.to} />
          </FilterBar>
        </MoneyTabs>
      }
    >
      <CursorList
        pages={pages}
        empty={
          [direction, open, from, to, party].every((one) => one === undefined) ? (
            <Empty
              title={words.paymentsEmpty}
              prompt={words.paymentsEmptyPrompt}
              {...(may ? { action: <ButtonLink to="/money/payments/new">{words.recordPayment}</ButtonLink> } : {})}
            />
          ) : (
            <Empty title={words.nothingMatches}>{words.nothingMatchesLead}</Empty>
          )
        }
      >
        {(items) => (
          <Table
            label={words.tabs.payments}
            rows={items}
            rowKey={({ id }) => id}
            to={({ id }) => `/money/payments/${id}`}
            record={({ id, number }) => ({ title: number, id })}
            columns={[
              { head: words.number, first: true, cell: ({ number }) => number },
              { head: words.party, cell: ({ partyName }) => <Said>{partyName}</Said> },
              { head: words.day, cell: ({ date }) => <Day on={date} /> },
              {
                head: words.direction,
                cell: ({ direction: way, refund, voidOn }) =>
                  voidOn === null ? (
                    refund ? (
                      words.refund
                    ) : (
                      words.directions[way]
                    )
                  ) : (
                    <Badge>{words.statuses.void}</Badge>
                  ),
              },
              { head: words.method, cell: ({ method }) => words.methods[method], wide: true },
              { head: words.reference, cell: ({ reference }) => <Said>{reference}</Said>, wide: true },
              { head: words.amount, align: 'end', cell: ({ amount }) => <Money of={amount} /> },
              { head: words.notAllocated, align: 'end', cell: ({ open: left }) => <Money of={left} /> },
            ]}
          />
        )}
      </CursorList>
    </Page>
  );
}
