import type { GraphBuilder, GraphModule } from '@steward/graphql';
import { doing, inputOf, objectOf, taking, weigh } from '@steward/graphql/field';
import { z } from 'zod';
import { attached } from '../attachments/graph.ts';
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
      attachments: t.field(attached(builder)),
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
      ...taking(builder, listEntries.input, async (args, { tenant }) => listEntries(tenant, { ...args, lines: true }), {
        without: ['lines'],
        members: {
          kind: { type: 'String', description: 'Only entries of this kind, such as journal, invoice or reversal.' },
        },
      }),
    }),
    journalEntry: t.field({
      extensions: doing('service_get_journal_entry'),
      type,
      ...taking(builder, getEntry.input, async (args, { tenant }) => getEntry(tenant, args)),
    }),
  }));
  inputOf(builder, 'JournalLineInput', lineInput, {
    members: {
      account: { description: 'Code or id.', extensions: doing('service_get_account') },
      debit: 'A decimal string. Each line has either a debit or a credit.',
    },
  });
  inputOf(builder, 'JournalEntryInput', entryInput, {
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
      ...taking(builder, z.strictObject({ input: entryInput }), async ({ input }, { tenant }) =>
        recordEntry(tenant, input),
      ),
    }),
    reverseJournalEntry: t.field({
      type,
      extensions: doing('service_reverse_journal_entry'),
      ...taking(builder, reverseEntry.input, async (args, { tenant }) => (await reverseEntry(tenant, args)).entry),
    }),
  }));
};
