import { asItWas, heavily, operation } from '@steward/access';
import { moneyShape } from '@steward/contract';
import { fail, money, newId, type Money } from '@steward/kernel';
import { sql, sqlState, type Row, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { effect, effects } from '../journal/effects.ts';
import { entry } from '../journal/entry.ts';
import { entryIn } from '../journal/get.ts';
import { announce, type Posted } from '../journal/post.ts';
import { dayText } from '../money/schema.ts';
import { closes } from '../operations.ts';
import { closeBooks } from '../permissions.ts';
import { unity } from '../rates/rate.ts';
import { held, heldIn } from './held.ts';
import { addMonths, fiscalYearOf, lastDayOf } from './month.ts';

/**
 * Closes the fiscal year that `day` lies in: its months, and its income and expenses to retained earnings by one entry in
 * the base currency on its last day. It must be over by the database's clock, and the year before closed if it has postings.
 * Closed already is success.
 * @throws Problem `year_not_over` (409); `earlier_year_open` (409) that names the year; `year_closed` (409) where a later year is closed
 */
export const closeYear = operation(
  {
    ...closes,
    requires: heavily(closeBooks),
    area: 'books',
    name: 'service_close_fiscal_year',
    input: z.strictObject({ day: dayText.meta({ description: 'Any day of the fiscal year, YYYY-MM-DD.' }) }),
    answer: held.extend({
      firstMonth: z.string(),
      lastMonth: z.string(),
      /** Carries the profit to retained earnings; null where there was none. */
      entry: entry.answer.nullable(),
      result: moneyShape.meta({ description: 'Income less expenses of the year: a loss is negative.' }),
      effects: z.array(effect),
    }),
    errors: {
      not_found: null,
      year_not_over: 'day',
      earlier_year_open: 'day',
      year_closed: 'day',
      amount_too_large: null,
    },
  },
  async (scope, { day }) =>
    scope.write(async (tx) => {
      const [book] = await tx.query<{ start: number; base_currency: string; open: string | null }>(sql`
      select fiscal_year_start_month as start, base_currency,
        (select min(month)::text from accounting.period p where p.tenant_id = b.tenant_id and not p.year_closed) as open
      from accounting.book b`);
      if (book === undefined) throw fail('not_found', 'The tenant has no books.');
      const firstMonth = fiscalYearOf(day, book.start);
      const lastMonth = addMonths(firstMonth, 11);
      const lastDay = lastDayOf(lastMonth);
      const [closed] = await tx.query<{ entry_id: string | null }>(sql`
        select (select entry_id from accounting.entry e where e.tenant_id = p.tenant_id and e.kind = 'closing'
          and e.posting_date = ${lastDay}::date) as entry_id
        from accounting.period p where p.tenant_id = ${tx.context.tenant}::uuid and p.month = ${firstMonth}::date and p.year_closed`);
      if (closed !== undefined) {
        const entry = closed.entry_id === null ? null : await entryIn(tx, closed.entry_id);
        const result = await resultOf(tx, closed.entry_id, book.base_currency);
        return asItWas({
          firstMonth,
          lastMonth,
          entry,
          result,
          ...(await heldIn(tx, firstMonth, lastDay)),
          effects: [],
        });
      }
      const found = await heldIn(tx, firstMonth, lastDay);
      const firstOpen = book.open === null ? firstMonth : fiscalYearOf(book.open, book.start);
      const entryId = await carryForward(tx, { firstMonth, lastDay, firstOpen, currency: book.base_currency });
      tx.record(
        event('accounting.year.closed', {
          first_month: firstMonth,
          last_month: lastMonth,
          entries: entryId === undefined ? [] : [entryId],
        }),
      );
      return {
        firstMonth,
        lastMonth,
        entry: entryId === undefined ? null : await entryIn(tx, entryId),
        result: await resultOf(tx, entryId ?? null, book.base_currency),
        ...found,
        effects: entryId === undefined ? [] : await effects(tx, [entryId]),
      };
    }),
);

/** What the closing entry carried to retained earnings. */
async function resultOf(tx: TenantTransaction, entryId: string | null, currency: string): Promise<Money> {
  const [row] = await tx.query<{ result: bigint }>(sql`
    select coalesce(sum(case when a.account_id = p.credit_account_id then p.base_amount else -p.base_amount end), 0)::bigint as result
    from accounting.posting p join accounting.account a on a.tenant_id = p.tenant_id and a.control = 'retained_earnings'
      and a.account_id in (p.debit_account_id, p.credit_account_id)
    where p.tenant_id = ${tx.context.tenant}::uuid and p.entry_id = ${entryId}::uuid`);
  return money(row?.result ?? 0n, currency);
}

interface Year {
  readonly firstMonth: string;
  readonly lastDay: string;
  /** The first month of the first year that has months and is not closed. */
  readonly firstOpen: string;
}

/** Answers the entry; none where no income and no expense account holds anything. */
async function carryForward(
  tx: TenantTransaction,
  year: Year & { readonly currency: string },
): Promise<string | undefined> {
  const { firstMonth, lastDay, currency } = year;
  const [id, eventId] = [newId(), newId()];
  const narration = `Year-end close ${firstMonth} to ${lastDay}`;
  await tx.mark();
  try {
    const [row] = await tx.query<{ number: bigint | null }>(sql`
      select accounting.close_year(${firstMonth}::date, ${id}::uuid, ${eventId}::uuid, ${narration}) as number`);
    const number = row?.number ?? null;
    if (number === null) return undefined;
    const postings = await tx.query<Row & Posted['postings'][number]>(sql`
      select debit_account_id as debit, credit_account_id as credit, amount, base_amount as "baseAmount", debit_memo as "debitMemo",
        credit_memo as "creditMemo"
      from accounting.posting where tenant_id = ${tx.context.tenant}::uuid and entry_id = ${id}::uuid order by line`);
    announce(
      tx,
      { date: lastDay, kind: 'closing', currency, narration },
      { id, eventId, number, rate: unity, postings },
    );
    return id;
  } catch (cause) {
    throw refusal(cause, year) ?? cause;
  }
}

/** What the database refused, in the caller's words. */
function refusal(cause: unknown, { firstMonth, lastDay, firstOpen }: Year): Error | undefined {
  switch (sqlState(cause)) {
    case 'AC003':
      return booksFail('year_closed', `The fiscal year from ${firstMonth}, or a later one, is already closed.`, {
        cause,
      });
    case '22023':
      return booksFail(
        'year_not_over',
        `The fiscal year that begins on ${firstMonth} is before 1900 or not over yet.`,
        {
          cause,
        },
      );
    case 'AC005':
      return booksFail('year_not_over', `The fiscal year ends only on ${lastDay}: close it afterwards.`, { cause });
    case 'AC006':
      return booksFail(
        'earlier_year_open',
        `The fiscal year from ${firstOpen.slice(0, 7)} to ${addMonths(firstOpen, 11).slice(0, 7)} is not closed: close it first.`,
        { cause },
      );
    case '22003':
      return booksFail('amount_too_large', 'A balance would exceed the largest amount that an account can hold.', {
        cause,
      });
    default:
      return undefined;
  }
}
