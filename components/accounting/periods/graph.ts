import type { GraphModule } from '@steward/graphql';
import { doing, objectOf } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { day, textArgument } from '../graph-arguments.ts';
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
      args: { month: t.arg.string({ required: true, description: 'Any day of the month.' }) },
      resolve: async (_root, { month }, { tenant }) => closeMonth(tenant, { month: day(month) ?? '' }),
    }),
    reopenPeriod: t.field({
      type: changed,
      extensions: doing('service_reopen_period'),
      args: { month: t.arg.string({ required: true }), reason: t.arg.string({ required: true }) },
      resolve: async (_root, { month, reason }, { tenant }) => {
        const why = textArgument(reason)?.trim() ?? '';
        if (why === '') throw fail('invalid_request', 'Give a reason: the audit log records it.');
        return reopenMonth(tenant, { month: day(month) ?? '', reason: why });
      },
    }),
    closeFiscalYear: t.field({
      type: 'String',
      extensions: doing('service_close_fiscal_year'),
      description: 'Closes the fiscal year that contains a day. Answers its last month.',
      args: { day: t.arg.string({ required: true }) },
      resolve: async (_root, args, { tenant }) => (await closeYear(tenant, { day: day(args.day) ?? '' })).lastMonth,
    }),
  }));
};
