import { heavily, fail, money, type Money } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { bankAccount } from './account.ts';
import { type Reconciliation, reconciliationState } from './reconcile.ts';

/** An entry, or the part of one, that the bank had not seen by the day. */
export interface Outstanding {
  readonly entryId: string;
  readonly number: string;
  readonly date: string;
  readonly narration: string;
  /** In the account's currency; what leaves the account is below nothing. */
  readonly amount: Money;
}

export interface StatementLine {
  readonly lineId: string;
  readonly day: string;
  readonly description: string;
  readonly amount: Money;
  /** What of it is not explained. */
  readonly unmatched: Money;
  /** Numbers of the entries that explain it. */
  readonly entries: readonly string[];
}

export interface ReconciliationReport {
  readonly state: Reconciliation;
  readonly lines: readonly StatementLine[];
  readonly outstanding: readonly Outstanding[];
}

/**
 * The reconciliation of an account on a day with every line and what was outstanding: of one that was completed on that day as
 * it was agreed, of another as it would be with the closing balance that is given.
 * @throws Problem `not_found` (404), `invalid_request` (400) without a closing balance where none was agreed, `reconciled` (409)
 */
export async function reconciliationReport(
  context: TenantContext,
  input: {
    readonly account: string;
    readonly to: string;
    readonly closing?: string | undefined;
    readonly opening?: string | undefined;
  },
): Promise<ReconciliationReport> {
  const { tenant } = context;
  const scope = context.require(heavily(readBooks));
  const account = await bankAccount({ context, query: scope.read }, input.account);
  const [agreed] = await scope.read<{ from_day: string; opening: bigint; closing: bigint; book: bigint }>(sql`
    select from_day::text as from_day, opening, closing, (
      select coalesce(sum(case when p.debit_account_id = r.account_id then 1 else -1 end
        * case when ${account.inBase}::bool then p.base_amount else p.amount end), 0)
      from accounting.posting p join accounting.entry e on e.tenant_id = p.tenant_id and e.entry_id = p.entry_id
      where p.tenant_id = r.tenant_id and r.account_id in (p.debit_account_id, p.credit_account_id)
        and p.posting_date <= r.to_day and (${account.inBase}::bool or e.currency = ${account.currency}))::bigint as book
    from accounting.reconciliation r
    where tenant_id = ${tenant}::uuid and account_id = ${account.id}::uuid and to_day = ${input.to}::date
      and undone_at is null`);
  if (agreed === undefined && input.closing === undefined)
    throw fail('invalid_request', `Nothing was agreed on ${input.to}: give the closing balance of the statement.`);
  const open =
    agreed === undefined ? await reconciliationState(context, { ...input, closing: input.closing ?? '' }) : undefined;
  const [start] = await scope.read<{ day: string | null }>(sql`
    select max(to_day)::text as day from accounting.reconciliation
    where tenant_id = ${tenant}::uuid and account_id = ${account.id}::uuid and to_day < ${input.to}::date
      and undone_at is null`);
  const lines = await scope.read<{
    line_id: string;
    day: string;
    description: string;
    amount: bigint;
    open: bigint;
    entries: string[];
  }>(sql`
    select l.line_id, l.day::text as day, l.description, l.amount, (l.amount - coalesce(sum(m.amount), 0))::bigint as open,
      coalesce(array_agg(e.number::text order by e.number) filter (where e.number is not null), '{}') as entries
    from accounting.bank_line l
    left join accounting.bank_match m on m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null
    left join accounting.entry e on e.tenant_id = m.tenant_id and e.entry_id = m.entry_id
    where l.tenant_id = ${tenant}::uuid and l.account_id = ${account.id}::uuid
      and l.day <= ${input.to}::date and l.day > ${start?.day ?? '0001-01-01'}::date
    group by l.tenant_id, l.line_id, l.day, l.description, l.amount order by l.day, l.line_id`);
  const unseen = await scope.read<{
    entry_id: string;
    number: bigint;
    date: string;
    narration: string;
    amount: bigint;
  }>(sql`
    with moved as (
      select p.entry_id, sum(case when p.debit_account_id = ${account.id}::uuid then 1 else -1 end
        * case when ${account.inBase}::bool then p.base_amount else p.amount end) as amount
      from accounting.posting p
      where p.tenant_id = ${tenant}::uuid and ${account.id}::uuid in (p.debit_account_id, p.credit_account_id)
        and p.posting_date <= ${input.to}::date group by p.entry_id),
    seen as (
      select m.entry_id, sum(m.amount) as amount from accounting.bank_match m
      join accounting.bank_line l on l.tenant_id = m.tenant_id and l.line_id = m.line_id
      where m.tenant_id = ${tenant}::uuid and l.account_id = ${account.id}::uuid and l.day <= ${input.to}::date and m.undone_at is null
      group by m.entry_id)
    select e.entry_id, e.number, e.posting_date::text as date, e.narration,
      (moved.amount - coalesce(seen.amount, 0))::bigint as amount
    from moved left join seen using (entry_id)
    join accounting.entry e on e.tenant_id = ${tenant}::uuid and e.entry_id = moved.entry_id
      and (${account.inBase}::bool or e.currency = ${account.currency})
    where moved.amount <> coalesce(seen.amount, 0) and not (e.kind = 'opening' and seen.amount is null)
    order by e.posting_date, e.number`);
  const { currency } = account;
  const outstanding = unseen.map(({ entry_id, number, date, narration, amount }) => ({
    entryId: entry_id,
    number: String(number),
    date,
    narration,
    amount: money(amount, currency),
  }));
  const sum = lines.reduce((total, { amount }) => total + amount, 0n);
  const pending = unseen.reduce((total, { amount }) => total + amount, 0n);
  const state: Reconciliation = open ?? {
    account: account.code,
    from: agreed?.from_day ?? null,
    to: input.to,
    opening: money(agreed?.opening ?? 0n, currency),
    closing: money(agreed?.closing ?? 0n, currency),
    difference: money((agreed?.closing ?? 0n) - (agreed?.opening ?? 0n) - sum, currency),
    unmatchedLines: lines.filter((line) => line.open !== 0n).length,
    bookBalance: money(agreed?.book ?? 0n, currency),
    outstanding: money(pending, currency),
    completed: true,
  };
  return {
    state,
    lines: lines.map(({ line_id, day, description, amount, open: rest, entries }) => ({
      lineId: line_id,
      day,
      description,
      amount: money(amount, currency),
      unmatched: money(rest, currency),
      entries,
    })),
    outstanding,
  };
}
