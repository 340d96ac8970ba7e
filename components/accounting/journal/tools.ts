import { pageLimit } from '@steward/contract';
import { counted } from '@steward/kernel';
import { keepBooks, readBooks } from '../permissions.ts';
import { tool, type Outcome, type Tool } from '@steward/tools';
import { z } from 'zod';
import { mostLines } from '../lines.ts';
import { amountText, currencyCode, dayText, rateText } from '../money/schema.ts';
import type { Shown } from '../subledger/shown.ts';
import { entry } from './entry.ts';
import { getEntry } from './get.ts';
import { listEntries } from './list.ts';
import { recordWithEffects } from './record.ts';
import { reverseEntry } from './reverse.ts';
import { movedBy } from './traits.ts';

/** What a person is shown before they approve: the journal lines, and the balances before and after. */
export const forApproval = ({ entries, effects }: Shown) => ({ preview: { entries, balances: effects } });

const read = {
  pillar: 'accounting',
  area: 'books',
  kind: 'query',
  tier: 'read',
  surfaces: ['public', 'internal'],
  annotations: { idempotentHint: true },
  requires: readBooks,
  personas: [],
} as const;

const posts = {
  pillar: 'accounting',
  area: 'books',
  kind: 'command',
  tier: 'approval',
  surfaces: ['public', 'internal'],
  annotations: { destructiveHint: false },
  requires: keepBooks,
  personas: [],
} as const;

/** Of a command that posts: what it moves, for limits that a policy sets for it. Whether money leaves is seen by what it posts. */
export const moving = { moneyOut: false, amount: (_args: unknown, outcome: Outcome) => movedBy(outcome) } as const;
/** Of an operation that posts: approvers are shown what it does to the books. */
export const posting = {
  approval: moving,
  preview: (done: Shown) => forApproval(done).preview,
  keepsPreview: true,
} as const;

export const journalTools: readonly Tool[] = [
  tool({
    ...posts,
    core: true,
    name: 'service_post_journal_entry',
    title: 'Post a journal entry',
    description:
      'Posts an entry with two or more lines whose debits equal its credits. Posted entries are never changed: undo one ' +
      'with service_reverse_journal_entry. Invoices, bills and payments post their own entries.',
    input: z.strictObject({
      date: dayText,
      currency: currencyCode,
      rate: rateText.optional(),
      narration: z.string().trim().min(1).max(2000),
      lines: z
        .array(
          z.strictObject({
            account: z.string().min(1).max(40).meta({ description: 'Code or id, from service_list_accounts.' }),
            debit: amountText.optional(),
            credit: amountText.optional(),
            memo: z.string().max(500).optional(),
          }),
        )
        .min(2)
        .max(mostLines),
    }),
    output: z.object({ entry: entry.answer }),
    approval: moving,
    run: async (call, input) => {
      const { entry, effects } = await recordWithEffects(call.context, input);
      return {
        summary: call.preview
          ? `Would post an entry of ${entry.date}: ${entry.narration}`
          : `Entry ${entry.number} of ${entry.date}: ${entry.narration}`,
        data: { entry: entry },
        ...forApproval({ entries: [entry], effects }),
      };
    },
  }),
  tool({
    ...posts,
    core: false,
    name: 'service_reverse_journal_entry',
    title: 'Reverse a journal entry',
    description: 'Undoes a posted entry by its mirror on a day of its own. The entry stays; it is reversed once.',
    input: z.strictObject({
      entry_id: z.uuid(),
      date: dayText,
      narration: z.string().trim().min(1).max(2000),
    }),
    output: z.object({ entry: entry.answer }),
    approval: moving,
    run: async (call, { entry_id, date, narration }) => {
      const { entry, effects } = await reverseEntry(call.context, { id: entry_id, date, narration });
      return {
        summary: call.preview
          ? `Would reverse an entry on ${entry.date}: ${narration}`
          : `Entry ${entry.number} of ${entry.date} reverses it.`,
        data: { entry: entry },
        ...forApproval({ entries: [entry], effects }),
      };
    },
  }),
  tool({
    ...read,
    core: true,
    name: 'service_list_journal_entries',
    title: 'List journal entries',
    description: 'Lists posted entries, the latest number first, without their lines unless asked.',
    input: z.strictObject({
      from: dayText.optional(),
      to: dayText.optional(),
      kind: z.string().max(40).optional(),
      include_lines: z.boolean().default(false),
      limit: pageLimit,
      cursor: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
    }),
    output: z.object({ entries: z.array(entry.answer.partial({ lines: true })), next_cursor: z.string().nullable() }),
    run: async (call, { from, to, kind, include_lines, limit, cursor }) => {
      const page = await listEntries(call.context, { from, to, kind }, { limit, cursor, lines: include_lines });
      return {
        summary: `${counted(page.items.length, 'entry', 'entries')}.${page.nextCursor === null ? '' : ' There are more.'}`,
        data: {
          entries: page.items.map(({ lines, ...entry }) => (include_lines ? { ...entry, lines } : entry)),
          next_cursor: page.nextCursor,
        },
      };
    },
  }),
  tool({
    ...read,
    core: false,
    name: 'service_get_journal_entry',
    title: 'Get a journal entry',
    description: 'Reads one posted entry with its lines.',
    input: z.strictObject({ entry_id: z.uuid() }),
    output: z.object({ entry: entry.answer }),
    run: async (call, { entry_id }) => {
      const entry = await getEntry(call.context, entry_id);
      return {
        summary: `Entry ${entry.number} of ${entry.date}: ${entry.narration}`,
        data: { entry: entry },
      };
    },
  }),
];
