import { heavily, operation } from '@steward/access';
import { moneyShape } from '@steward/contract';
import { money, type Money } from '@steward/kernel';
import { z } from 'zod';
import { asOf, compareAsOf } from '../money/schema.ts';
import { reads } from '../operations.ts';
import { readBooks } from '../permissions.ts';
import { basis, type Net, netsOf } from './cash-basis.ts';

const row = z.object({
  accountId: z.uuid(),
  code: z.string(),
  name: z.string(),
  type: z.string(),
  debit: moneyShape.nullable(),
  credit: moneyShape.nullable(),
  /** The same of the day compared with; null where it held nothing, or none is given. */
  comparedDebit: moneyShape.nullable(),
  comparedCredit: moneyShape.nullable(),
});

const totals = z.object({ asOf: z.string(), debit: moneyShape, credit: moneyShape });
const balance = totals.extend({ currency: z.string(), rows: z.array(row), compared: totals.nullable() });

/** Net of each account in the base currency at the end of a day, from the sums kept by month; by code. Totals are equal. */
export const trialBalance = operation(
  {
    ...reads,
    requires: heavily(readBooks),
    area: 'reports',
    name: 'service_get_trial_balance',
    input: z.strictObject({ asOf, compareAsOf, basis }),
    answer: balance,
  },
  async (scope, { asOf, compareAsOf: compare, basis: wanted }) => {
    const days = [asOf, ...(compare === undefined ? [] : [compare])].map((to) => ({ to }));
    const [now = [], then = []] = await netsOf(scope, days, { basis: wanted, closing: true });
    const currency = now[0]?.base_currency ?? 'USD';
    const before = new Map(then.map(({ account_id, net }) => [account_id, net]));
    const debit = (net: bigint): Money | null => (net > 0n ? money(net, currency) : null);
    const credit = (net: bigint): Money | null => (net < 0n ? money(-net, currency) : null);
    const sums = (rows: readonly Net[]): { debit: Money; credit: Money } => {
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
      ...sums(now),
      compared: compare === undefined ? null : { asOf: compare, ...sums(then) },
    };
  },
);
