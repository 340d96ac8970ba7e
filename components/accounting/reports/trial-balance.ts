import { money, type Money } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { AccountType } from '../books/template.ts';
import { type Basis, type Net, netsOf } from './cash-basis.ts';

export interface TrialBalanceRow {
  readonly accountId: string;
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  readonly debit: Money | null;
  readonly credit: Money | null;
  /** The same of the day compared with; null where it held nothing, or none is given. */
  readonly comparedDebit: Money | null;
  readonly comparedCredit: Money | null;
}

export interface TrialBalance {
  readonly asOf: string;
  readonly currency: string;
  readonly rows: readonly TrialBalanceRow[];
  readonly debit: Money;
  readonly credit: Money;
  readonly compared: { readonly asOf: string; readonly debit: Money; readonly credit: Money } | null;
}

/** Net of each account in the base currency at the end of a day, from the sums kept by month; by code. Totals are equal. */
export async function trialBalance(
  context: TenantContext,
  asOf: string,
  { compare, basis = 'accrual' }: { readonly compare?: string | undefined; readonly basis?: Basis | undefined } = {},
): Promise<TrialBalance> {
  const days = [asOf, ...(compare === undefined ? [] : [compare])].map((to) => ({ to }));
  const [now = [], then = []] = await netsOf(context, days, { basis, closing: true });
  const currency = now[0]?.base_currency ?? 'USD';
  const before = new Map(then.map(({ account_id, net }) => [account_id, net]));
  const debit = (net: bigint): Money | null => (net > 0n ? money(net, currency) : null);
  const credit = (net: bigint): Money | null => (net < 0n ? money(-net, currency) : null);
  const totals = (rows: readonly Net[]): { debit: Money; credit: Money } => {
    const sum = (sign: bigint): bigint =>
      rows.reduce((total, { net }) => (sign * net > 0n ? total + sign * net : total), 0n);
    return { debit: money(sum(1n), currency), credit: money(sum(-1n), currency) };
  };
  return {
    asOf,
    currency,
    rows: now
      .filter(({ net, account_id }) => net !== 0n || (before.get(account_id) ?? 0n) !== 0n)
      .map(({ account_id, code, name, type, net }) => ({
        accountId: account_id,
        code,
        name,
        type,
        debit: debit(net),
        credit: credit(net),
        comparedDebit: debit(before.get(account_id) ?? 0n),
        comparedCredit: credit(before.get(account_id) ?? 0n),
      })),
    ...totals(now),
    compared: compare === undefined ? null : { asOf: compare, ...totals(then) },
  };
}
