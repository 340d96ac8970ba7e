import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';

/** Minor units of the base currency; what reverses an entry counts with it. */
export interface EntriesMoved {
  /** Net debit of accounts of income and expenses, by entry. */
  readonly expensed: ReadonlyMap<string, bigint>;
  /** Net debit of the account that was asked for, by all of them. */
  readonly account: bigint;
}

/** What entries of these ids did, for whoever compares the books with what they were made of. */
export async function movedByEntries(
  context: TenantContext,
  entryIds: readonly string[],
  accountId: string | null = null,
): Promise<EntriesMoved> {
  if (entryIds.length === 0) return { expensed: new Map(), account: 0n };
  const rows = await context.require(readBooks).read(sql`
    with asked as (
      select i.id, i.id as entry_id from unnest(${entryIds}::uuid[]) i (id)
      union all
      select i.id, e.entry_id from unnest(${entryIds}::uuid[]) i (id)
      join accounting.entry e on e.tenant_id = ${context.tenant}::uuid and e.reverses = i.id)
    select q.id, sum(case when a.type in ('income', 'expense') then s.base else 0 end)::text as expensed,
      sum(case when a.account_id = ${accountId}::uuid then s.base else 0 end)::text as account
    from asked q
    join accounting.posting p on p.tenant_id = ${context.tenant}::uuid and p.entry_id = q.entry_id
    cross join lateral (values (p.debit_account_id, p.base_amount), (p.credit_account_id, -p.base_amount)) s (account_id, base)
    join accounting.account a on a.tenant_id = p.tenant_id and a.account_id = s.account_id
    group by q.id`);
  return {
    expensed: new Map(rows.map((row) => [String(row['id']), BigInt(String(row['expensed']))])),
    account: rows.reduce((sum, row) => sum + BigInt(String(row['account'])), 0n),
  };
}

/** Net debit of an account, in minor units of the base currency. */
export async function balanceOf(context: TenantContext, accountId: string): Promise<bigint> {
  const [row] = await context.require(readBooks).read(sql`
    select coalesce(sum(base_debit) - sum(base_credit), 0)::text as net from accounting.balance
    where tenant_id = ${context.tenant}::uuid and account_id = ${accountId}::uuid`);
  return BigInt(String(row?.['net'] ?? 0));
}
