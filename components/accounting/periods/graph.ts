import type { GraphModule } from '@steward/graphql';
import { fail } from '@steward/kernel';
import type { AtOnce } from '../at-once.ts';
import { textArgument } from '../graph-arguments.ts';
import { day } from '../journal/graph.ts';
import { closeMonth } from './close.ts';
import { closeYear } from './close-year.ts';
import { listPeriods, type Period } from './list.ts';
import { reopenMonth } from './reopen.ts';

/** Months and fiscal years in the GraphQL API. */
export const periodGraph =
  (atOnce: AtOnce): GraphModule =>
  (builder) => {
    const period = builder.objectRef<Period>('AccountingPeriod').implement({
      fields: (t) => ({
        month: t.exposeString('month', { description: 'Its first day.' }),
        status: t.exposeString('status', { description: 'open or closed' }),
        yearClosed: t.exposeBoolean('yearClosed'),
      }),
    });
    const changed = builder.objectRef<{ month: string; changed: boolean }>('PeriodChange').implement({
      fields: (t) => ({ month: t.exposeString('month'), changed: t.exposeBoolean('changed') }),
    });
    builder.queryFields((t) => ({
      accountingPeriods: t.field({
        type: [period],
        description: 'Months that were posted into or closed, the latest first. Others are open.',
        resolve: async (_root, _args, { tenant }) => listPeriods(tenant),
      }),
    }));
    builder.mutationFields((t) => ({
      closePeriod: t.field({
        type: changed,
        args: { month: t.arg.string({ required: true, description: 'Any day of it.' }) },
        resolve: async (_root, { month }, { tenant }) =>
          closeMonth(await atOnce(tenant, 'service_close_period'), day(month) ?? ''),
      }),
      reopenPeriod: t.field({
        type: changed,
        args: { month: t.arg.string({ required: true }), reason: t.arg.string({ required: true }) },
        resolve: async (_root, { month, reason }, { tenant }) => {
          const why = textArgument(reason)?.trim() ?? '';
          if (why === '') throw fail('invalid_request', 'A reason is given: it is kept in the audit log.');
          return reopenMonth(await atOnce(tenant, 'service_reopen_period'), day(month) ?? '', why);
        },
      }),
      closeFiscalYear: t.field({
        type: 'String',
        description: 'Closes the fiscal year that a day lies in; answers its last month.',
        args: { day: t.arg.string({ required: true }) },
        resolve: async (_root, args, { tenant }) =>
          (await closeYear(await atOnce(tenant, 'service_close_fiscal_year'), day(args.day) ?? '')).lastMonth,
      }),
    }));
  };
