import { csvRow } from '@steward/contract';
import type { Money } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { journalColumns } from '../exports/journal-columns.ts';
import { reconciliationReport } from '../bank/reconciliation-report.ts';
import { journalPage } from '../journal/list.ts';
import { summary1099 } from '../taxforms/summary.ts';
import { agedBuckets, agedItems, agedReport } from './aged.ts';
import { cashFlow } from './cash-flow.ts';
import { generalLedger } from './general-ledger.ts';
import { inOrder, type Span } from '../periods/span.ts';
import { balanceSheet, profitAndLoss, type Statement } from './statements.ts';
import { taxLiability } from './tax-liability.ts';
import { trialBalance } from './trial-balance.ts';

/** Reports as CSV (RFC 4180). Amounts are decimal strings of the base currency, which has a column of its own. */

export async function* trialBalanceCsv(
  context: TenantContext,
  wish: Parameters<typeof trialBalance>[1],
): AsyncGenerator<string> {
  const { rows, debit, credit, compared } = await trialBalance(context, wish);
  // Columns for a comparison only where one was asked for.
  const beside = <T>(columns: readonly T[]): readonly T[] => (compared === null ? [] : columns);
  yield csvRow([
    'code',
    'name',
    'type',
    'debit',
    'credit',
    ...beside(['compared_debit', 'compared_credit']),
    'currency',
  ]);
  for (const { code, name, type, ...row } of rows)
    yield csvRow([
      code,
      name,
      type,
      row.debit?.amount,
      row.credit?.amount,
      ...beside([row.comparedDebit?.amount, row.comparedCredit?.amount]),
      debit.currency,
    ]);
  yield csvRow([
    '',
    'Total',
    '',
    debit.amount,
    credit.amount,
    ...beside([compared?.debit.amount, compared?.credit.amount]),
    debit.currency,
  ]);
}

export async function* profitAndLossCsv(
  context: TenantContext,
  wish: Parameters<typeof profitAndLoss>[1],
): AsyncGenerator<string> {
  yield* statementCsv(await profitAndLoss(context, wish), 'Result');
}

