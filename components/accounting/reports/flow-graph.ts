import type { GraphModule } from '@steward/graphql';
import { doing, objectOf, weigh } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { moneyType } from '../money/graph.ts';
import { summary1099 } from '../taxforms/summary.ts';
import { cashFlow } from './cash-flow.ts';
import { basisType, periodArguments } from './graph.ts';
import { taxLiability, taxReport } from './tax-liability.ts';

/** Cash flow, tax liability and the 1099 summary in the GraphQL API. */
export const flowGraph: GraphModule = (builder) => {
  moneyType(builder);
  const { sections } = cashFlow.answer.shape;
  objectOf(builder, 'CashFlowLine', sections.element.shape.lines.element, {
    members: { amount: 'Incoming amounts are positive.' },
  });
  objectOf(builder, 'CashFlowSection', sections.element, { members: { lines: { extensions: weigh({ size: 30 }) } } });
  const flow = objectOf(builder, 'CashFlow', cashFlow.answer, {
    members: { sections: { extensions: weigh({ size: 3 }) } },
  });
  const { rows } = taxReport.shape;
  objectOf(builder, 'TaxSums', rows.element.shape.compared.unwrap());
  objectOf(builder, 'TaxLiabilityRow', rows.element);
  const liability = objectOf(builder, 'TaxLiability', taxReport, {
    members: { rows: { extensions: weigh({ size: 20 }) } },
  });
  const form = objectOf(builder, 'Form1099', summary1099.answer.shape.suppliers.element, {
    members: {
      box: { type: 'String' },
      excluded: 'Payments by card or network, which their operators report.',
      w9: { type: 'String' },
    },
  });
  builder.queryFields((t) => ({
    cashFlow: t.field({
      extensions: doing('service_get_cash_flow'),
      type: flow,
      description: 'Sources and uses of cash over a period, by the direct method.',
      args: {
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        compareFrom: t.arg.string(),
        compareTo: t.arg.string(),
      },
      resolve: async (_root, args, { tenant }) => cashFlow(tenant, periodArguments(args)),
    }),
    taxLiability: t.field({
      extensions: doing('service_get_tax_liability'),
      type: liability,
      description: 'Tax by rate, of documents issued in a period or, on the cash basis, of amounts settled in it.',
      args: {
        from: t.arg.string({ required: true }),
        to: t.arg.string({ required: true }),
        compareFrom: t.arg.string(),
        compareTo: t.arg.string(),
        basis: t.arg({ type: basisType(builder), defaultValue: 'accrual' }),
      },
      resolve: async (_root, { basis, ...args }, { tenant }) =>
        taxLiability(tenant, { ...periodArguments(args), basis: basis ?? undefined }),
    }),
    form1099Summary: t.field({
      extensions: doing('service_get_1099_summary'),
      type: [form],
      description: 'The content of a year’s Forms 1099, by supplier.',
      args: { year: t.arg.int({ required: true }) },
      resolve: async (_root, { year }, { tenant }) => {
        if (year < 2000 || year > 2100) throw fail('invalid_request', 'year must be from 2000 to 2100.');
        return (await summary1099(tenant, { year })).suppliers;
      },
    }),
  }));
};
