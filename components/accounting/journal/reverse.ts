import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { unmatchEntry } from '../bank/unmatch.ts';
import { booksFail, refuseAt } from '../errors.ts';
import { dayText } from '../money/schema.ts';
import { decides } from '../operations.ts';
import { parseRate } from '../rates/rate.ts';
import { effects } from './effects.ts';
import { entry, type EntryKind } from './entry.ts';
import { entryIn } from './get.ts';
import { post, type Posted } from './post.ts';
import { postedEntry } from './record.ts';

const voided = (what: string): string => `It belongs to ${what}: void that instead (service_void_document).`;

/** Why entries of the other kinds are not reversed: they are undone by what made them. */
const otherwise: Readonly<Record<Exclude<EntryKind, 'journal' | 'opening' | 'bank_line'>, string>> = {
  invoice: voided('an invoice'),
  credit_note: voided('a credit note'),
  bill: voided('a bill'),
  supplier_credit: voided('a supplier credit'),
  payment: 'It belongs to a payment: void that instead (service_void_payment).',
  exchange: 'It belongs to an allocation: undo that instead (service_unallocate_payment).',
  revaluation: 'It belongs to a revaluation, which is taken back on the next day by itself.',
  reversal: 'It reverses another entry: post a new entry instead.',
  closing: 'It closes a fiscal year, which cannot be undone.',
};

/**
 * Undoes an entry by its mirror on a day of its own; the entry stays. The day's month must be open, not the entry's. A bank line that the
 * entry was posted for is open again.
 * @throws Problem `not_found` (404), `already_reversed`, `not_reversible`, `reconciled`, `period_closed` (409)
 */
export const reverseEntry = operation(
  {
    ...decides,
    area: 'books',
    name: 'service_reverse_journal_entry',
    input: z.strictObject({
      id: z.uuid().meta({ description: 'From service_list_journal_entries.' }),
      date: dayText.meta({ description: 'Day of the reversing entry, in an open month: YYYY-MM-DD.' }),
      narration: z
        .string()
        .trim()
        .min(1)
        .max(2000)
        .meta({ description: 'Why it is reversed, as the journal shows it.' }),
    }),
    answer: postedEntry.extend({
      reversed: entry.answer.pick({ number: true, date: true, narration: true }),
      /** Bank lines that it no longer explains. */
      lines: z.array(z.uuid()),
    }),
    errors: {
      not_found: null,
      already_reversed: 'id',
      not_reversible: 'id',
      reconciled: 'id',
      period_closed: 'date',
    },
  },
  async (scope, { id, date, narration }) =>
    scope.write(async (tx) => {
      const { kind, number, date: posted, narration: said } = await entryIn(tx, id);
      const refusal: string | undefined = otherwise[kind as keyof typeof otherwise];
      if (refusal !== undefined) throw booksFail('not_reversible', `This entry cannot be reversed. ${refusal}`);
      const lines = kind === 'bank_line' ? await unmatchEntry(tx, id) : [];
      const back = await mirror(tx, id, { date, narration });
      const reversed = { number, date: posted, narration: said };
      return { entry: await entryIn(tx, back.id), reversed, lines, effects: await effects(tx, [back.id]) };
    }),
);

/**
 * The mirror of an entry at the rate of the original, in the transaction of the verb that undoes what the entry came from.
 * @throws Problem `not_found` (404), `already_reversed`, `period_closed` (409)
 */
export async function mirror(
  tx: TenantTransaction,
  id: string,
  { date, narration, sourceId }: { readonly date: string; readonly narration: string; readonly sourceId?: string },
): Promise<Posted> {
  const rows = await tx.query<{
    currency: string;
    rate: string;
    event_id: string;
    posting_date: string;
    debit: string;
    credit: string;
    amount: bigint;
    debit_memo: string | null;
    credit_memo: string | null;
  }>(sql`
    select e.currency, e.rate::text as rate, e.event_id, e.posting_date::text as posting_date, p.debit_account_id as debit, p.credit_account_id as credit, p.amount, p.debit_memo, p.credit_memo
    from accounting.entry e join accounting.posting p on p.tenant_id = e.tenant_id and p.entry_id = e.entry_id
    where e.tenant_id = ${tx.context.tenant}::uuid and e.entry_id = ${id}::uuid order by p.line`);
  const [first] = rows;
  if (first === undefined)
    throw fail('not_found', 'There is no such journal entry in this tenant: list the entries for their ids.');
  if (date < first.posting_date)
    throw refuseAt(
      '/date',
      'not_reversible',
      `The entry is dated ${first.posting_date}: reverse it on that day or a later one.`,
    );
  return post(tx, {
    date,
    currency: first.currency,
    rate: parseRate(first.rate),
    narration,
    kind: 'reversal',
    reverses: id,
    sourceId,
    causalId: first.event_id,
    lines: rows.flatMap((row) => [
      { accountId: row.credit, debit: row.amount, memo: row.credit_memo ?? undefined },
      { accountId: row.debit, credit: row.amount, memo: row.debit_memo ?? undefined },
    ]),
  });
}
