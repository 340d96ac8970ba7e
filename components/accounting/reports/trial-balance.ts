import { money, type Money } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { AccountType } from '../books/template.ts';
import { readBooks } from '../permissions.ts';
import { movements } from './movements.ts';

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
  }>(movements({ to: asOf, closing: true }));
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
