import type { GraphBuilder, GraphModule } from '@steward/graphql';
import { argsOf, doing, inputOf, objectOf, weigh } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { attachmentsOf, attachmentType } from '../attachments/graph.ts';
import { day, given, pageArguments } from '../graph-arguments.ts';
import { mostLines } from '../lines.ts';
import { moneyType } from '../money/graph.ts';
import { pageType } from '../page-type.ts';
import { entry, entryLine } from './entry.ts';
import { getEntry } from './get.ts';
import { listEntries } from './list.ts';
import { lineInput } from './read-lines.ts';
import { entryInput, recordEntry } from './record.ts';
import { reverseEntry } from './reverse.ts';

/** The one `JournalEntry` of a schema, whichever module asks for it first. */
export function entryType(builder: GraphBuilder) {
  moneyType(builder);
  objectOf(builder, 'JournalLine', entryLine, {
    description: 'One line of an entry: a debit or a credit.',
    members: { base: 'In the base currency, at the rate of the entry.' },
  });
  return objectOf(builder, 'JournalEntry', entry.answer, {
    description: 'A posted entry. It never changes; a reversing entry undoes it.',
    members: {
      number: 'Numbers have no gaps and are never reused.',
      date: 'YYYY-MM-DD',
      rate: 'Units of the base currency for one unit of the currency.',
      sourceId: { type: 'String' },
      reverses: { type: 'String' },
      reversedBy: { type: 'String' },
      lines: { extensions: weigh({ size: 8 }) },
    },
    fields: (t) => ({
      attachments: t.field({
        type: [attachmentType(builder).type],
        extensions: { ...weigh({ size: 2 }), ...doing('service_list_attachments') },
        resolve: async (one, _args, context) => attachmentsOf(one, context),
      }),
    }),
  });
}

/** Journal entries in the GraphQL API. */
export const journalGraph: GraphModule = (builder) => {
  const type = entryType(builder);
  const page = pageType(builder, 'JournalPage', type);
  builder.queryFields((t) => ({
    journalEntries: t.field({
      extensions: doing('service_list_journal_entries'),
      type: page,
      description: 'Posted entries, the latest number first.',
      args: {
        limit: t.arg.int({ defaultValue: 50 }),
        cursor: t.arg.string(),
        from: t.arg.string(),
        to: t.arg.string(),
        kind: t.arg.string(),
      },
      resolve: async (_root, { limit, cursor, from, to, kind }, { tenant }) => {
        const wanted = pageArguments({ limit, cursor }, 'number');
        return listEntries(tenant, { from: day(from), to: day(to), kind: kind ?? undefined, lines: true, ...wanted });
      },
    }),
    journalEntry: t.field({
      extensions: doing('service_get_journal_entry'),
      type,
      args: argsOf(builder, getEntry.input),
      resolve: async (_root, args, { tenant }) => getEntry(tenant, given(getEntry.input, args)),
    }),
  }));
  inputOf(builder, 'JournalLineInput', lineInput, {
    members: {
      account: { description: 'Code or id.', extensions: doing('service_get_account') },
      debit: 'A decimal string. Each line has either a debit or a credit.',
    },
  });
  const input = inputOf(builder, 'JournalEntryInput', entryInput, {
    members: {
      date: 'YYYY-MM-DD',
      rate: 'Default: the rate that is set for that day.',
      idempotencyKey: 'A repeat with the same key and entry answers the posted entry.',
    },
  });
  builder.mutationFields((t) => ({
    postJournalEntry: t.field({
      type,
      extensions: doing('service_post_journal_entry'),
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, { tenant }) => {
        const { lines, ...wish } = given(entryInput, args.input);
        if (lines.length < 2 || lines.length > mostLines || wish.narration.length > 2000)
          throw fail(
            'invalid_request',
            `An entry must have 2 to ${mostLines} lines and a narration of up to 2000 characters.`,
          );
        return recordEntry(tenant, {
          ...wish,
          lines: lines.map((line) => ({ ...line, memo: line.memo?.slice(0, 500) })),
        });
      },
    }),
    reverseJournalEntry: t.field({
      type,
      extensions: doing('service_reverse_journal_entry'),
      args: argsOf(builder, reverseEntry.input),
      resolve: async (_root, args, { tenant }) => {
        const { narration, ...wish } = given(reverseEntry.input, args);
        return (await reverseEntry(tenant, { ...wish, narration: narration.slice(0, 2000) })).entry;
      },
    }),
  }));
};
