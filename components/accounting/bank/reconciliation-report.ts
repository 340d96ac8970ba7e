import { heavily } from '@steward/access';
import { money, type Money } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { invalidAt } from '../errors.ts';
import { readBooks } from '../permissions.ts';
import { type Asker, bankAccount, type BankAccount } from './account.ts';
import { agreedOn, type Reconciliation, reconciliationState } from './reconcile.ts';

/** An entry, or the part of one, that was on no statement by the day. */
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

/** The lists are read as they are gone through, a page at a time. */
export interface ReconciliationReport {
  readonly state: Reconciliation;
  readonly lines: AsyncIterable<StatementLine>;
  readonly outstanding: AsyncIterable<Outstanding>;
}

const pageSize = 500;

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
  const asker = { context, query: scope.read };
  const account = await bankAccount(asker, input.account);
  const { to } = input;
  const agreed = await agreedOn(asker, account, to);
  if (agreed === undefined && input.closing === undefined)
    throw invalidAt('/closing', `The account was not reconciled on ${to}: give the closing balance of the statement.`);
  const [start] = await scope.read<{ day: string | null }>(sql`
    select max(to_day)::text as day from accounting.reconciliation
    where tenant_id = ${tenant}::uuid and account_id = ${account.id}::uuid and to_day < ${to}::date
      and undone_at is null`);
  const after = start?.day ?? null;
  const state = agreed ?? (await reconciliationState(context, { ...input, closing: input.closing ?? '' }));
  const page = { tenant, account, to, after, read: scope.read };
  return { state, lines: eachLine(page), outstanding: eachOutstanding(page) };
}

interface Page {
  readonly tenant: string;
  readonly account: BankAccount;
  readonly to: string;
  readonly after: string | null;
  readonly read: Asker['query'];
}

async function* eachLine({ tenant, account, to, after, read }: Page): AsyncGenerator<StatementLine> {
  const { currency } = account;
  let [day, id] = [after ?? '0001-01-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
  for (;;) {
    const rows = await read<{
      line_id: string;
      day: string;
      description: string;
      amount: bigint;
      open: bigint;
      entries: string[];
    }>(sql`
      select l.line_id, l.day::text as day, l.description, l.amount, (l.amount - coalesce(sum(m.amount), 0))::bigint as open,
        coalesce(array_agg(e.number::text order by e.number) filter (where e.number is not null), '{}') as entries
      from (select * from accounting.bank_line where tenant_id = ${tenant}::uuid and account_id = ${account.id}::uuid
          and withdrawn_at is null and day <= ${to}::date and (day, line_id) > (${day}::date, ${id}::uuid) order by day, line_id limit ${pageSize}::int) l
      left join accounting.bank_match m on m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null
      left join accounting.entry e on e.tenant_id = m.tenant_id and e.entry_id = m.entry_id
      group by l.tenant_id, l.line_id, l.day, l.description, l.amount order by l.day, l.line_id`);
    for (const { line_id, day: booked, description, amount, open, entries } of rows)
      yield {
        lineId: line_id,
        day: booked,
        description,
        amount: money(amount, currency),
        unmatched: money(open, currency),
        entries,
      };
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    [day, id] = [last.day, last.line_id];
  }
}

/** Goes through the account's entries by day, each side by its own index, and yields those that statements do not cover completely. */
async function* eachOutstanding({ tenant, account, to, read }: Page): AsyncGenerator<Outstanding> {
  const { id, inBase, currency } = account;
  let [day, after] = ['0001-01-01', 0n];
  for (;;) {
    const rows = await read<{
      entry_id: string;
      number: bigint;
      date: string;
      narration: string;
      amount: bigint;
      outstanding: boolean;
    }>(sql`
      with next as (
        (select distinct posting_date, number, entry_id from accounting.posting
          where tenant_id = ${tenant}::uuid and debit_account_id = ${id}::uuid and posting_date <= ${to}::date
            and (posting_date, number) > (${day}::date, ${after.toString()}::bigint) order by posting_date, number limit ${pageSize}::int)
        union
        (select distinct posting_date, number, entry_id from accounting.posting
          where tenant_id = ${tenant}::uuid and credit_account_id = ${id}::uuid and posting_date <= ${to}::date
            and (posting_date, number) > (${day}::date, ${after.toString()}::bigint) order by posting_date, number limit ${pageSize}::int)
        order by posting_date, number limit ${pageSize}::int)
      select e.entry_id, e.number, next.posting_date::text as date, e.narration,
        (moved.amount - coalesce(seen.amount, 0))::bigint as amount,
        (${inBase}::bool or e.currency = ${currency}) and moved.amount <> coalesce(seen.amount, 0)
          and not (e.kind = 'opening' and seen.amount is null) as outstanding
      from next join accounting.entry e on e.tenant_id = ${tenant}::uuid and e.entry_id = next.entry_id
      cross join lateral (
        select sum(case when p.debit_account_id = ${id}::uuid then 1 else -1 end
          * case when ${inBase}::bool then p.base_amount else p.amount end) as amount
        from accounting.posting p where p.tenant_id = e.tenant_id and p.entry_id = e.entry_id
          and ${id}::uuid in (p.debit_account_id, p.credit_account_id)) moved
      cross join lateral (
        select sum(m.amount) as amount from accounting.bank_match m
        join accounting.bank_line l on l.tenant_id = m.tenant_id and l.line_id = m.line_id
        where m.tenant_id = e.tenant_id and m.entry_id = e.entry_id and l.account_id = ${id}::uuid and l.day <= ${to}::date
          and m.undone_at is null) seen
      order by next.posting_date, next.number`);
    for (const { entry_id, number, date, narration, amount, outstanding } of rows)
      if (outstanding)
        yield { entryId: entry_id, number: String(number), date, narration, amount: money(amount, currency) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    [day, after] = [last.date, last.number];
  }
}
