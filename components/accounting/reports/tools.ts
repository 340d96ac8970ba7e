import { pageLimit } from '@steward/contract';
import { readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { counted, fail } from '@steward/kernel';
import { z } from 'zod';
import { dayText, moneySchema } from '../money/schema.ts';
import { cashFlow } from './cash-flow.ts';
import { generalLedger } from './general-ledger.ts';
import { bases } from './cash-basis.ts';
import { balanceSheet, profitAndLoss, type Statement } from './statements.ts';
import { taxLiability, type TaxSums } from './tax-liability.ts';
import { trialBalance } from './trial-balance.ts';

const read = {
  pillar: 'accounting',
  area: 'reports',
  kind: 'query',
  tier: 'read',
  surfaces: ['public', 'internal'],
  annotations: { idempotentHint: true },
  requires: readBooks,
  personas: [],
} as const;

const basis = z
  .enum(bases)
  .default('accrual')
  .meta({ description: 'cash: documents count as far as they are settled, on the day they are.' });
const compare = {
  compare_from: dayText.optional().meta({ description: 'With compare_to: a period to stand beside.' }),
  compare_to: dayText.optional(),
};

/** @throws Problem `invalid_request` (400) where one end of it is missing */
function comparison({
  compare_from: from,
  compare_to: to,
}: {
  compare_from?: string | undefined;
  compare_to?: string | undefined;
}) {
  if ((from === undefined) !== (to === undefined))
    throw fail('invalid_request', 'compare_from and compare_to are given together.');
  return from === undefined || to === undefined ? undefined : { from, to };
}

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

const taxSums = {
  sales_net: moneySchema,
  sales_tax: moneySchema,
  purchases_net: moneySchema,
  purchases_tax: moneySchema,
};
const snakeTaxes = ({ salesNet, salesTax, purchasesNet, purchasesTax }: TaxSums) => ({
  sales_net: salesNet,
  sales_tax: salesTax,
  purchases_net: purchasesNet,
  purchases_tax: purchasesTax,
});

export const reportTools: readonly Tool[] = [
  tool({
    ...read,
    core: true,
    name: 'service_get_trial_balance',
    title: 'Trial balance',
    description: 'What every account holds at the end of a day, in the base currency. Debits equal credits.',
    input: z.strictObject({ as_of: dayText, compare_as_of: dayText.optional(), basis }),
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
          compared_debit: moneySchema.nullable(),
          compared_credit: moneySchema.nullable(),
        }),
      ),
      debit: moneySchema,
      credit: moneySchema,
      compared: z.object({ as_of: z.string(), debit: moneySchema, credit: moneySchema }).nullable(),
    }),
    run: async (call, { as_of, compare_as_of, basis: wanted }) => {
      const { rows, debit, credit, compared } = await trialBalance(call.context, as_of, {
        compare: compare_as_of,
        basis: wanted,
      });
      return {
        summary: `${counted(rows.length, 'account')} on ${as_of}: ${debit.amount} ${debit.currency} on either side.`,
        data: {
          as_of,
          rows: rows.map(({ accountId, comparedDebit, comparedCredit, ...rest }) => ({
            account_id: accountId,
            ...rest,
            compared_debit: comparedDebit,
            compared_credit: comparedCredit,
          })),
          debit,
          credit,
          compared: compared === null ? null : { as_of: compared.asOf, debit: compared.debit, credit: compared.credit },
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
    input: z.strictObject({ from: dayText, to: dayText, ...compare, basis }),
    output: statement,
    run: async (call, { from, to, basis: wanted, ...other }) => {
      const data = await profitAndLoss(call.context, { from, to }, comparison(other), wanted);
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
    input: z.strictObject({ as_of: dayText, compare_as_of: dayText.optional(), basis }),
    output: statement,
    run: async (call, { as_of, compare_as_of, basis: wanted }) => {
      const data = await balanceSheet(call.context, as_of, compare_as_of, wanted);
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
    input: z.strictObject({ from: dayText, to: dayText, ...compare }),
    output: z.object({
      opening: moneySchema,
      sections: z.array(
        z.object({
          activity: z.string(),
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
      closing: moneySchema,
      compared_opening: moneySchema.nullable(),
      compared_closing: moneySchema.nullable(),
    }),
    run: async (call, { from, to, ...other }) => {
      const flow = await cashFlow(call.context, { from, to }, comparison(other));
      const { opening, sections, closing } = flow;
      return {
        summary: `Cash went from ${opening.amount} to ${closing.amount} ${closing.currency}.`,
        data: {
          opening,
          sections: sections.map(({ activity, lines, total, comparedTotal }) => ({
            activity,
            lines: lines.map(({ accountId, ...rest }) => ({ account_id: accountId, ...rest })),
            total,
            compared_total: comparedTotal,
          })),
          closing,
          compared_opening: flow.comparedOpening,
          compared_closing: flow.comparedClosing,
        },
      };
    },
  }),
  tool({
    ...read,
    core: false,
    name: 'service_get_tax_liability',
    title: 'Tax liability',
    description:
      'Tax on sales and on purchases by rate in the base currency: of documents issued in a period or, on the cash basis, of what of them was settled in it.',
    input: z.strictObject({ from: dayText, to: dayText, ...compare, basis }),
    output: z.object({
      rows: z.array(
        z.object({
          tax_id: z.string(),
          name: z.string(),
          percentage: z.string(),
          ...taxSums,
          compared: z.object(taxSums).nullable(),
        }),
      ),
      due: moneySchema,
      compared_due: moneySchema.nullable(),
    }),
    run: async (call, { from, to, basis: wanted, ...other }) => {
      const options = { compare: comparison(other), basis: wanted };
      const { rows, due, comparedDue } = await taxLiability(call.context, { from, to }, options);
      return {
        summary: `Due for ${from} to ${to}: ${due.amount} ${due.currency}.`,
        data: {
          rows: rows.map(({ taxId, name, percentage, compared, ...own }) => ({
            tax_id: taxId,
            name,
            percentage,
            ...snakeTaxes(own),
            compared: compared === null ? null : snakeTaxes(compared),
          })),
          due,
          compared_due: comparedDue,
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
      account_id: z.string().min(1).max(40).meta({ description: 'Code or id, from service_list_accounts.' }),
      from: dayText,
      to: dayText,
      limit: pageLimit,
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
      const page = await generalLedger(call.context, { account: account_id, from, to }, { limit, cursor });
      return {
        summary: `${page.code} ${page.name}: ${counted(page.items.length, 'posting')}.${page.nextCursor === null ? '' : ' There are more.'}`,
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