export async function* balanceSheetCsv(
  context: TenantContext,
  wish: Parameters<typeof balanceSheet>[1],
): AsyncGenerator<string> {
  yield* statementCsv(await balanceSheet(context, wish), 'Difference');
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

export async function* cashFlowCsv(
  context: TenantContext,
  wish: Parameters<typeof cashFlow>[1],
): AsyncGenerator<string> {
  const { opening, sections, closing, comparedOpening, comparedClosing } = await cashFlow(context, wish);
  const { currency } = opening;
  const row = (activity: string, code: string, name: string, amount: Money, compared: Money | null): string =>
    csvRow([activity, code, name, amount.amount, compared?.amount, currency]);
  yield csvRow(['activity', 'code', 'name', 'amount', 'compared', 'currency']);
  yield row('', '', 'Opening', opening, comparedOpening);
  for (const { activity, lines, total, comparedTotal } of sections) {
    for (const { code, name, amount, compared } of lines) yield row(activity, code, name, amount, compared);
    yield row(activity, '', 'Total', total, comparedTotal);
  }
  yield row('', '', 'Closing', closing, comparedClosing);
}

export async function* taxLiabilityCsv(
  context: TenantContext,
  wish: Parameters<typeof taxLiability>[1],
): AsyncGenerator<string> {
  const { rows, due, comparedDue, untaxed, comparedUntaxed } = await taxLiability(context, wish);
  const sums = ['sales_net', 'sales_tax', 'purchases_net', 'purchases_tax'];
  yield csvRow([
    'name',
    'percentage',
    ...sums,
    'due',
    ...sums.map((name) => `compared_${name}`),
    'compared_due',
    'currency',
  ]);
  for (const { name, percentage, compared, ...own } of rows)
    yield csvRow([
      name,
      percentage,
      own.salesNet.amount,
      own.salesTax.amount,
      own.purchasesNet.amount,
      own.purchasesTax.amount,
      '',
      compared?.salesNet.amount,
      compared?.salesTax.amount,
      compared?.purchasesNet.amount,
      compared?.purchasesTax.amount,
      '',
      due.currency,
    ]);
  yield csvRow([
    'Without tax',
    '',
    untaxed.salesNet.amount,
    '',
    untaxed.purchasesNet.amount,
    '',
    '',
    comparedUntaxed?.salesNet.amount,
    '',
    comparedUntaxed?.purchasesNet.amount,
    '',
    '',
    due.currency,
  ]);
  yield csvRow(['Due', '', '', '', '', '', due.amount, '', '', '', '', comparedDue?.amount, due.currency]);
}

/** A row for each open item with its base amount in the column of its age, one for each party, and their total. */
export async function* agedCsv(
  context: TenantContext,
  wish: { readonly side: 'receivable' | 'payable'; readonly asOf: string },
): AsyncGenerator<string> {
  const report = await agedReport(context, wish);
  const { buckets, total, currency } = report;
  const heads = ['party', 'kind', 'number', 'date', 'due_date', 'days', 'open', 'currency'];
  // A spreadsheet would take `1-30` for a day.
  yield csvRow([
    ...heads,
    ...agedBuckets.map((name) => name.replace('-', ' to ')),
    'total',
    'base_currency',
    'item_id',
  ]);
  const amounts = (of: readonly Money[]): string[] => of.map(({ amount }) => amount);
  for await (const { party, items, last } of agedItems(context, report)) {
    const { name } = party;
    for (const { kind, number, date, dueDate, days, open, base, bucket, id } of items)
      yield csvRow([
        name,
        kind,
        number,
        date,
        dueDate,
        String(days),
        open.amount,
        open.currency,
        ...agedBuckets.map((_, at) => (at === bucket ? base.amount : '')),
        base.amount,
        currency,
        id,
      ]);
    if (last)
      yield csvRow([
        name,
        'Total',
        '',
        '',
        '',
        '',
        '',
        '',
        ...amounts(party.buckets),
        party.total.amount,
        currency,
        '',
      ]);
  }
  yield csvRow(['', 'Total', '', '', '', '', '', '', ...amounts(buckets), total.amount, currency, '']);
}

export async function* form1099Csv(context: TenantContext, year: number): AsyncGenerator<string> {
  const { suppliers } = await summary1099(context, { year });
  yield csvRow([
    'supplier',
    'tin_last4',
    'w9',
    'box',
    'title',
    'paid',
    'paid_by_card_or_network',
    'threshold',
    'reportable',
    'missing',
    'currency',
    'party_id',
  ]);
  for (const { name, tinLast4, w9, box, title, paid, excluded, threshold, reportable, missing, partyId } of suppliers)
    yield csvRow([
      name,
      tinLast4,
      w9,
      box,
      title,
      paid.amount,
      excluded.amount,
      threshold.amount,
      String(reportable),
      missing.join(' '),
      paid.currency,
      partyId,
    ]);
}

/** From the bank's opening to its closing balance line by line, and from there to the books by what is outstanding. */
export async function* reconciliationCsv(
  context: TenantContext,
  wish: Parameters<typeof reconciliationReport>[1],
): AsyncGenerator<string> {
  const { state, lines, outstanding } = await reconciliationReport(context, wish);
  const { currency } = state.opening;
  const row = (section: string, day: string, what: string, amount: Money, open = '', entries = '', id = ''): string =>
    csvRow([section, day, what, amount.amount, currency, open, entries, id]);
  yield csvRow(['section', 'date', 'description', 'amount', 'currency', 'unmatched', 'entries', 'id']);
  yield row('bank', state.from ?? '', 'Opening', state.opening);
  for await (const { day, description, amount, unmatched, entries, lineId } of lines)
    yield row('bank', day, description, amount, unmatched.amount, entries.join(' '), lineId);
  yield row('bank', state.to, 'Difference', state.difference);
  yield row('bank', state.to, 'Closing', state.closing);
  for await (const { date, narration, amount, number, entryId } of outstanding)
    yield row('outstanding', date, narration, amount, '', number, entryId);
  yield row('outstanding', state.to, 'Total', state.outstanding);
  yield row('books', state.to, 'Balance', state.bookBalance);
}

const pageSize = 200;

export async function* generalLedgerCsv(
  context: TenantContext,
  wish: Omit<Parameters<typeof generalLedger>[1], 'limit' | 'cursor'>,
): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const page = await generalLedger(context, { ...wish, limit: pageSize, cursor });
    if (cursor === undefined) {
      yield csvRow(['date', 'number', 'narration', 'memo', 'debit', 'credit', 'balance', 'currency', 'entry_id']);
      yield csvRow([wish.from, '', 'Opening', '', '', '', page.opening.amount, page.opening.currency, '']);
    }
    for (const { date, number, narration, memo, debit, credit, balance, entryId } of page.items)
      yield csvRow([
        date,
        number,
        narration,
        memo,
        debit?.amount,
        credit?.amount,
        balance.amount,
        balance.currency,
        entryId,
      ]);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Every line of every entry, in the order of their numbers; amounts in the entry's currency and in the base currency. */
export async function* journalCsv(context: TenantContext, { from, to }: Span): AsyncGenerator<string> {
  inOrder({ from, to });
  const page = async (after: string) => journalPage(context, { from, to }, { limit: pageSize, after });
  let entries = await page('0');
  yield csvRow(journalColumns);
  for (;;) {
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
          entry.sourceId,
          entry.reversedBy,
          entry.postedAt,
        ]);
    }
    const last = entries.at(-1);
    if (last === undefined) return;
    entries = await page(last.number);
  }
}
