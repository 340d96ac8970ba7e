import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import type { z } from 'zod';
import { cashFlow } from './cash-flow.ts';
import { generalLedger } from './general-ledger.ts';
import { balanceSheet, financialStatement, profitAndLoss } from './statements.ts';
import { taxLiability, taxReport } from './tax-liability.ts';
import { trialBalance } from './trial-balance.ts';

/** Of an answer, what the schema names. */
const only = (schema: z.ZodObject) => ({ schema, of: (found: object) => found });

export const reportTools: readonly Tool[] = [
  toolOf(trialBalance, {
    core: true,
    title: 'Trial balance',
    description:
      'Reports the balance of every account at the end of a day, in the base currency. Debits equal credits.',
    shows: only(trialBalance.answer.omit({ currency: true })),
    say: ({ rows, asOf, debit }) =>
      `${counted(rows.length, 'account')} on ${asOf}: ${debit.amount} ${debit.currency} on either side.`,
  }),
  toolOf(profitAndLoss, {
    core: true,
    title: 'Profit and loss',
    description:
      'Reports income and expenses of a period in the base currency, optionally beside those of another period.',
    shows: only(financialStatement),
    say: ({ from, to, result, currency }) => `Result from ${from} to ${to}: ${result.amount} ${currency}.`,
  }),
  toolOf(balanceSheet, {
    core: true,
    title: 'Balance sheet',
    description:
      'Reports assets, liabilities and equity at the end of a day in the base currency, optionally beside those of ' +
      'another day.',
    shows: only(financialStatement),
    say: ({ asOf, sections: [assets], currency }) => `Assets on ${asOf}: ${assets?.total.amount ?? '0'} ${currency}.`,
  }),
  toolOf(cashFlow, {
    core: false,
    title: 'Cash flow statement',
    description: 'Reports sources and uses of cash over a period in the base currency, by the direct method.',
    say: ({ opening, closing }) => `Cash went from ${opening.amount} to ${closing.amount} ${closing.currency}.`,
  }),
  toolOf(taxLiability, {
    core: false,
    title: 'Tax liability',
    description:
      'Reports tax on sales and purchases by rate, and what had none, in the base currency: of documents issued in a period or, on the cash ' +
      'basis, of amounts settled in it.',
    shows: only(taxReport),
    say: ({ from, to, due }) => `Due for ${from} to ${to}: ${due.amount} ${due.currency}.`,
  }),
  toolOf(generalLedger, {
    core: false,
    title: 'General ledger of an account',
    description: 'Reports the postings of one account over a period with the running balance, in the base currency.',
    answers: { items: 'lines' },
    say: ({ code, name, items, nextCursor }) =>
      `${code} ${name}: ${counted(items.length, 'posting')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
];
