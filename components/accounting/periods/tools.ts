import { counted } from '@steward/kernel';
import { closeBooks, readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { forApproval, moving } from '../journal/tools.ts';
import { dayText } from '../money/schema.ts';
import { closeMonth } from './close.ts';
import { closeYear } from './close-year.ts';
import { listPeriods } from './list.ts';
import { reopenMonth } from './reopen.ts';

const ground = {
  pillar: 'accounting',
  area: 'books',
  core: false,
  surfaces: ['public', 'internal'],
  personas: [],
} as const;
const closes = {
  ...ground,
  kind: 'command',
  tier: 'approval',
  annotations: { idempotentHint: true },
  requires: closeBooks,
} as const;
const month = dayText.meta({ description: 'Any day of the month, YYYY-MM-DD.' });
const changed = z.object({ month: z.string(), changed: z.boolean() });

export const periodTools: readonly Tool[] = [
  tool({
    ...ground,
    kind: 'query',
    tier: 'read',
    annotations: { idempotentHint: true },
    requires: readBooks,
    name: 'service_list_periods',
    title: 'List accounting periods',
    description: 'Lists the months that were posted into or closed. A month that is not listed is open.',
    input: z.strictObject({}),
    output: z.object({
      periods: z.array(z.object({ month: z.string(), status: z.enum(['open', 'closed']), year_closed: z.boolean() })),
    }),
    run: async (call) => {
      const periods = await listPeriods(call.context);
      return {
        summary: `${counted(periods.length, 'month')}, ${periods.filter(({ status }) => status === 'closed').length} closed.`,
        data: { periods: periods.map(({ yearClosed, ...rest }) => ({ ...rest, year_closed: yearClosed })) },
      };
    },
  }),
  tool({
    ...closes,
    name: 'service_close_period',
    title: 'Close a month',
    description: 'Closes a month: nothing is posted into it any more until it is reopened.',
    input: z.strictObject({ month }),
    output: changed,
    run: async (call, args) => {
      const data = await closeMonth(call.context, args.month);
      const month = data.month.slice(0, 7);
      return { summary: call.preview ? `Would close ${month}.` : `${month} is closed.`, data };
    },
  }),
  tool({
    ...closes,
    name: 'service_reopen_period',
    title: 'Reopen a month',
    description: 'Opens a closed month again, for a reason that is kept. Not where its fiscal year is closed.',
    input: z.strictObject({ month, reason: z.string().trim().min(1).max(500) }),
    output: changed,
    run: async (call, args) => {
      const data = await reopenMonth(call.context, args.month, args.reason);
      const month = data.month.slice(0, 7);
      return { summary: call.preview ? `Would reopen ${month}.` : `${month} is open.`, data };
    },
  }),
  tool({
    ...closes,
    final: true,
    name: 'service_close_fiscal_year',
    title: 'Close a fiscal year',
    description:
      'Closes the months of the fiscal year that a day lies in and carries its profit to retained earnings. It is not taken back.',
    input: z.strictObject({ day: dayText }),
    output: z.object({ first_month: z.string(), last_month: z.string(), entry_id: z.string().nullable() }),
    approval: moving,
    run: async (call, { day }) => {
      const { firstMonth, lastMonth, entry, effects } = await closeYear(call.context, day);
      const entries = entry === null ? [] : [entry];
      return {
        summary: call.preview
          ? `Would close the fiscal year from ${firstMonth.slice(0, 7)} to ${lastMonth.slice(0, 7)} for good.`
          : `The fiscal year from ${firstMonth.slice(0, 7)} to ${lastMonth.slice(0, 7)} is closed.`,
        data: { first_month: firstMonth, last_month: lastMonth, entry_id: entry?.id ?? null },
        ...forApproval({ entries, effects }),
      };
    },
  }),
];
