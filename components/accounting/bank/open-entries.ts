import { fail, money } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import type { SuggestedPart } from './suggest.ts';

/** Days between an entry and the bank's booking, and entries at most. */
const [around, most] = [120, 500];

/**
 * Entries that may explain a part of a line: those on its account that move money the same way and are not explained in full, each
 * with what is open of it. First those of what is open of the line, then the nearest; last what was reversed, and reversals.
 * @throws Problem `not_found` (404)
 */
export async function openEntries(
  context: TenantContext,
  { lineId }: { readonly lineId: string },
): Promise<SuggestedPart[]> {
  const scope = context.require(readBooks);
  const { tenant } = scope.context;
  const [lines, entries] = (await scope.readAll([
    sql`
    select a.currency from accounting.bank_line l join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
    where l.tenant_id = ${tenant}::uuid and l.line_id = ${lineId}::uuid and l.withdrawn_at is null`,
    sql`
    with line as (
      select l.*, a.currency, a.currency = k.base_currency as in_base, l.amount - coalesce((select sum(m.amount) from accounting.bank_match m
          where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0)::bigint as open
      from accounting.bank_line l join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
      join accounting.book k on k.tenant_id = l.tenant_id
      where l.tenant_id = ${tenant}::uuid and l.line_id = ${lineId}::uuid),
    moved as (
      select entry_id, sum(sides.amount)::bigint as amount from line cross join lateral (
        select entry_id, case when line.in_base then base_amount else amount end as amount from accounting.posting
        where tenant_id = line.tenant_id and debit_account_id = line.account_id
          and posting_date between line.day - ${around}::int and line.day + ${around}::int
        union all
        select entry_id, -case when line.in_base then base_amount else amount end from accounting.posting
        where tenant_id = line.tenant_id and credit_account_id = line.account_id
          and posting_date between line.day - ${around}::int and line.day + ${around}::int) sides
      group by entry_id),
    left_of as (
      select e.entry_id, e.number, e.posting_date, e.narration, abs(e.posting_date - line.day) as days, line.amount as whole,
        line.open as wanted, coalesce(r.entry_id, e.reverses) is not null as undone, moved.amount - coalesce((
          select sum(m.amount) from accounting.bank_match m join accounting.bank_line b on b.tenant_id = m.tenant_id and b.line_id = m.line_id
          where m.tenant_id = e.tenant_id and m.entry_id = e.entry_id and m.undone_at is null and b.account_id = line.account_id), 0)::bigint as open
      from line cross join moved
      join accounting.entry e on e.tenant_id = line.tenant_id and e.entry_id = moved.entry_id and (line.in_base or e.currency = line.currency)
      left join accounting.entry r on r.tenant_id = e.tenant_id and r.reverses = e.entry_id)
    select entry_id, number, posting_date::text as date, narration, open from left_of where sign(open) = sign(whole)
    order by undone, open = wanted desc, days, number limit ${most}::int`,
  ])) as unknown as [{ currency: string }[], EntryRow[]];
  const [line] = lines;
  if (line === undefined)
    throw fail('not_found', 'There is no such statement line in this tenant: list the bank lines for their ids.');
  return entries.map(({ entry_id, number, date, narration, open }) => ({
    entryId: entry_id,
    number: String(number),
    date,
    narration,
    amount: money(open, line.currency),
  }));
}

interface EntryRow {
  readonly entry_id: string;
  readonly number: bigint;
  readonly date: string;
  readonly narration: string;
  readonly open: bigint;
}
