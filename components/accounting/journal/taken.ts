import type { RecordedEvent } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import type { Outflow, Taken } from '@steward/tools';

/** What each entry is recorded as, where it is posted. */
export const posted = 'accounting.entry.posted';

/** `money`: bank, cash, card and what is on its way to them. `value`: what else can pay, such as a loan or drawings. */
type Kind = 'money' | 'receivable' | 'payable' | 'value' | 'result';

interface Moved {
  readonly account: string;
  readonly kind: Kind;
  /** Null for what the postings were worth in the base currency. */
  readonly currency: string;
  readonly change: bigint;
}

/**
 * What the entries that a transaction recorded took out, taken together, whichever verbs posted them; undefined where nothing
 * left and no debt was brought down. Every entry is recorded where it is posted, so none escapes.
 */
export async function taken(tx: TenantTransaction, events: readonly RecordedEvent[]): Promise<Taken | undefined> {
  const entries = events
    .filter(({ type }) => type === posted)
    .map(({ payload }) => String((payload as { entry_id: string }).entry_id));
  if (entries.length === 0) return undefined;
  const moved = await movedBy(tx, entries);
  const currencies = [...new Set(moved.map(({ currency }) => currency))];
  const flows = currencies
    .map((currency) =>
      outflow(
        currency,
        moved.filter((one) => one.currency === currency),
      ),
    )
    .filter(({ out, owed }) => out > 0n || owed > 0n);
  return flows.length === 0 ? undefined : { flows, to: destination(moved) };
}

/**
 * Net by account. What is paid and what pays it are read as one where an entry leaves it open, so that money which comes in
 * at the same time hides nothing that goes out; a transfer from bank to bank takes nothing.
 */
function outflow(currency: string, moved: readonly Moved[]): Outflow {
  const sum = (fits: (one: Moved) => boolean, sign: 1n | -1n): bigint =>
    moved.reduce((total, one) => (fits(one) && one.change * sign > 0n ? total + one.change * sign : total), 0n);
  const of = (kind: Kind, sign: 1n | -1n): bigint => sum((one) => one.kind === kind, sign);
  const [moneyIn, moneyOut] = [of('money', 1n), of('money', -1n)];
  const paid = least(
    moneyOut,
    sum(({ kind }) => kind !== 'money', 1n),
  );
  const forgiven = most(of('receivable', -1n) - moneyIn, 0n);
  const settled = most(of('payable', 1n) - moneyOut, 0n);
  const otherwise = least(forgiven, of('value', 1n)) + least(settled, of('value', -1n));
  return { currency, out: paid + otherwise, owed: forgiven + settled - otherwise };
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Control accounts are everybody's: they do not say who has it. */
function destination(moved: readonly Moved[]): string | undefined {
  const ends = moved.filter(({ kind, change }) => kind !== 'money' && change > 0n);
  if (ends.length === 0 || ends.some(({ kind }) => kind === 'receivable' || kind === 'payable')) return undefined;
  return [...new Set(ends.map(({ account }) => account))].toSorted().join(' ');
}

/** Changes by account, in the currency of the postings and in the base currency; once where the two are one. */
async function movedBy(tx: TenantTransaction, entries: readonly string[]): Promise<Moved[]> {
  const rows = await tx.query<{ account: string; kind: Kind; currency: string; change: bigint }>(sql`
    with side as (
      select p.debit_account_id as account_id, e.currency, p.amount, p.base_amount
      from accounting.entry e join accounting.posting p on p.tenant_id = e.tenant_id and p.entry_id = e.entry_id
      where e.tenant_id = ${tx.context.tenant}::uuid and e.entry_id = any (${entries}::uuid[])
      union all
      select p.credit_account_id, e.currency, -p.amount, -p.base_amount
      from accounting.entry e join accounting.posting p on p.tenant_id = e.tenant_id and p.entry_id = e.entry_id
      where e.tenant_id = ${tx.context.tenant}::uuid and e.entry_id = any (${entries}::uuid[])
    ), worth as (
      select account_id, currency, false as base, sum(amount) as change from side group by account_id, currency
      union all
      select s.account_id, b.base_currency, true, sum(s.base_amount)
      from side s join accounting.book b on b.tenant_id = ${tx.context.tenant}::uuid group by s.account_id, b.base_currency
    )
    select a.account_id as account, case
        when a.activity = 'cash' or a.control in ('bank', 'undeposited', 'clearing') then 'money'
        when a.control in ('receivable', 'payable') then a.control
        when a.type in ('asset', 'liability', 'equity') and coalesce(a.control not in ('tax_payable', 'tax_recoverable'), true)
          then 'value'
        else 'result' end as kind, w.currency, w.change::bigint as change
    from worth w join accounting.account a on a.tenant_id = ${tx.context.tenant}::uuid and a.account_id = w.account_id
    where w.base or w.currency <> (select base_currency from accounting.book where tenant_id = ${tx.context.tenant}::uuid)`);
  return rows.filter(({ change }) => change !== 0n);
}
