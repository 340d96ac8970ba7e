import { type Fixed, moneyShape } from '@steward/contract';
import { money } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';

/** What entries do to an account, in the base currency; a credit balance is negative. */
export const effect = z.object({
  accountId: z.uuid(),
  code: z.string(),
  name: z.string(),
  /** Whether it is money: a bank, cash or card account. */
  cash: z.boolean(),
  before: moneyShape,
  after: moneyShape,
});
export type Effect = Fixed<z.output<typeof effect>>;

/** Of entries just posted in this transaction: what a person is shown before they approve. By code. */
export async function effects(tx: TenantTransaction, entryIds: readonly string[]): Promise<Effect[]> {
  const rows = await tx.query<{
    account_id: string;
    code: string;
    name: string;
    cash: boolean;
    base_currency: string;
    change: bigint;
    after: bigint;
  }>(sql`
    select a.account_id, a.code, a.name, a.activity = 'cash' as cash, b.base_currency, moved.change::bigint as change, (
        select sum(s.base_debit) - sum(s.base_credit) from accounting.balance s
        where s.tenant_id = a.tenant_id and s.account_id = a.account_id)::bigint as after
    from (
      select account_id, sum(base) as change from (
        select debit_account_id as account_id, base_amount as base from accounting.posting
        where tenant_id = ${tx.context.tenant}::uuid and entry_id = any (${entryIds}::uuid[])
        union all
        select credit_account_id, -base_amount from accounting.posting
        where tenant_id = ${tx.context.tenant}::uuid and entry_id = any (${entryIds}::uuid[])) sides
      group by account_id) moved
    join accounting.account a on a.tenant_id = ${tx.context.tenant}::uuid and a.account_id = moved.account_id
    join accounting.book b on b.tenant_id = a.tenant_id order by a.code`);
  return rows.map(({ account_id, code, name, cash, base_currency, change, after }) => ({
    accountId: account_id,
    code,
    name,
    cash,
    before: money(after - change, base_currency),
    after: money(after, base_currency),
  }));
}
