import type { GraphModule } from '@steward/graphql';
import { doing, weigh } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { day } from '../journal/graph.ts';
import { moneyType } from '../money/graph.ts';
import { type Form1099Row, summary1099 } from '../taxforms/summary.ts';
import { cashFlow, type CashFlow, type CashFlowLine } from './cash-flow.ts';
import { basisType, comparisonArgument } from './graph.ts';
import { taxLiability, type TaxLiability, type TaxLiabilityRow, type TaxSums } from './tax-liability.ts';

/** Cash flow, tax liability and the 1099 summary in the GraphQL API. */
export const flowGraph: GraphModule = (builder) => {
  const money = moneyType(builder);
  const line = builder.objectRef<CashFlowLine>('CashFlowLine').implement({
    fields: (t) => ({
      accountId: t.exposeID('accountId'),
      code: t.exposeString('code'),
      name: t.exposeString('name'),
      amount: t.expose('amount', { type: money, description: 'What came in is positive.' }),
      compared: t.expose('compared', { type: money, nullable: true }),
    }),
  });
  const section = builder.objectRef<CashFlow['sections'][number]>('CashFlowSection').implement({
    fields: (t) => ({
      activity: t.exposeString('activity'),
      lines: t.expose('lines', { type: [line], extensions: weigh({ size: 30 }) }),
      total: t.expose('total', { type: money }),
      comparedTotal: t.expose('comparedTotal', { type: money, nullable: true }),
    }),
  });
  const flow = builder.objectRef<CashFlow>('CashFlow').implement({
    fields: (t) => ({
      opening: t.expose('opening', { type: money }),
      sections: t.expose('sections', { type: [section], extensions: weigh({ size: 3 }) }),
      closing: t.expose('closing', { type: money }),
      comparedOpening: t.expose('comparedOpening', { type: money, nullable: true }),
      comparedClosing: t.expose('comparedClosing', { type: money, nullable: true }),
    }),
  });
  const sums = builder.objectRef<TaxSums>('TaxSums').implement({
    fields: (t) => ({
      salesNet: t.expose('salesNet', { type: money }),
      salesTax: t.expose('salesTax', { type: money }),
      purchasesNet: t.expose('purchasesNet', { type: money }),
      purchasesTax: t.expose('purchasesTax', { type: money }),
    }),
  });
  const row = builder.objectRef<TaxLiabilityRow>('TaxLiabilityRow').implement({
    fields: (t) => ({
      taxId: t.exposeID('taxId'),
      name: t.exposeString('name'),
      percentage: t.exposeString('percentage'),
      salesNet: t.expose('salesNet', { type: money }),
      salesTax: t.expose('salesTax', { type: money }),
      purchasesNet: t.expose('purchasesNet', { type: money }),
      purchasesTax: t.expose('purchasesTax', { type: money }),
      compared: t.expose('compared', { type: sums, nullable: true }),
    }),
  });
  const liability = builder.objectRef<TaxLiability>('TaxLiability').implement({
    fields: (t) => ({
      rows: t.expose('rows', { type: [row], extensions: weigh({ size: 20 }) }),
      due: t.expose('due', { type: money }),
      comparedDue: t.expose('comparedDue', { type: money, nullable: true }),
    }),
  });
  const form = builder.objectRef<Form1099Row>('Form1099Row').implement({
    fields: (t) => ({
      partyId: t.exposeID('partyId'),
      name: t.exposeString('name'),
      box: t.exposeString('box'),
      title: t.exposeString('title'),
      paid: t.expose('paid', { type: money }),
      excluded: t.expose('excluded', { type: money, description: 'By card or network: reported by those.' }),
      threshold: t.expose('threshold', { type: money }),
      reportable: t.exposeBoolean('reportable'),
      w9: t.exposeString('w9', { nullable: true }),
      tinLast4: t.exposeString('tinLast4', { nullable: true }),
      missing: t.stringList({ resolve: ({ missing }) => [...missing] }),
    }),
  });
  builder.queryFields((t) => ({
    cashFlow: t.field({
      extensions: doing('service_get_cash_flow'),
      type: flow,
      description: 'Where money came from and went to over a period, by the direct method.',
      args: {
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        compareFrom: t.arg.string(),
        compareTo: t.arg.string(),
      },
      resolve: async (_root, { from, to, ...other }, { tenant }) =>
        cashFlow(tenant, { from: day(from) ?? '', to: day(to) ?? '' }, comparisonArgument(other)),
    }),
    taxLiability: t.field({
      extensions: doing('service_get_tax_liability'),
      type: liability,
      description: 'Tax by rate: of documents issued in a period, or of what of them was settled in it.',
      args: {
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        compareFrom: t.arg.string(),
        compareTo: t.arg.string(),
        basis: t.arg({ type: basisType(builder), defaultValue: 'accrual' }),
      },
      resolve: async (_root, { from, to, basis, ...other }, { tenant }) =>
        taxLiability(
          tenant,
          { from: day(from) ?? '', to: day(to) ?? '' },
          { compare: comparisonArgument(other), basis: basis ?? undefined },
        ),
    }),
    form1099Summary: t.field({
      extensions: doing('service_get_1099_summary'),
      type: [form],
      description: 'What a year’s Forms 1099 would say, by supplier.',
      args: { year: t.arg.int({ required: true }) },
      resolve: async (_root, { year }, { tenant }) => {
        if (year < 2000 || year > 2100) throw fail('invalid_request', 'year is from 2000 to 2100.');
        return summary1099(tenant, year);
      },
    }),
  }));
};
