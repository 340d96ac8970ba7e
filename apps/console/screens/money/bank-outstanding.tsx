import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import type { Amount } from '../../data/money.ts';
import { useTenant } from '../../data/organization.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Day } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useWords } from '../../words/language.ts';
import { rowsOfCsv } from './csv.ts';

interface Outstanding {
  readonly id: string;
  readonly number: string;
  readonly day: string;
  readonly text: string;
  readonly amount: Amount;
}

const inFile = (file: string): readonly Outstanding[] =>
  rowsOfCsv(file).flatMap(([section, day = '', text = '', amount = '', currency = '', , number = '', id = '']) =>
    section === 'outstanding' && id !== '' ? [{ id, number, day, text, amount: { amount, currency } }] : [],
  );

/** Entries of an account that no line of its bank explains, each with what of it is open: with the lines to explain, they are the difference. */
export function OutstandingEntries({
  account,
  to,
  closing,
}: {
  readonly account: string;
  readonly to: string;
  readonly closing: string;
}): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const query = useQuery({
    queryKey: [tenant, 'outstanding entries', account, to],
    queryFn: async ({ signal }) =>
      inFile(
        await api<string>('accounting', '/api/reports/reconciliation.csv', {
          tenant,
          query: { account, to, closing },
          signal,
        }),
      ),
  });
  return (
    <Section title={words.bankWords.outstanding} plain>
      <Loaded query={query} lines={3}>
        {(entries) => (
          <Table
            label={words.bankWords.outstanding}
            rows={entries}
            rowKey={({ id }) => id}
            to={({ id }) => `/money/entries/${id}`}
            columns={[
              { head: words.narration, first: true, cell: ({ text }) => <Said>{text}</Said> },
              { head: words.number, cell: ({ number }) => number },
              { head: words.day, cell: ({ day }) => <Day on={day} /> },
              { head: words.amount, align: 'end', cell: ({ amount }) => <Money of={amount} /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
