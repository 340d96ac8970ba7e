import { route, type Answer, type Guard, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { Effect } from '@steward/kernel';
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
import { reconciliationState } from '../bank/reconcile.ts';
import { summary1099 } from '../taxforms/summary.ts';
import { agedReport } from './aged.ts';
import { cashFlow } from './cash-flow.ts';
import { generalLedger } from './general-ledger.ts';
import { balanceSheet, profitAndLoss } from './statements.ts';
import { taxLiability } from './tax-liability.ts';
import { trialBalance } from './trial-balance.ts';

/** An empty string is reported as missing; as a number it would be 0. */
const year = z
  .string()
  .refine((text) => /^20\d\d$/.test(text), 'Give a year, such as 2026')
  .meta({ type: 'integer', minimum: 2000, maximum: 2099 })
  .transform(Number);

/** Reports as files. The first line is asked for before the status leaves, so that a refusal is one. */
export const reportRoutes = (guard: Guard<Admitted>): Route[] => {
  const report = <Q>(
    name: string,
    summary: string,
    of: { readonly name: string; readonly input: z.ZodObject & z.ZodType<Q> },
    write: (context: TenantContext, wish: Q) => AsyncGenerator<string>,
  ): Route =>
    route({
      method: 'GET',
      path: `/api/reports/${name}.csv`,
      does: of.name as Effect,
      summary,
      tag: 'Reports',
      guard,
      query: of.input,
      answers: { 200: { description: 'The report.', types: ['text/csv'] } },
      errors: ['not_found'],
      handle: async ({ guard: { context }, query: wish }) => file(name, write(context, wish)),
    });
  return [
    report('trial-balance', 'Trial balance as CSV', trialBalance, trialBalanceCsv),
    report('profit-and-loss', 'Profit and loss as CSV', profitAndLoss, profitAndLossCsv),
    report('balance-sheet', 'Balance sheet as CSV', balanceSheet, balanceSheetCsv),
    report('cash-flow', 'Cash flow as CSV', cashFlow, cashFlowCsv),
    report('tax-liability', 'Tax liability as CSV', taxLiability, taxLiabilityCsv),
    report(
      'aged',
      'Aged receivables or payables as CSV',
      { name: agedReport.name, input: agedReport.input.omit({ partyId: true }) },
      agedCsv,
    ),
    report(
      '1099-summary',
      'Summary of Forms 1099 as CSV',
      { name: summary1099.name, input: z.strictObject({ year }) },
      (context, wish) => form1099Csv(context, wish.year),
    ),
    report(
      'reconciliation',
      'Reconciliation of an account as CSV',
      {
        name: reconciliationState.name,
        input: z.strictObject({
          account: z.string().min(1).max(40),
          to: dayText,
          closing: amountText.optional().meta({ description: 'Needed if the account was not reconciled on that day.' }),
          opening: amountText.optional(),
        }),
      },
      reconciliationCsv,
    ),
    report(
      'journal',
      'Every entry of a period as CSV',
      { name: 'service_list_journal_entries', input: z.strictObject({ from: dayText, to: dayText }) },
      journalCsv,
    ),
    report(
      'general-ledger',
      'The ledger of an account as CSV',
      { name: generalLedger.name, input: generalLedger.input.omit({ limit: true, cursor: true }) },
      generalLedgerCsv,
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
