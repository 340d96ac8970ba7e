import { tool, type Tool } from '@steward/tools';
import { roles } from '@steward/kernel';
import { z } from 'zod';
import { dayText, moneySchema } from '../money/schema.ts';
import { cashFlow } from './cash-flow.ts';
import { generalLedger } from './general-ledger.ts';
import { balanceSheet, bases, profitAndLoss, type Statement } from './statements.ts';
import { taxLiability } from './tax-liability.ts';
import { trialBalance } from './trial-balance.ts';

const read = {
  pillar: 'accounting',
  kind: 'query',
  tier: 'read',
  surfaces: ['public', 'internal'],
  annotations: { idempotentHint: true },
  requires: { roles, entitlement: 'read' },
  personas: [],
} as const;

const statement = z.object({
  currency: z.string(),
  sections: z.array(
    z.object({
      title: z.string(),
      lines: z.array(
        z.object({
          account_id: z.string(),
          code: z.string(),
          name: z.string(),
          amount: moneySchema,
          compared: moneySchema.nullable(),
        }),
      ),
      total: moneySchema,
      compared_total: moneySchema.nullable(),
    }),
  ),
  result: moneySchema,
  compared_result: moneySchema.nullable(),
});

const snake = ({ currency, sections, result, comparedResult }: Statement): z.infer<typeof statement> => ({
  currency,
  sections: sections.map(({ title, lines, total, comparedTotal }) => ({
    title,
    lines: lines.map(({ accountId, ...rest }) => ({ account_id: accountId, ...rest })),
    total,
    compared_total: comparedTotal,
  })),
  result,
  compared_result: comparedResult,
});

