import { route, type Answer, type Guard, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail, type Effect } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { z } from 'zod';
import {
  agedCsv,
  balanceSheetCsv,
  cashFlowCsv,
  form1099Csv,
  generalLedgerCsv,
  journalCsv,
  profitAndLossCsv,
  reconciliationCsv,
  taxLiabilityCsv,
  trialBalanceCsv,
} from './csv.ts';
import { amountText, dayText } from '../money/schema.ts';
import { tables } from '../exports/tables.ts';
import { tableCsv } from '../exports/write.ts';
import { bases } from './cash-basis.ts';

const day = dayText;
/** A string that says nothing is told to be needed, which a number made of it is not. */
const year = z
  .string()
  .refine((text) => /^20\d\d$/.test(text), 'Give a year, such as 2026')
  .meta({ type: 'integer', minimum: 2000, maximum: 2099 })
  .transform(Number);
const span = z.strictObject({ from: day, to: day });
const basis = z.enum(bases).optional();
const asOf = z.strictObject({ asOf: day, compareAsOf: day.optional(), basis });
const compared = span.extend({ compareFrom: day.optional(), compareTo: day.optional() });

/** @throws Problem `invalid_request` (400) where one end of it is missing */
function comparison({
  compareFrom: from,
  compareTo: to,
}: {
  compareFrom?: string | undefined;
  compareTo?: string | undefined;
}) {
  if ((from === undefined) !== (to === undefined))
    throw fail('invalid_request', 'compareFrom and compareTo are given together.');
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Reports as files. The first line is asked for before the status leaves, so that a refusal is one. */
export const reportRoutes = (guard: Guard<Admitted>): Route[] => {
  const report = <Q>(
    name: string,
    does: Effect,
    summary: string,
    query: z.ZodType<Q>,
    write: (context: TenantContext, wish: Q) => AsyncGenerator<string>,
  ): Route =>
    route({
      method: 'GET',
      path: `/api/reports/${name}.csv`,
      does,
      summary,
      tag: 'Reports',
      guard,
      query,
      answers: { 200: { description: 'The report.', types: ['text/csv'] } },
      errors: ['not_found'],
      handle: async ({ guard: { context }, query: wish }) => file(name, write(context, wish)),
    });
  return [
    report('trial-balance', 'service_get_trial_balance', 'Trial balance as CSV', asOf, (context, wish) =>
      trialBalanceCsv(context, wish.asOf, { compare: wish.compareAsOf, basis: wish.basis }),
    ),
    report(
      'profit-and-loss',
      'service_get_profit_and_loss',
      'Profit and loss as CSV',
      compared.extend({ basis }),
      (context, { from, to, ...wish }) => profitAndLossCsv(context, { from, to }, comparison(wish), wish.basis),
    ),
    report('balance-sheet', 'service_get_balance_sheet', 'Balance sheet as CSV', asOf, (context, wish) =>
      balanceSheetCsv(context, wish.asOf, wish.compareAsOf, wish.basis),
    ),
    report('cash-flow', 'service_get_cash_flow', 'Cash flow as CSV', compared, (context, { from, to, ...wish }) =>
      cashFlowCsv(context, { from, to }, comparison(wish)),
    ),
    report(
      'tax-liability',
      'service_get_tax_liability',
      'Tax liability as CSV',
      compared.extend({ basis }),
      (context, { from, to, ...wish }) =>
        taxLiabilityCsv(context, { from, to }, { compare: comparison(wish), basis: wish.basis }),
    ),
    report(
      'aged',
      'service_get_aged_report',
      'Aged receivables or payables as CSV',
      z.strictObject({ side: z.enum(['receivable', 'payable']), asOf: day }),
      agedCsv,
    ),
    report(
      '1099-summary',
      'service_get_1099_summary',
      'Summary of Forms 1099 as CSV',
      z.strictObject({ year }),
      (context, { year }) => form1099Csv(context, year),
    ),
    report(
      'reconciliation',
      'service_get_reconciliation',
      'Reconciliation of an account as CSV',
      z.strictObject({
        account: z.string().min(1).max(40),
        to: day,
        closing: amountText.optional().meta({ description: 'Where it was not agreed on that day yet.' }),
        opening: amountText.optional(),
      }),
      reconciliationCsv,
    ),
    report('journal', 'service_list_journal_entries', 'Every entry of a period as CSV', span, journalCsv),
    report(
      'general-ledger',
      'service_get_general_ledger',
      'The ledger of an account as CSV',
      span.extend({ accountId: z.string().min(1).max(40).meta({ description: 'Code or id.' }) }),
      (context, { accountId: account, ...wish }) => generalLedgerCsv(context, { ...wish, account }),
    ),
    ...Object.entries(tables).map(([name, table]) =>
      route({
        method: 'GET',
        path: `/api/export/${name}.csv`,
        does: table.tool,
        summary: `All ${name.replace('-', ' ')} as CSV`,
        tag: 'Reports',
        guard,
        answers: { 200: { description: 'All of them.', types: ['text/csv'] } },
        handle: async ({ guard: { context } }) => file(name, tableCsv(context, table)),
      }),
    ),
  ];
};

async function file(name: string, lines: AsyncGenerator<string>): Promise<Answer> {
  const first = await lines.next();
  async function* all(): AsyncGenerator<string> {
    if (first.done !== true) yield first.value;
    yield* lines;
  }
  return {
    status: 200,
    type: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="${name}.csv"` },
    stream: all(),
  };
}
