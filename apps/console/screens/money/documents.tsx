import type { ReactNode } from 'react';
import { addressOf } from '../../data/api.ts';
import type { Amount } from '../../data/money.ts';
import { useMay, useOrganization } from '../../data/organization.ts';
import { useGraphPages } from '../../data/queries.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
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
import { today } from './days.ts';
import { ChoiceFilter, DayFilter, FilterBar, TextFilter } from './filters.tsx';
import { bookkeepers } from './may.ts';
import { documentKinds, type DocumentKind } from './document-kinds.ts';
import { numberIn } from './number.ts';
import { MoneyTabs } from './tabs.tsx';
import styles from './money.module.css';

export type DocumentStatus = 'draft' | 'issued' | 'paid' | 'void';

interface Listed {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly number: string | null;
  readonly status: DocumentStatus;
  readonly partyName: string;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly reference: string | null;
  readonly total: Amount;
  readonly open: Amount | null;
}

export default function Documents(): ReactNode {
  const words = useWords().money;
  const { id: tenant } = useOrganization();
  const may = useMay(...bookkeepers);
  const [{ kind, status, number, from, to, party }] = useFilters();
  const pages = useGraphPages<Listed>('money-documents', 'documents', {
    kind,
    status,
    // What is no number finds nothing by it: the API says so.
    ...(number === undefined ? {} : (numberIn(number) ?? { number })),
    from,
    to,
    partyId: party,
  });
  const empty = [kind, status, number, from, to, party].every((one) => one === undefined);
  return (
    <Page
      title={words.tabs.documents}
      lead={words.documentsLead}
      actions={
        <>
          <a
            href={addressOf('accounting', '/api/export/documents.csv', { tenant })}
            download
            className={styles['file']}
          >
            CSV
          </a>
          {may ? (
            <>
              <ButtonLink to="/money/documents/new?kind=bill">{words.newBill}</ButtonLink>
              <ButtonLink kind="first" to="/money/documents/new?kind=invoice">
                {words.newInvoice}
              </ButtonLink>
            </>
          ) : null}
        </>
      }
      bar={
        <MoneyTabs>
          <FilterBar>
            <ChoiceFilter
              name="kind"
              label={words.kind}
              of={[['', words.all], ...documentKinds.map((one) => [one, words.documentKinds[one]] as const)]}
            />
            <ChoiceFilter
              name="status"
              label={words.status}
              of={[['', words.all], ...Object.entries(words.statuses)]}
            />
            <TextFilter name="number" label={words.number} />
            <DayFilter name="from" label={words.from} />
            <DayFilter name="to" label={words.to} />
          </FilterBar>
        </MoneyTabs>
      }
    >
      <CursorList
        pages={pages}
        empty={
          empty ? (
            <Empty
              title={words.documentsEmpty}
              prompt={words.documentsEmptyPrompt}
              {...(may
                ? { action: <ButtonLink to="/money/documents/new?kind=invoice">{words.newInvoice}</ButtonLink> }
                : {})}
            />
          ) : (
            <Empty title={words.nothingMatches}>{words.nothingMatchesLead}</Empty>
          )
        }
      >
        {(items) => (
          <Table
            label={words.tabs.documents}
            rows={items}
            rowKey={({ id }) => id}
            to={({ id }) => `/money/documents/${id}`}
            record={({ id, kind: one, number: of }) => ({ title: titleOf(words, one, of), id })}
            columns={[
              { head: words.number, first: true, cell: ({ number: of, kind: one }) => titleOf(words, one, of) },
              { head: words.party, cell: ({ partyName }) => <Said>{partyName}</Said> },
              { head: words.issueDate, cell: ({ issueDate }) => <Day on={issueDate} />, wide: true },
              { head: words.dueDate, cell: ({ dueDate }) => <Day on={dueDate} /> },
              { head: words.status, cell: (row) => <Status of={row} /> },
              { head: words.total, align: 'end', cell: ({ total }) => <Money of={total} /> },
              { head: words.open, align: 'end', cell: ({ open }) => <Money of={open} /> },
            ]}
          />
        )}
      </CursorList>
    </Page>
  );
}

/** The number says what kind it is; a draft has none yet. */
export const titleOf = (
  words: { readonly documentKinds: Readonly<Record<DocumentKind, string>>; readonly draftOf: (kind: string) => string },
  kind: DocumentKind,
  number: string | null,
): string => number ?? words.draftOf(words.documentKinds[kind]);

export function Status({ of }: { readonly of: Pick<Listed, 'status' | 'dueDate'> }): ReactNode {
  const words = useWords().money;
  const overdue = of.status === 'issued' && of.dueDate < today();
  const tone: Tone =
    overdue || of.status === 'draft'
      ? 'waits'
      : of.status === 'paid'
        ? 'held'
        : of.status === 'void'
          ? 'plain'
          : 'accent';
  return <Badge tone={tone}>{overdue ? words.overdue : words.statuses[of.status]}</Badge>;
}
