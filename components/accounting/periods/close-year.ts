import { fail } from '@steward/kernel';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';
import { type Effect, effects } from '../journal/effects.ts';
import type { Entry } from '../journal/entry.ts';
import { entryIn } from '../journal/get.ts';
import type { Line } from '../journal/pair.ts';
import { post } from '../journal/post.ts';
import { closeBooks } from '../permissions.ts';
import { addMonths, fiscalYearOf, lastDayOf } from './month.ts';

export interface ClosedYear {
  readonly firstMonth: string;
  readonly lastMonth: string;
  /** The entry that carries the profit to retained earnings; null where there was none. */
  readonly entry: Entry | null;
  readonly effects: readonly Effect[];
}

/**
 * Closes the fiscal year that `day` lies in: its months, and its income and expenses to retained earnings by one entry in
 * the base currency on its last day. It must be over by the database's clock, and the year before closed if it has postings.
 * @throws Problem `year_not_over`, `year_closed` (409)
 */
export async function closeYear(context: TenantContext, day: string): Promise<ClosedYear> {
  return context.require(closeBooks).write(async (tx) => {
    const [book] = await tx.query<{ start: number; base_currency: string; today: string }>(sql`
      select fiscal_year_start_month as start, base_currency, (clock_timestamp() at time zone 'UTC')::date::text as today
      from accounting.book`);
    if (book === undefined) throw fail('not_found', 'The tenant has no books.');
    const firstMonth = fiscalYearOf(day, book.start);
    const lastMonth = addMonths(firstMonth, 11);
    const lastDay = lastDayOf(lastMonth);
    if (book.today <= lastDay) throw booksFail('year_not_over', `The fiscal year ends on ${lastDay}.`);
    await closeMonths(tx, firstMonth, lastMonth);
    const lines = await carryForward(tx, lastMonth);
    const entry =
      lines.length === 0
        ? undefined
        : await post(tx, {
            date: lastDay,
            currency: book.base_currency,
            narration: `Year-end close ${firstMonth} to ${lastDay}`,
            kind: 'closing',
            lines,
          });
    tx.record({
      type: 'accounting.year.closed',
      eventVersion: '1.0.0',
      grammar: 'accounting',
      source: 'accounting',
      payload: { first_month: firstMonth, last_month: lastMonth, entries: entry === undefined ? [] : [entry.id] },
    });
    return {
      firstMonth,
      lastMonth,
      entry: entry === undefined ? null : await entryIn(tx, entry.id),
      effects: entry === undefined ? [] : await effects(tx, [entry.id]),
    };
  });
}

/** All months up to the year's end, in order: what lies before it open would change what is carried. */
async function closeMonths(tx: TenantTransaction, firstMonth: string, lastMonth: string): Promise<void> {
  const [state] = await tx.query<{ carried: boolean; earliest: string | null }>(sql`
    select coalesce(bool_or(year_closed) filter (where month between ${firstMonth}::date and ${lastMonth}::date), false) as carried,
      min(month)::text as earliest
    from accounting.period where not year_closed or month >= ${firstMonth}::date`);
  if (state?.carried === true)
    throw booksFail('year_closed', `The fiscal year from ${firstMonth} on is closed already.`);
  if (state?.earliest !== null && state?.earliest !== undefined && state.earliest < firstMonth)
    throw booksFail(
      'year_not_over',
      `There are postings before ${firstMonth} in a year that is not closed: close that year first.`,
    );
  for (let month = firstMonth; month <= lastMonth; month = addMonths(month, 1))
    await tx.query(sql`select accounting.set_period(${month}::date, 'closed', true)`);
}

/** What income and expense accounts hold, turned round, against retained earnings. Minor units of the base currency. */
async function carryForward(tx: TenantTransaction, lastMonth: string): Promise<Line[]> {
  const held = await tx.query<{ account_id: string; net: bigint }>(sql`
    select b.account_id, (sum(b.base_debit) - sum(b.base_credit))::bigint as net
    from accounting.balance b join accounting.account a on a.tenant_id = b.tenant_id and a.account_id = b.account_id
    where b.tenant_id = ${tx.context.tenant}::uuid and b.month <= ${lastMonth}::date and a.type in ('income', 'expense')
    group by b.account_id having sum(b.base_debit) <> sum(b.base_credit) order by b.account_id`);
  if (held.length === 0) return [];
  const [earnings] = await tx.query<{ account_id: string }>(sql`
    select account_id from accounting.account where tenant_id = ${tx.context.tenant}::uuid and control = 'retained_earnings'`);
  const profit = held.reduce((sum, { net }) => sum - net, 0n);
  const side = (accountId: string, net: bigint): Line =>
    net > 0n ? { accountId, debit: net } : { accountId, credit: -net };
  const lines = held.map(({ account_id, net }) => side(account_id, -net));
  return profit === 0n ? lines : [...lines, side(earnings?.account_id ?? '', -profit)];
}
