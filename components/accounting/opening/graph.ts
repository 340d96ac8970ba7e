import type { GraphModule } from '@steward/graphql';
import { doing, objectOf, taking } from '@steward/graphql/field';
import { entryType } from '../journal/graph.ts';
import { importBalances } from './import-balances.ts';
import { importChart } from './import-chart.ts';

/** Opening the books in the GraphQL API. */
export const openingGraph: GraphModule = (builder) => {
  const imported = objectOf(builder, 'ImportedChart', importChart.answer, { without: ['accounts'] });
  builder.mutationFields((t) => ({
    importChartOfAccounts: t.field({
      type: imported,
      extensions: doing('service_import_chart_of_accounts'),
      description: 'Adds accounts from a CSV file with the columns code, name, type, currency. All are added or none.',
      ...taking(builder, importChart.input, async (args, { tenant }) => importChart(tenant, args)),
    }),
    importOpeningBalances: t.field({
      type: [entryType(builder)],
      extensions: doing('service_import_opening_balances'),
      description:
        'Posts the opening balances from a CSV file with the columns account, debit, credit, and rate or base where an account is in another currency. Only once, until these entries are reversed.',
      ...taking(
        builder,
        importBalances.input,
        async (args, { tenant }) => (await importBalances(tenant, args)).entries,
        {
          members: {
            balanceTo:
              'Account that receives the difference between debits and credits. Needed where an account is in another currency.',
          },
        },
      ),
    }),
  }));
};
