import type { GraphModule } from '@steward/graphql';
import { doing, objectOf, taking } from '@steward/graphql/field';
import { closeMonth } from './close.ts';
import { closeYear } from './close-year.ts';
import { listPeriods } from './list.ts';
import { reopenMonth } from './reopen.ts';

/** Months and fiscal years in the GraphQL API. */
export const periodGraph: GraphModule = (builder) => {
  const period = objectOf(builder, 'AccountingPeriod', listPeriods.answer.element, {
    members: { month: 'Its first day.', status: { type: 'String', description: 'open or closed' } },
  });
  const changed = objectOf(builder, 'PeriodChange', closeMonth.answer);
  builder.queryFields((t) => ({
    accountingPeriods: t.field({
      extensions: doing('service_list_periods'),
      type: [period],
      description: 'Months with entries and closed months, the latest first. All other months are open.',
      resolve: async (_root, _args, { tenant }) => listPeriods(tenant, {}),
    }),
  }));
  builder.mutationFields((t) => ({
    closePeriod: t.field({
      type: changed,
      extensions: doing('service_close_period'),
      ...taking(builder, closeMonth.input, async (args, { tenant }) => closeMonth(tenant, args), {
        members: { month: 'Any day of the month.' },
      }),
    }),
    reopenPeriod: t.field({
      type: changed,
      extensions: doing('service_reopen_period'),
      ...taking(builder, reopenMonth.input, async (args, { tenant }) => reopenMonth(tenant, args)),
    }),
    closeFiscalYear: t.field({
      type: 'String',
      extensions: doing('service_close_fiscal_year'),
      description: 'Closes the fiscal year that contains a day. Answers its last month.',
      ...taking(builder, closeYear.input, async (args, { tenant }) => (await closeYear(tenant, args)).lastMonth),
    }),
  }));
};
