import type { GraphModule } from '@steward/graphql';
import { doing, weigh } from '@steward/graphql/field';
import { day } from '../journal/graph.ts';
import { moneyType } from '../money/graph.ts';
import { type AgedItem, type AgedParty, agedBuckets, type AgedReport, agedReport } from './aged.ts';

/** Aged receivables and payables in the GraphQL API. */
export const agedGraph: GraphModule = (builder) => {
  const money = moneyType(builder);
  const side = builder.enumType('LedgerSide', { values: ['receivable', 'payable'] as const });
  const description = `In this order: ${agedBuckets.join(', ')} days overdue.`;
  const buckets = weigh({ size: agedBuckets.length });
  const item = builder.objectRef<AgedItem>('AgedItem').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.exposeString('kind'),
      number: t.exposeString('number'),
      date: t.exposeString('date'),
      dueDate: t.exposeString('dueDate'),
      days: t.exposeInt('days', { description: 'Past the due date.' }),
      open: t.expose('open', { type: money }),
      base: t.expose('base', { type: money }),
    }),
  });
  const party = builder.objectRef<AgedParty>('AgedParty').implement({
    fields: (t) => ({
      partyId: t.exposeID('partyId'),
      name: t.exposeString('name'),
      buckets: t.expose('buckets', { type: [money], description, extensions: buckets }),
      total: t.expose('total', { type: money }),
      items: t.expose('items', { type: [item], extensions: weigh({ size: 8 }) }),
    }),
  });
  const report = builder.objectRef<AgedReport>('AgedReport').implement({
    fields: (t) => ({
      side: t.expose('side', { type: side }),
      asOf: t.exposeString('asOf'),
      buckets: t.expose('buckets', { type: [money], description, extensions: buckets }),
      total: t.expose('total', { type: money, description: 'What the control account holds.' }),
      parties: t.expose('parties', { type: [party], extensions: weigh({ size: 50 }) }),
    }),
  });
  builder.queryFields((t) => ({
    agedReport: t.field({
      extensions: doing('service_get_aged_report'),
      type: report,
      description: 'What is open at the end of a day, by how long it is overdue.',
      args: { side: t.arg({ type: side, required: true }), asOf: t.arg.string({ required: true }) },
      resolve: async (_root, { side: wanted, asOf }, { tenant }) =>
        agedReport(tenant, { side: wanted, asOf: day(asOf) ?? '' }),
    }),
  }));
};
