import { fail, money, type Money } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { AccountType } from '../books/template.ts';
import { type Basis, type Net, netsOf } from './cash-basis.ts';

export interface StatementLine {
  readonly accountId: string;
  readonly code: string;
  readonly name: string;
  readonly amount: Money;
  /** The same of the period or day compared with. */
  readonly compared: Money | null;
}

export interface StatementSection {
  readonly title: string;
  readonly lines: readonly StatementLine[];
  readonly total: Money;
  readonly comparedTotal: Money | null;
}

export interface Statement {
  readonly currency: string;
  readonly sections: readonly StatementSection[];
  /** Profit (a loss is negative); of a balance sheet: assets less liabilities and equity, which is zero. */
  readonly result: Money;
  readonly comparedResult: Money | null;
}

/** @throws Problem `invalid_request` (400) where the period ends before it begins */
export function inOrder({ from, to }: Span): void {
  if (from > to) throw fail('invalid_request', `The period ends on ${to}, before it begins on ${from}.`);
}

export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Income and expenses of a period in the base currency; the year-end close does not hide them. */
export async function profitAndLoss(
  context: TenantContext,
  span: Span,
  compare?: Span,
  basis: Basis = 'accrual',
): Promise<Statement> {
  const spans = [span, ...(compare === undefined ? [] : [compare])];
  spans.forEach(inOrder);
  const [now = [], then] = await netsOf(context, spans, { basis, closing: false });
  const make = maker(now, then);
  const sections = [make.section('Income', ['income'], -1n), make.section('Expenses', ['expense'], 1n)];
  return make.statement(sections, (rows) => -sum(rows, ['income', 'expense']));
}

/** Assets, liabilities and equity at the end of a day; what was earned and not yet carried forward is a line of equity. */
export async function balanceSheet(
  context: TenantContext,
  asOf: string,
  compare?: string,
  basis: Basis = 'accrual',
): Promise<Statement> {
  const days = [asOf, ...(compare === undefined ? [] : [compare])].map((to) => ({ to }));
  const [now = [], then] = await netsOf(context, days, { basis, closing: true });
  const make = maker(now, then);
  const earned = (rows: readonly Net[]): bigint => -sum(rows, ['income', 'expense']);
  const equity = make.section('Equity', ['equity'], -1n, {
    name: 'Current earnings',
    amount: earned(now),
    compared: then === undefined ? undefined : earned(then),
  });
  const sections = [make.section('Assets', ['asset'], 1n), make.section('Liabilities', ['liability'], -1n), equity];
  return make.statement(sections, (rows) => sum(rows, ['asset', 'liability', 'equity', 'income', 'expense']));
}

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
