import { money, type Money } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import type { Activity } from '../books/template.ts';
import { readBooks } from '../permissions.ts';
import { movements } from './movements.ts';
import { inOrder, type Span } from './statements.ts';

export interface CashFlowLine {
  readonly accountId: string;
  readonly code: string;
  readonly name: string;
  /** What came in is positive. */
  readonly amount: Money;
}

export interface CashFlow {
  readonly opening: Money;
  readonly sections: readonly {
    readonly activity: string;
    readonly lines: readonly CashFlowLine[];
    readonly total: Money;
  }[];
  readonly closing: Money;
}

/**
 * Where money came from and went to over a period, by the direct method: each posting between a cash account and another
 * one names that other account. Opening and all sections together make the closing balance.
 */
export async function cashFlow(context: TenantContext, { from, to }: Span): Promise<CashFlow> {
  inOrder({ from, to });
  const [held, moved] = (await context.require(readBooks).readAll([
    movements({ to: dayBefore(from), closing: true }),
    sql`
      select o.account_id, o.code, o.name, o.activity,
        sum(case when c.account_id = p.debit_account_id then p.base_amount else -p.base_amount end)::bigint as amount
      from accounting.posting p
      join accounting.account c on c.tenant_id = p.tenant_id and c.activity = 'cash' and c.account_id in (p.debit_account_id, p.credit_account_id)
      join accounting.account o on o.tenant_id = p.tenant_id and o.activity <> 'cash' and o.account_id in (p.debit_account_id, p.credit_account_id)
      where p.tenant_id = ${context.tenant}::uuid and p.posting_date >= ${from}::date and p.posting_date <= ${to}::date
      group by o.account_id, o.code, o.name, o.activity order by o.code`,
  ])) as unknown as [
    { base_currency: string; activity: Activity; net: bigint }[],
    { account_id: string; code: string; name: string; activity: Activity; amount: bigint }[],
  ];
  const currency = held[0]?.base_currency ?? 'USD';
  const opening = held.reduce((sum, { activity, net }) => (activity === 'cash' ? sum + net : sum), 0n);
  const closing = moved.reduce((sum, { amount }) => sum + amount, opening);
  const section = (activity: Activity) => {
    const rows = moved.filter((row) => row.activity === activity);
    return {
      activity,
      lines: rows.map(({ account_id, code, name, amount }) => ({
        accountId: account_id,
        code,
        name,
        amount: money(amount, currency),
      })),
      total: money(
        rows.reduce((sum, { amount }) => sum + amount, 0n),
        currency,
      ),
    };
  };
  return {
    opening: money(opening, currency),
    sections: (['operating', 'investing', 'financing'] as const).map(section),
    closing: money(closing, currency),
  };
}

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
