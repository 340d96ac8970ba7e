import { money, type Money } from '@steward/kernel';
import { sql, type Statement, type TenantContext } from '@steward/sql';
import type { AccountType } from '../books/template.ts';
import { lastDayOf, monthOf } from '../periods/month.ts';
import { readBooks } from '../permissions.ts';

export interface TrialBalanceRow {
  readonly accountId: string;
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  readonly debit: Money | null;
  readonly credit: Money | null;
}

export interface TrialBalance {
  readonly asOf: string;
  readonly currency: string;
  readonly rows: readonly TrialBalanceRow[];
  readonly debit: Money;
  readonly credit: Money;
}

/** Net of each account in the base currency at the end of a day, from the sums kept by month; by code. Totals are equal. */
export async function trialBalance(context: TenantContext, asOf: string): Promise<TrialBalance> {
  const rows = await context.require(readBooks).read<{
    account_id: string;
    code: string;
    name: string;
    type: AccountType;
    base_currency: string;
    net: bigint | null;
  }>(netByAccount(asOf));
  const currency = rows[0]?.base_currency ?? 'USD';
  const held = rows.flatMap(({ net, ...row }) => (net === null || net === 0n ? [] : [{ ...row, net }]));
  const sum = (of: (net: bigint) => bigint): bigint => held.reduce((total, { net }) => total + of(net), 0n);
  return {
    asOf,
    currency,
    rows: held.map(({ account_id, code, name, type, net }) => ({
      accountId: account_id,
      code,
      name,
      type,
      debit: net > 0n ? money(net, currency) : null,
      credit: net < 0n ? money(-net, currency) : null,
    })),
    debit: money(
      sum((net) => (net > 0n ? net : 0n)),
      currency,
    ),
    credit: money(
      sum((net) => (net < 0n ? -net : 0n)),
      currency,
    ),
  };
}

/** Debits less credits of every account up to and with a day, in minor units of the base currency. */
export function netByAccount(asOf: string): Statement {
  const month = monthOf(asOf);
  // A whole month is in its sums; of a month that is cut, the postings up to the day are read.
  const summed =
    asOf === lastDayOf(month) ? asOf : new Date(Date.parse(`${month}T00:00:00Z`) - 1).toISOString().slice(0, 10);
  return sql`
    select a.account_id, a.code, a.name, a.type, b.base_currency,
      (coalesce((select sum(base_debit) - sum(base_credit) from accounting.balance s
        where s.tenant_id = a.tenant_id and s.account_id = a.account_id and s.month <= ${summed}::date), 0)
      + coalesce((select sum(base_amount) from accounting.posting p where p.tenant_id = a.tenant_id
        and p.debit_account_id = a.account_id and p.posting_date > ${summed}::date and p.posting_date <= ${asOf}::date), 0)
      - coalesce((select sum(base_amount) from accounting.posting p where p.tenant_id = a.tenant_id
        and p.credit_account_id = a.account_id and p.posting_date > ${summed}::date and p.posting_date <= ${asOf}::date), 0))::bigint as net
    from accounting.book b join accounting.account a on a.tenant_id = b.tenant_id order by a.code`;
}
