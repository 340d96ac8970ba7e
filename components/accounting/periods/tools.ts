import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { z } from 'zod';
import { closing, routine } from '../journal/traits.ts';
import { closeMonth } from './close.ts';
import { closeYear } from './close-year.ts';
import { listPeriods } from './list.ts';
import { reopenMonth } from './reopen.ts';

const idempotent = { core: false, annotations: { idempotentHint: true } } as const;

interface Held {
  readonly entries: number;
  readonly drafts: number;
  readonly bankLines: number;
}
const inWords = ({ entries, drafts, bankLines }: Held): string =>
  `${counted(entries, 'entry', 'entries')}, ${counted(drafts, 'draft')} and ${counted(bankLines, 'unmatched bank line')} dated in it`;

export const periodTools: readonly Tool[] = [
  toolOf(listPeriods, {
    core: false,
    title: 'List accounting periods',
    description: 'Lists months with entries and closed months. A month that is not listed is open.',
    shows: under('periods', listPeriods.answer),
    say: (periods) =>
      `${counted(periods.length, 'month')}, ${periods.filter(({ status }) => status === 'closed').length} closed.`,
  }),
  toolOf(closeMonth, {
    ...idempotent,
    approval: routine,
    title: 'Close a month',
    description:
      'Closes a month that is over, or the month that runs, so that nothing can be posted into it. service_reopen_period ' +
      'opens it again. Pending actions that post into it are refused afterwards.',
    say: ({ month, ...found }, preview) =>
      preview ? `Would close ${month.slice(0, 7)}, with ${inWords(found)}.` : `${month.slice(0, 7)} is closed.`,
  }),
  toolOf(reopenMonth, {
    ...idempotent,
    approval: routine,
    title: 'Reopen a month',
    description:
      'Reopens a closed month. The audit log records the reason. A month of a closed fiscal year cannot be reopened.',
    say: ({ month, ...found }, preview) =>
      preview ? `Would reopen ${month.slice(0, 7)}, with ${inWords(found)}.` : `${month.slice(0, 7)} is open.`,
  }),
  toolOf(closeYear, {
    ...idempotent,
    final: true,
    title: 'Close a fiscal year',
    description:
      'Closes all months of the fiscal year that contains a day, and carries its profit to retained earnings. This cannot ' +
      'be undone.',
    ...closing,
    preview: ({ entry, effects, ...year }) => ({
      ...closing.preview({ entries: entry === null ? [] : [entry], effects }),
      year,
    }),
    shows: {
      schema: closeYear.answer.omit({ entry: true, effects: true }).extend({ entryId: z.uuid().nullable() }),
      of: ({ entry, ...closed }) => ({ ...closed, entryId: entry?.id ?? null }),
    },
    say: ({ firstMonth, lastMonth, result, ...found }, preview) =>
      preview
        ? `Would close the fiscal year from ${firstMonth.slice(0, 7)} to ${lastMonth.slice(0, 7)} for good, with ` +
          `${inWords(found)}, and carry a result of ${result.amount} ${result.currency} to retained earnings.`
        : `The fiscal year from ${firstMonth.slice(0, 7)} to ${lastMonth.slice(0, 7)} is closed.`,
  }),
];
