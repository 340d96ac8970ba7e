import type { GraphBuilder, GraphModule } from '@steward/graphql';
import { doing, objectOf, weigh } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { attachmentsOf, attachmentType } from '../attachments/graph.ts';
import { day, pageArguments } from '../graph-arguments.ts';
import { mostLines } from '../lines.ts';
import { moneyType } from '../money/graph.ts';
import { pageType } from '../page-type.ts';
import { entry, entryLine } from './entry.ts';
import { getEntry } from './get.ts';
import { listEntries } from './list.ts';
import { recordEntry } from './record.ts';
import { reverseEntry } from './reverse.ts';

/** The one `JournalEntry` of a schema, whichever module asks for it first. */
export function entryType(builder: GraphBuilder) {
  moneyType(builder);
  objectOf(builder, 'JournalLine', entryLine, {
    description: 'One line of an entry: a debit or a credit.',
    members: { base: 'In the base currency, at the rate of the entry.' },
  });
  return objectOf(builder, 'JournalEntry', entry.answer, {
    description: 'A posted entry. It is never changed; it is undone by its mirror.',
    members: {
      number: 'Without holes or reuse.',
      date: 'YYYY-MM-DD',
      rate: 'Base units for one unit of the currency.',
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
        return listEntries(tenant, { from: day(from), to: day(to), kind: kind ?? undefined }, wanted);
      },
    }),
    journalEntry: t.field({
      extensions: doing('service_get_journal_entry'),
      type,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { tenant }) => getEntry(tenant, uuid(id)),
    }),
  }));
  const lineInput = builder.inputType('JournalLineInput', {
    fields: (t) => ({
      account: t.string({ extensions: doing('service_get_account'), required: true, description: 'Code or id.' }),
      debit: t.string({ description: 'A decimal string; a line has a debit or a credit.' }),
      credit: t.string(),
      memo: t.string(),
    }),
  });
  const input = builder.inputType('JournalEntryInput', {
    fields: (t) => ({
      date: t.string({ required: true, description: 'YYYY-MM-DD' }),
      currency: t.string({ required: true }),
      rate: t.string({ description: 'Where it is not the rate set for that day.' }),
      narration: t.string({ required: true }),
      lines: t.field({ type: [lineInput], required: true }),
      idempotencyKey: t.string({
        description: 'The same key and entry again answers with the entry that was posted.',
      }),
    }),
  });
  builder.mutationFields((t) => ({
    postJournalEntry: t.field({
      type,
      extensions: doing('service_post_journal_entry'),
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, { input: given }, { tenant }) => {
        if (given.lines.length < 2 || given.lines.length > mostLines || given.narration.length > 2000)
          throw fail(
            'invalid_request',
            `An entry has 2 to ${mostLines} lines and a narration of up to 2000 characters.`,
          );
        return recordEntry(tenant, {
          date: day(given.date) ?? '',
          currency: given.currency,
          rate: given.rate ?? undefined,
          narration: given.narration,
          idempotencyKey: given.idempotencyKey ?? undefined,
          lines: given.lines.map(({ account, debit, credit, memo }) => ({
            account,
            debit: debit ?? undefined,
            credit: credit ?? undefined,
            memo: memo?.slice(0, 500),
          })),
        });
      },
    }),
    reverseJournalEntry: t.field({
      type,
      extensions: doing('service_reverse_journal_entry'),
      args: {
        id: t.arg.id({ required: true }),
        date: t.arg.string({ required: true }),
        narration: t.arg.string({ required: true }),
      },
      resolve: async (_root, { id, date, narration }, { tenant }) =>
        (
          await reverseEntry(tenant, {
            id: uuid(id),
            date: day(date) ?? '',
            narration: narration.slice(0, 2000),
          })
        ).entry,
    }),
  }));
};

const uuid = (id: string): string => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw fail('not_found', 'There is no such journal entry.');
  return id.toLowerCase();
};
