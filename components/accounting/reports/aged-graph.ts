import type { GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf, taking, weigh } from '@steward/graphql/field';
import { moneyType } from '../money/graph.ts';
import {
  agedItem,
  type AgedItem,
  agedItemsOf,
  type AgedParty,
  agedBuckets,
  type AgedReport,
  agedReport,
} from './aged.ts';

/** Of one answer. */
const mostItems = 1000;

/** A party of an answer, with what it is made of where that is asked for. */
interface Row extends AgedParty {
  readonly items: () => Promise<readonly AgedItem[]>;
}

/** Aged receivables and payables in the GraphQL API. */
export const agedGraph: GraphModule = (builder) => {
  const money = moneyType(builder);
  const side = enumOf(builder, 'LedgerSide', agedReport.input.shape.side);
  const description = `In this order: ${agedBuckets.join(', ')} days overdue.`;
  const buckets = weigh({ size: agedBuckets.length });
  const item = objectOf(builder, 'AgedItem', agedItem, {
    members: { days: 'Past the due date.' },
  });
  const party = builder.objectRef<Row>('AgedParty').implement({
    fields: (t) => ({
      partyId: t.exposeID('partyId'),
      name: t.exposeString('name'),
      buckets: t.expose('buckets', { type: [money], description, extensions: buckets }),
      total: t.expose('total', { type: money }),
      count: t.exposeInt('count', { description: 'How many documents and payments are open.' }),
      items: t.field({
        type: [item],
        extensions: weigh({ size: 8 }),
        description: `By due date; ${mostItems} at most over all parties. Items of later parties are left out: ask for one party by its id.`,
        resolve: async ({ items }) => [...(await items())],
      }),
    }),
  });
  const report = builder
    .objectRef<Omit<AgedReport, 'parties'> & { readonly parties: readonly Row[] }>('AgedReport')
    .implement({
      fields: (t) => ({
        side: t.expose('side', { type: side }),
        asOf: t.exposeString('asOf'),
        buckets: t.expose('buckets', { type: [money], description, extensions: buckets }),
        total: t.expose('total', { type: money, description: 'Equals the balance of the control account.' }),
        parties: t.expose('parties', { type: [party], extensions: weigh({ size: 50 }) }),
      }),
    });
  builder.queryFields((t) => ({
    agedReport: t.field({
      extensions: doing('service_get_aged_report'),
      type: report,
      description: 'Open amounts at the end of a day, by days overdue.',
      ...taking(
        builder,
        agedReport.input,
        async (args, { tenant }) => {
          const report = await agedReport(tenant, args);
          let found: ReturnType<typeof agedItemsOf> | undefined;
          const itemsOf = async (id: string): Promise<readonly AgedItem[]> =>
            (await (found ??= agedItemsOf(tenant, report, mostItems))).get(id) ?? [];
          const parties = report.parties.map((one) => ({ ...one, items: async () => itemsOf(one.partyId) }));
          return { ...report, parties };
        },
        { members: { partyId: 'Only this customer or supplier.' } },
      ),
    }),
  }));
};
