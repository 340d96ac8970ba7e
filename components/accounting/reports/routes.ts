import { route, type Answer, type Guard, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { z } from 'zod';
import {
  balanceSheetCsv,
  cashFlowCsv,
  generalLedgerCsv,
  journalCsv,
  profitAndLossCsv,
  trialBalanceCsv,
} from './csv.ts';
import { dayText } from '../money/schema.ts';
import { tables } from '../exports/tables.ts';
import { tableCsv } from '../exports/write.ts';
import { bases } from './statements.ts';

const day = dayText;
const span = z.strictObject({ from: day, to: day });
const asOf = z.strictObject({ asOf: day, compareAsOf: day.optional() });
const compared = span.extend({
  compareFrom: day.optional(),
  compareTo: day.optional(),
  basis: z.enum(bases).optional(),
});

/** Reports as files. The first line is asked for before the status leaves, so that a refusal is one. */
export const reportRoutes = (guard: Guard<Admitted>): Route[] => {
  const report = <Q>(
    name: string,
    summary: string,
    query: z.ZodType<Q>,
    write: (context: TenantContext, wish: Q) => AsyncGenerator<string>,
  ): Route =>
    route({
      method: 'GET',
      path: `/api/reports/${name}.csv`,
      summary,
      tag: 'Reports',
      guard,
      query,
      answers: { 200: { description: 'The report.', types: ['text/csv'] } },
      errors: ['not_found'],
      handle: async ({ guard: { context }, query: wish }) => file(name, write(context, wish)),
    });
  return [
    report('trial-balance', 'Trial balance as CSV', z.strictObject({ asOf: day }), (context, wish) =>
      trialBalanceCsv(context, wish.asOf),
    ),
    report(
      'profit-and-loss',
      'Profit and loss as CSV',
      compared,
      (context, { compareFrom, compareTo, basis, ...period }) => {
        if ((compareFrom === undefined) !== (compareTo === undefined))
          throw fail('invalid_request', 'compareFrom and compareTo are given together.');
        const other =
          compareFrom === undefined || compareTo === undefined ? undefined : { from: compareFrom, to: compareTo };
        return profitAndLossCsv(context, period, other, basis);
      },
    ),
    report('balance-sheet', 'Balance sheet as CSV', asOf, (context, wish) =>
      balanceSheetCsv(context, wish.asOf, wish.compareAsOf),
    ),
    report('cash-flow', 'Cash flow as CSV', span, cashFlowCsv),
    report('journal', 'Every entry of a period as CSV', span, journalCsv),
    report('general-ledger', 'The ledger of an account as CSV', span.extend({ accountId: z.uuid() }), generalLedgerCsv),
    ...Object.entries(tables).map(([name, table]) =>
      route({
        method: 'GET',
        path: `/api/export/${name}.csv`,
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
