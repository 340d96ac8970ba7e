import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Amount } from '../../data/money.ts';
import { useMay } from '../../data/organization.ts';
import { useGraph } from '../../data/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Day, Moment } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Go, useGo, type To } from '../../shell/go.tsx';
import { useRecord } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import { Cause } from './cause.tsx';
import { monthOf } from './days.ts';
import { kindText } from './entries.tsx';
import { Files, type File } from './files.tsx';
import { bookkeepers } from './may.ts';
import { ReportTable } from './report-table.tsx';
import { MoneyTabs } from './tabs.tsx';
import { TakeBack } from './take-back.tsx';

interface Entry {
  readonly id: string;
  readonly number: string;
  readonly date: string;
  readonly kind: string;
  readonly narration: string;
  readonly currency: string;
  readonly rate: string;
  readonly postedAt: string;
  readonly reverses: string | null;
  readonly reversedBy: string | null;
  readonly sourceId: string | null;
  readonly lines: readonly {
    readonly accountId: string;
    readonly code: string;
    readonly name: string;
    readonly memo: string | null;
    readonly debit: Amount | null;
    readonly credit: Amount | null;
    readonly base: Amount;
  }[];
  readonly attachments: readonly File[];
}

/** Where that is shown of which an entry was posted. */
function sourceOf(kind: string, id: string | null): To | undefined {
  if (id === null) return undefined;
  if (['invoice', 'credit_note', 'bill', 'supplier_credit'].includes(kind)) return `/money/documents/${id}`;
  return kind === 'payment' ? `/money/payments/${id}` : undefined;
}

export default function EntryScreen(): ReactNode {
  const words = useWords().money;
  const { entry: id = '' } = useParams({ strict: false }) as { entry?: string };
  const query = useGraph<{ readonly journalEntry: Entry }>('money-entry', { id });
  const may = useMay(...bookkeepers);
  const go = useGo();
  const [reversing, setReversing] = useState(false);
  const entry = query.data?.journalEntry;
  useRecord(entry === undefined ? undefined : { title: words.entry(entry.number), id: entry.id });
  return (
    <Page
      title={entry === undefined ? words.entryHead : words.entry(entry.number)}
      {...(entry === undefined ? {} : { lead: <Said>{entry.narration}</Said> })}
      actions={
        may && entry !== undefined && entry.reversedBy === null && ['journal', 'bank_line'].includes(entry.kind) ? (
          <Button onClick={() => setReversing(true)}>{words.reverse}</Button>
        ) : null
      }
      bar={<MoneyTabs />}
    >
      <Loaded query={query} lines={8}>
        {({ journalEntry }) => <Shown entry={journalEntry} />}
      </Loaded>
      {reversing && entry !== undefined ? (
        <TakeBack<{ readonly reverseJournalEntry: { readonly id: string } }>
          id={entry.id}
          title={words.reverse}
          by="money-entry-reverse"
          narration={words.reversalOf(entry.number)}
          onDone={({ reverseJournalEntry }) => go(`/money/entries/${reverseJournalEntry.id}`)}
          onClose={() => setReversing(false)}
        >
          <p>{words.reverseLead}</p>
          {entry.kind === 'bank_line' ? <p>{words.reverseOpens}</p> : null}
        </TakeBack>
      ) : null}
    </Page>
  );
}

function Shown({ entry }: { readonly entry: Entry }): ReactNode {
  const words = useWords().money;
  const source = sourceOf(entry.kind, entry.sourceId);
  const month = monthOf(entry.date);
  return (
    <>
      <ReportTable
        caption={words.entry(entry.number)}
        first={words.account}
        columns={[words.debit, words.credit]}
        rows={entry.lines.map(({ accountId, code, name, memo, debit, credit }, at) => ({
          key: `${accountId} ${at}`,
          kind: 'line',
          code,
          name:
            memo === null ? (
              name
            ) : (
              <>
                <Said>{name}</Said> · <Said>{memo}</Said>
              </>
            ),
          said: name,
          figures: [debit, credit],
          to: () => `/money/ledger/${accountId}?from=${month.from}&to=${month.to}`,
        }))}
      />
      <Cause resource={entry.id} />
      <Section title={words.details}>
        <Facts
          of={[
            [words.day, <Day key="day" on={entry.date} />],
            [words.kind, kindText(words.entryKinds, entry.kind)],
            [
              words.source,
              source === undefined ? undefined : (
                <Go key="source" to={source}>
                  {kindText(words.entryKinds, entry.kind)}
                </Go>
              ),
            ],
            [words.postedAt, <Moment key="posted" at={entry.postedAt} />],
            [words.currency, entry.currency],
            [words.rate, /^1(?:\.0+)?$/.test(entry.rate) ? undefined : entry.rate],
            [
              words.reverses,
              entry.reverses === null ? undefined : (
                <Go key="reverses" to={`/money/entries/${entry.reverses}`}>
                  {words.entryHead}
                </Go>
              ),
            ],
            [
              words.reversedBy,
              entry.reversedBy === null ? undefined : (
                <Go key="reversed" to={`/money/entries/${entry.reversedBy}`}>
                  {words.entryHead}
                </Go>
              ),
            ],
          ]}
        />
      </Section>
      <Files kind="entry" id={entry.id} files={entry.attachments} />
    </>
  );
}
