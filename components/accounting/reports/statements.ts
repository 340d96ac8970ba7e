import { heavily, operation } from '@steward/access';
import { type Fixed, moneyShape } from '@steward/contract';
import { money, type Money } from '@steward/kernel';
import { z } from 'zod';
import type { AccountType } from '../books/template.ts';
import { invalidAt } from '../errors.ts';
import { asOf, compareAsOf, dayText, firstDay, lastDay } from '../money/schema.ts';
import { reads } from '../operations.ts';
import { inOrder, type Span } from '../periods/span.ts';
import { readBooks } from '../permissions.ts';
import { basis, type Net, netsOf } from './cash-basis.ts';

const line = z.object({
  /** Empty for a line that is no account, as its code is. */
  accountId: z.string(),
  code: z.string(),
  name: z.string(),
  amount: moneyShape,
  /** The same of the period or day compared with. */
  compared: moneyShape.nullable(),
});

const section = z.object({
  title: z.string(),
  lines: z.array(line),
  total: moneyShape,
  comparedTotal: moneyShape.nullable(),
});
export type StatementSection = Fixed<z.output<typeof section>>;

export const financialStatement = z.object({
  currency: z.string(),
  sections: z.array(section),
  /** Profit (a loss is negative); of a balance sheet: assets less liabilities and equity, which is zero. */
  result: moneyShape,
  comparedResult: moneyShape.nullable(),
});
export type Statement = Fixed<z.output<typeof financialStatement>>;

/** A period, and another one to compare it with. */
export const period = z.strictObject({
  from: firstDay,
  to: lastDay,
  compareFrom: dayText.optional().meta({ description: 'First day of a period to show beside; needs compare_to.' }),
  compareTo: dayText.optional().meta({ description: 'Last day of that period.' }),
});

/**
 * The period, and the one compared with where there is one.
 * @throws Problem `invalid_request` (400) where one ends before it begins, or an end of it is missing
 */
export function spansOf({ from, to, compareFrom, compareTo }: Fixed<z.output<typeof period>>): Span[] {
  if ((compareFrom === undefined) !== (compareTo === undefined))
    throw invalidAt(
      compareTo === undefined ? '/compareTo' : '/compareFrom',
      'Give both the first and the last day of the period to compare with, or neither.',
    );
  const compared = compareFrom === undefined || compareTo === undefined ? [] : [{ from: compareFrom, to: compareTo }];
  const spans = [{ from, to }, ...compared];
  spans.forEach((span, index) => {
    inOrder(span, index === 0 ? '/to' : '/compareTo');
  });
  return spans;
}

const reports = { ...reads, requires: heavily(readBooks), area: 'reports' } as const;

/** Income and expenses of a period in the base currency; the year-end close does not hide them. */
export const profitAndLoss = operation(
  {
    ...reports,
    name: 'service_get_profit_and_loss',
    input: period.extend({ basis }),
    answer: financialStatement.extend({ from: z.string(), to: z.string() }),
  },
  async (scope, { basis: wanted, ...wish }) => {
    const { from, to } = wish;
    const [now = [], then] = await netsOf(scope, spansOf(wish), { basis: wanted, closing: false });
    const make = maker(now, then);
    const sections = [make.section('Income', ['income'], -1n), make.section('Expenses', ['expense'], 1n)];
    return { ...make.statement(sections, (rows) => -sum(rows, ['income', 'expense'])), from, to };
  },
);

/** Assets, liabilities and equity at the end of a day; what was earned and not yet carried forward is a line of equity. */
export const balanceSheet = operation(
  {
    ...reports,
    name: 'service_get_balance_sheet',
    input: z.strictObject({ asOf, compareAsOf, basis }),
    answer: financialStatement.extend({ asOf: z.string() }),
  },
  async (scope, { asOf, compareAsOf, basis: wanted }) => {
    const days = [asOf, ...(compareAsOf === undefined ? [] : [compareAsOf])].map((to) => ({ to }));
    const [now = [], then] = await netsOf(scope, days, { basis: wanted, closing: true });
    const make = maker(now, then);
    const earned = (rows: readonly Net[]): bigint => -sum(rows, ['income', 'expense']);
    const equity = make.section('Equity', ['equity'], -1n, {
      name: 'Current earnings',
      amount: earned(now),
      compared: then === undefined ? undefined : earned(then),
    });
    const sections = [make.section('Assets', ['asset'], 1n), make.section('Liabilities', ['liability'], -1n), equity];
    const all = ['asset', 'liability', 'equity', 'income', 'expense'] as const;
    return { ...make.statement(sections, (rows) => sum(rows, all)), asOf };
  },
);

const sum = (rows: readonly Net[], types: readonly AccountType[]): bigint =>
  rows.reduce((total, { type, net }) => (types.includes(type) ? total + net : total), 0n);

interface ExtraLine {
  readonly name: string;
  readonly amount: bigint;
  readonly compared: bigint | undefined;
}

function maker(now: readonly Net[], then: readonly Net[] | undefined) {
  const currency = now[0]?.base_currency ?? 'USD';
  const before = new Map(then?.map(({ account_id, net }) => [account_id, net]));
  const optional = (amount: bigint | undefined): Money | null =>
    amount === undefined ? null : money(amount, currency);
  return {
    section: (title: string, types: readonly AccountType[], sign: bigint, extra?: ExtraLine): StatementSection => {
      const lines = now
        .filter(
          ({ type, net, account_id }) => types.includes(type) && (net !== 0n || (before.get(account_id) ?? 0n) !== 0n),
        )
        .map(({ account_id, code, name, net }) => ({
          accountId: account_id,
          code,
          name,
          amount: money(sign * net, currency),
          compared: then === undefined ? null : money(sign * (before.get(account_id) ?? 0n), currency),
        }));
      const total = sign * sum(now, types) + (extra?.amount ?? 0n);
      const comparedTotal = then === undefined ? undefined : sign * sum(then, types) + (extra?.compared ?? 0n);
      const more =
        extra === undefined || (extra.amount === 0n && (extra.compared ?? 0n) === 0n)
          ? []
          : [
              {
                accountId: '',
                code: '',
                name: extra.name,
                amount: money(extra.amount, currency),
                compared: optional(extra.compared),
              },
            ];
      return {
        title,
        lines: [...lines, ...more],
        total: money(total, currency),
        comparedTotal: optional(comparedTotal),
      };
    },
    statement: (sections: readonly StatementSection[], result: (rows: readonly Net[]) => bigint): Statement => ({
      currency,
      sections,
      result: money(result(now), currency),
      comparedResult: optional(then === undefined ? undefined : result(then)),
    }),
  };
}
