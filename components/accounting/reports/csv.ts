import { csvRow } from '@steward/contract';
import type { TenantContext } from '@steward/sql';
import { journalPage } from '../journal/list.ts';
import { cashFlow } from './cash-flow.ts';
import { generalLedger } from './general-ledger.ts';
import { balanceSheet, type Basis, profitAndLoss, type Span, type Statement } from './statements.ts';
import { trialBalance } from './trial-balance.ts';

/** Reports as CSV (RFC 4180). Amounts are decimal strings of the base currency, which has a column of its own. */

export async function* trialBalanceCsv(context: TenantContext, asOf: string): AsyncGenerator<string> {
  const { rows, debit, credit } = await trialBalance(context, asOf);
  yield csvRow(['code', 'name', 'type', 'debit', 'credit', 'currency']);
  for (const row of rows)
    yield csvRow([row.code, row.name, row.type, row.debit?.amount, row.credit?.amount, debit.currency]);
  yield csvRow(['', 'Total', '', debit.amount, credit.amount, debit.currency]);
}

export async function* profitAndLossCsv(
  context: TenantContext,
  span: Span,
  compare?: Span,
  basis?: Basis,
): AsyncGenerator<string> {
  yield* statementCsv(await profitAndLoss(context, span, compare, basis), 'Result');
}

export async function* balanceSheetCsv(context: TenantContext, asOf: string, compare?: string): AsyncGenerator<string> {
  yield* statementCsv(await balanceSheet(context, asOf, compare), 'Difference');
}

function* statementCsv({ currency, sections, result, comparedResult }: Statement, last: string): Generator<string> {
  yield csvRow(['section', 'code', 'name', 'amount', 'compared', 'currency']);
  for (const { title, lines, total, comparedTotal } of sections) {
    for (const { code, name, amount, compared } of lines)
      yield csvRow([title, code, name, amount.amount, compared?.amount, currency]);
    yield csvRow([title, '', 'Total', total.amount, comparedTotal?.amount, currency]);
  }
  yield csvRow(['', '', last, result.amount, comparedResult?.amount, currency]);
}

export async function* cashFlowCsv(context: TenantContext, span: Span): AsyncGenerator<string> {
  const { opening, sections, closing } = await cashFlow(context, span);
  yield csvRow(['activity', 'code', 'name', 'amount', 'currency']);
  yield csvRow(['', '', 'Opening', opening.amount, opening.currency]);
  for (const { activity, lines, total } of sections) {
    for (const { code, name, amount } of lines) yield csvRow([activity, code, name, amount.amount, amount.currency]);
    yield csvRow([activity, '', 'Total', total.amount, total.currency]);
  }
  yield csvRow(['', '', 'Closing', closing.amount, closing.currency]);
}

const pageSize = 200;

export async function* generalLedgerCsv(
  context: TenantContext,
  wish: { readonly accountId: string; readonly from: string; readonly to: string },
): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const page = await generalLedger(context, wish, { limit: pageSize, cursor });
    if (cursor === undefined) {
      yield csvRow(['date', 'number', 'narration', 'memo', 'debit', 'credit', 'balance', 'currency']);
      yield csvRow([wish.from, '', 'Opening', '', '', '', page.opening.amount, page.opening.currency]);
    }
    for (const { date, number, narration, memo, debit, credit, balance } of page.items)
      yield csvRow([date, number, narration, memo, debit?.amount, credit?.amount, balance.amount, balance.currency]);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Every line of every entry, in the order of their numbers; amounts in the entry's currency and in the base currency. */
export async function* journalCsv(context: TenantContext, { from, to }: Span): AsyncGenerator<string> {
  yield csvRow([
    'number',
    'date',
    'kind',
    'narration',
    'code',
    'account',
    'memo',
    'debit',
    'credit',
    'currency',
    'base',
    'base_currency',
    'rate',
    'entry_id',
    'reverses',
  ]);
  for (let after = '0'; ;) {
    const entries = await journalPage(context, { from, to }, { limit: pageSize, after });
    for (const entry of entries) {
      for (const { code, name, memo, debit, credit, base } of entry.lines)
        yield csvRow([
          entry.number,
          entry.date,
          entry.kind,
          entry.narration,
          code,
          name,
          memo,
          debit?.amount,
          credit?.amount,
          entry.currency,
          base.amount,
          base.currency,
          entry.rate,
          entry.id,
          entry.reverses,
        ]);
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < pageSize) return;
    after = last.number;
  }
}