export const reportTools: readonly Tool[] = [
  tool({
    ...read,
    core: true,
    name: 'service_get_trial_balance',
    title: 'Trial balance',
    description: 'What every account holds at the end of a day, in the base currency. Debits equal credits.',
    input: z.strictObject({ as_of: dayText }),
    output: z.object({
      as_of: z.string(),
      rows: z.array(
        z.object({
          account_id: z.string(),
          code: z.string(),
          name: z.string(),
          type: z.string(),
          debit: moneySchema.nullable(),
          credit: moneySchema.nullable(),
        }),
      ),
      debit: moneySchema,
      credit: moneySchema,
    }),
    run: async (call, { as_of }) => {
      const { rows, debit, credit } = await trialBalance(call.context, as_of);
      return {
        summary: `${rows.length} accounts on ${as_of}: ${debit.amount} ${debit.currency} on either side.`,
        data: {
          as_of,
          rows: rows.map(({ accountId, ...rest }) => ({ account_id: accountId, ...rest })),
          debit,
          credit,
        },
      };
    },
  }),
  tool({
    ...read,
    core: true,
    name: 'service_get_profit_and_loss',
    title: 'Profit and loss',
    description:
      'Income and expenses of a period in the base currency, beside those of another period where one is given.',
    input: z.strictObject({
      from: dayText,
      to: dayText,
      compare_from: dayText.optional(),
      compare_to: dayText.optional(),
      basis: z.enum(bases).default('accrual'),
    }),
    output: statement,
    run: async (call, { from, to, compare_from, compare_to, basis }) => {
      const compare =
        compare_from === undefined || compare_to === undefined ? undefined : { from: compare_from, to: compare_to };
      const data = await profitAndLoss(call.context, { from, to }, compare, basis);
      return { summary: `Result from ${from} to ${to}: ${data.result.amount} ${data.currency}.`, data: snake(data) };
    },
  }),
  tool({
    ...read,
    core: true,
    name: 'service_get_balance_sheet',
    title: 'Balance sheet',
    description:
      'Assets, liabilities and equity at the end of a day in the base currency, beside those of another day.',
    input: z.strictObject({ as_of: dayText, compare_as_of: dayText.optional() }),
    output: statement,
    run: async (call, { as_of, compare_as_of }) => {
      const data = await balanceSheet(call.context, as_of, compare_as_of);
      const [assets] = data.sections;
      return { summary: `Assets on ${as_of}: ${assets?.total.amount ?? '0'} ${data.currency}.`, data: snake(data) };
    },
  }),
  tool({
    ...read,
    core: false,
    name: 'service_get_cash_flow',
    title: 'Cash flow statement',
    description: 'Where money came from and went to over a period, by the direct method, in the base currency.',
    input: z.strictObject({ from: dayText, to: dayText }),
    output: z.object({
      opening: moneySchema,
      sections: z.array(
        z.object({
          activity: z.string(),
          lines: z.array(z.object({ account_id: z.string(), code: z.string(), name: z.string(), amount: moneySchema })),
          total: moneySchema,
        }),
      ),
      closing: moneySchema,
    }),
    run: async (call, span) => {
      const { opening, sections, closing } = await cashFlow(call.context, span);
      return {
        summary: `Cash went from ${opening.amount} to ${closing.amount} ${closing.currency}.`,
        data: {
          opening,
          sections: sections.map(({ activity, lines, total }) => ({
            activity,
            lines: lines.map(({ accountId, ...rest }) => ({ account_id: accountId, ...rest })),
            total,
          })),
          closing,
        },
      };
    },
  }),
  tool({
    ...read,
    core: false,
    name: 'service_get_tax_liability',
    title: 'Tax liability',
    description: 'Tax on sales and on purchases by rate over documents issued in a period, in the base currency.',
    input: z.strictObject({ from: dayText, to: dayText }),
    output: z.object({
      rows: z.array(
        z.object({
          tax_id: z.string(),
          name: z.string(),
          percentage: z.string(),
          sales_net: moneySchema,
          sales_tax: moneySchema,
          purchases_net: moneySchema,
          purchases_tax: moneySchema,
        }),
      ),
      due: moneySchema,
    }),
    run: async (call, span) => {
      const { rows, due } = await taxLiability(call.context, span);
      return {
        summary: `Due for ${span.from} to ${span.to}: ${due.amount} ${due.currency}.`,
        data: {
          rows: rows.map(({ taxId, salesNet, salesTax, purchasesNet, purchasesTax, ...rest }) => ({
            ...rest,
            tax_id: taxId,
            sales_net: salesNet,
            sales_tax: salesTax,
            purchases_net: purchasesNet,
            purchases_tax: purchasesTax,
          })),
          due,
        },
      };
    },
  }),
  tool({
    ...read,
    core: false,
    name: 'service_get_general_ledger',
    title: 'General ledger of an account',
    description: 'The postings of one account over a period, each with the running balance, in the base currency.',
    input: z.strictObject({
      account_id: z.uuid(),
      from: dayText,
      to: dayText,
      limit: z.int().min(1).max(200).default(50),
      cursor: z.string().max(200).optional(),
    }),
    output: z.object({
      code: z.string(),
      name: z.string(),
      opening: moneySchema,
      lines: z.array(
        z.object({
          entry_id: z.string(),
          number: z.string(),
          date: z.string(),
          narration: z.string(),
          memo: z.string().nullable(),
          debit: moneySchema.nullable(),
          credit: moneySchema.nullable(),
          balance: moneySchema,
        }),
      ),
      next_cursor: z.string().nullable(),
    }),
    run: async (call, { account_id, from, to, limit, cursor }) => {
      const page = await generalLedger(call.context, { accountId: account_id, from, to }, { limit, cursor });
      return {
        summary: `${page.code} ${page.name}: ${page.items.length} postings.${page.nextCursor === null ? '' : ' There are more.'}`,
        data: {
          code: page.code,
          name: page.name,
          opening: page.opening,
          lines: page.items.map(({ entryId, ...rest }) => ({ entry_id: entryId, ...rest })),
          next_cursor: page.nextCursor,
        },
      };
    },
  }),
];
