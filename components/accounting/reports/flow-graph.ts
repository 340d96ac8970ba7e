import type { GraphModule } from '@steward/graphql';
import { doing, objectOf, taking, weigh } from '@steward/graphql/field';
import { moneyType } from '../money/graph.ts';
import { summary1099 } from '../taxforms/summary.ts';
import { cashFlow } from './cash-flow.ts';
import { basisType, byDefault } from './graph.ts';
import { taxLiability, taxReport } from './tax-liability.ts';

/** Cash flow, tax liability and the 1099 summary in the GraphQL API. */
export const flowGraph: GraphModule = (builder) => {
  moneyType(builder);
  basisType(builder);
  const { sections } = cashFlow.answer.shape;
  objectOf(builder, 'CashFlowLine', sections.element.shape.lines.element, {
    members: { amount: 'Incoming amounts are positive.' },
  });
  objectOf(builder, 'CashFlowSection', sections.element, { members: { lines: { extensions: weigh({ size: 30 }) } } });
  const flow = objectOf(builder, 'CashFlow', cashFlow.answer, {
    members: { sections: { extensions: weigh({ size: 3 }) } },
  });
  const { rows, untaxed } = taxReport.shape;
  objectOf(builder, 'TaxSums', rows.element.shape.compared.unwrap());
  objectOf(builder, 'TaxLiabilityRow', rows.element);
  objectOf(builder, 'UntaxedSums', untaxed, { description: 'Lines of documents without a tax rate, as of exports.' });
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
      ...taking(builder, cashFlow.input, async (args, { tenant }) => cashFlow(tenant, args)),
    }),
    taxLiability: t.field({
      extensions: doing('service_get_tax_liability'),
      type: liability,
      description: 'Tax by rate, of documents issued in a period or, on the cash basis, of amounts settled in it.',
      ...taking(builder, taxLiability.input, async (args, { tenant }) => taxLiability(tenant, args), byDefault),
    }),
    form1099Summary: t.field({
      extensions: doing('service_get_1099_summary'),
      type: [form],
      description: 'The content of a year’s Forms 1099, by supplier.',
      ...taking(builder, summary1099.input, async (args, { tenant }) => (await summary1099(tenant, args)).suppliers),
    }),
  }));
};
