import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { z } from 'zod';
import { entry, type Entry } from './entry.ts';
import { getEntry } from './get.ts';
import { listEntries } from './list.ts';
import { postEntry } from './record.ts';
import { reverseEntry } from './reverse.ts';
import { asking, farInWords } from '../money/far.ts';
import { postingOne, sumOf } from './traits.ts';

const shows = under('entry', entry.answer);
/** Beside the entry, what it did to the books is for approvers. */
const posts = {
  ...postingOne,
  annotations: { destructiveHint: false },
  shows: { schema: shows.schema, of: ({ entry: one }: { readonly entry: Entry }) => ({ entry: one }) },
} as const;
const called = (one: Entry): string => `Entry ${one.number} of ${one.date} over ${sumOf(one)}: ${one.narration}`;

const far = ({ date }: Entry): string | undefined => farInWords({ date });

export const journalTools: readonly Tool[] = [
  toolOf(postEntry, {
    ...posts,
    core: true,
    title: 'Post a journal entry',
    description:
      'Posts a journal entry of two or more lines; debits must equal credits. A posted entry never changes: undo it with ' +
      'service_reverse_journal_entry. Invoices, bills and payments post their own entries.',
    warn: ({ entry: one }) => far(one),
    say: ({ entry: one }, preview) =>
      preview
        ? asking(`Would post an entry of ${one.date} over ${sumOf(one)}: ${one.narration}`, far(one))
        : called(one),
  }),
  toolOf(reverseEntry, {
    ...posts,
    core: false,
    title: 'Reverse a journal entry',
    description:
      'Undoes a posted entry by posting a reversing entry on a day. Both entries stay. An entry can be reversed once. ' +
      'If it was posted for a bank line, the line is open again.',
    takes: { id: 'entryId' },
    say: ({ entry: one, reversed, lines }, preview) => {
      const which = `entry ${reversed.number} of ${reversed.date} (${reversed.narration})`;
      return preview
        ? `Would reverse ${which} over ${sumOf(one)} on ${one.date}${lines.length === 0 ? '' : ' and open its bank line again'}: ${one.narration}`
        : `Entry ${one.number} of ${one.date} over ${sumOf(one)} reverses ${which}.${lines.length === 0 ? '' : ' Its bank line is open again.'}`;
    },
  }),
  toolOf(listEntries, {
    core: true,
    title: 'List journal entries',
    description: 'Lists posted entries, the latest number first. Lines are included only with include_lines.',
    takes: { lines: 'includeLines' },
    shows: {
      schema: z.object({ entries: z.array(entry.answer.partial({ lines: true })), nextCursor: z.string().nullable() }),
      of: ({ items, nextCursor }) => ({
        // An entry has lines: where there are none, they were not asked for.
        entries: items.map(({ lines, ...one }) => (lines.length === 0 ? one : { ...one, lines })),
        nextCursor,
      }),
    },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'entry', 'entries')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(getEntry, {
    core: false,
    title: 'Get a journal entry',
    description: 'Reads one posted entry with its lines.',
    takes: { id: 'entryId' },
    shows,
    say: called,
  }),
];
