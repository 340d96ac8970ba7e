import type { GraphModule } from '@steward/graphql';
import { doing, weigh } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { idArgument, pageArguments, textArgument } from '../graph-arguments.ts';
import { day } from '../journal/graph.ts';
import { moneyType } from '../money/graph.ts';
import { pageType } from '../page-type.ts';
import type { CsvColumns } from './files/headings.ts';
import { statementFormats } from './files/statement.ts';
import { type Imported, importStatement } from './import.ts';
import type { BankLine } from './line.ts';
import { listLines } from './list-lines.ts';
import { matchLine } from './match.ts';
import { postLine } from './post-line.ts';
import { suggest, type Suggestion } from './suggest.ts';
import { unmatch } from './unmatch.ts';

/** Bank statements and matches in the GraphQL API. */
export const bankGraph: GraphModule = (builder) => {
  const money = moneyType(builder);
  const format = builder.enumType('BankStatementFormat', { values: statementFormats });
  const match = builder.objectRef<BankLine['matches'][number]>('BankMatch').implement({
    fields: (t) => ({
      matchId: t.exposeID('matchId'),
      entryId: t.exposeID('entryId'),
      amount: t.expose('amount', { type: money }),
    }),
  });
  const line = builder.objectRef<BankLine>('BankLine').implement({
    description: 'What the bank says happened, and what explains it.',
    fields: (t) => ({
      id: t.exposeID('id'),
      day: t.exposeString('day'),
      amount: t.expose('amount', { type: money, description: 'What came in is positive.' }),
      unmatched: t.expose('unmatched', { type: money }),
      description: t.exposeString('description'),
      counterparty: t.exposeString('counterparty', { nullable: true }),
      reference: t.exposeString('reference', { nullable: true }),
      matches: t.expose('matches', { type: [match], extensions: weigh({ size: 2 }) }),
    }),
  });
  const page = pageType(builder, 'BankLinePage', line);
  const suggestedPart = builder.objectRef<Suggestion['parts'][number]>('BankSuggestionPart').implement({
    fields: (t) => ({
      entryId: t.exposeID('entryId'),
      number: t.exposeString('number'),
      date: t.exposeString('date'),
      narration: t.exposeString('narration'),
      amount: t.expose('amount', { type: money }),
    }),
  });
  const suggestion = builder.objectRef<Suggestion>('BankSuggestion').implement({
    fields: (t) => ({
      kind: t.exposeString('kind', { description: 'entry, entries or rule' }),
      score: t.exposeInt('score', { description: '0 to 100' }),
      reason: t.exposeString('reason'),
      entryId: t.exposeString('entryId', { nullable: true }),
      ruleId: t.exposeString('ruleId', { nullable: true }),
      accountCode: t.exposeString('accountCode', { nullable: true }),
      amount: t.expose('amount', { type: money }),
      parts: t.expose('parts', {
        type: [suggestedPart],
        description: 'Of entries: each with its part, as a match takes them.',
        extensions: weigh({ size: 3 }),
      }),
    }),
  });
  const skipped = builder.objectRef<Imported['skipped'][number]>('SkippedBankLine').implement({
    description: 'A line of a file that was left out.',
    fields: (t) => ({
      line: t.exposeInt('line', { description: 'In the file.' }),
      reason: t.exposeString('reason', { description: 'known, likely_double, no_amount or footer' }),
      day: t.exposeString('day', { nullable: true }),
      description: t.exposeString('description'),
      lineId: t.exposeID('lineId', { nullable: true, description: 'The line that is there.' }),
    }),
  });
  const imported = builder.objectRef<Imported>('ImportedStatement').implement({
    fields: (t) => ({
      statementId: t.exposeID('statementId'),
      added: t.exposeInt('added'),
      known: t.exposeInt('known'),
      doubles: t.exposeInt('doubles', {
        description: 'Left out because a file of another format seems to have brought them.',
      }),
      skipped: t.expose('skipped', { type: [skipped], extensions: weigh({ size: 500 }) }),
      skippedLines: t.exposeString('skippedLines', {
        description: 'All lines of the file that were left out, such as 2-4, 9.',
      }),
      opening: t.expose('opening', { type: money, nullable: true }),
      closing: t.expose('closing', { type: money, nullable: true }),
    }),
  });
  const part = builder.inputType('BankMatchInput', {
    fields: (t) => ({
      entryId: t.id({ required: true }),
      amount: t.string({ description: 'With the sign of the line; what fits both if left out.' }),
    }),
  });
  const columns = builder.inputType('BankStatementColumns', {
    fields: (t) => ({
      date: t.string(),
      amount: t.string(),
      debit: t.string(),
      credit: t.string(),
      direction: t.string(),
      description: t.string(),
      counterparty: t.string(),
      reference: t.string(),
      id: t.string(),
    }),
  });
  builder.queryFields((t) => ({
    bankLines: t.field({
      extensions: doing('service_list_bank_lines'),
      type: page,
      description: 'Lines of an account’s statements by day, the earliest first.',
      args: {
        account: t.arg.string({ required: true, description: 'Code or id.' }),
        from: t.arg.string(),
        to: t.arg.string(),
        unmatched: t.arg.boolean(),
        limit: t.arg.int({ defaultValue: 50 }),
        cursor: t.arg.string(),
      },
      resolve: async (_root, { account, from, to, unmatched, limit, cursor }, { tenant }) =>
        listLines(
          tenant,
          {
            account: textArgument(account) ?? '',
            from: day(from),
            to: day(to),
            unmatched: unmatched ?? undefined,
          },
          pageArguments({ limit, cursor }),
        ),
    }),
    bankSuggestions: t.field({
      type: [suggestion],
      description: 'What may explain a line, the likeliest first.',
      args: { lineId: t.arg.id({ required: true }) },
      extensions: { ...weigh({ size: 10 }), ...doing('service_suggest_bank_matches') },
      resolve: async (_root, { lineId }, { tenant }) => suggest(tenant, idArgument(lineId)),
    }),
  }));
  builder.mutationFields((t) => ({
    importBankStatement: t.field({
      type: imported,
      extensions: doing('service_import_bank_statement'),
      args: {
        account: t.arg.string({ required: true }),
        format: t.arg({ type: format, required: true }),
        content: t.arg.string({ required: true }),
        dayFirst: t.arg.boolean(),
        decimalMark: t.arg.string({ description: 'Of a CSV file, where its amounts do not show it: "." or ",".' }),
        bankAccount: t.arg.string({
          description: 'IBAN or number, where the file holds statements of several accounts.',
        }),
        takeLines: t.arg.intList({
          description: 'Lines told as likely_double before that are movements of their own.',
        }),
        columns: t.arg({
          type: columns,
          description: 'Headings of the CSV columns, where they are not the customary ones.',
        }),
      },
      resolve: async (_root, { account, format: kind, content, columns: heads, ...given }, { tenant }) => {
        const { dayFirst, decimalMark, bankAccount, takeLines } = given;
        const mark = decimalMark ?? undefined;
        if (mark !== undefined && mark !== '.' && mark !== ',')
          throw fail('invalid_request', 'decimalMark is "." or ",".');
        return importStatement(tenant, {
          account: textArgument(account) ?? '',
          format: kind,
          content,
          dayFirst: dayFirst ?? undefined,
          decimalMark: mark,
          bankAccount: textArgument(bankAccount),
          takeLines: takeLines ?? undefined,
          columns: headings(heads),
        });
      },
    }),
    matchBankLine: t.field({
      type: line,
      extensions: doing('service_match_bank_line'),
      args: {
        lineId: t.arg.id({ required: true }),
        entryId: t.arg.id({ description: 'The entry, where it is one.' }),
        amount: t.arg.string({ description: 'With the sign of the line; what fits both if left out.' }),
        entries: t.arg({ type: [part], description: 'Parts, where they are several. All or none.' }),
      },
      resolve: async (_root, { lineId, entryId, amount, entries }, { tenant }) => {
        const parts = [
          ...(entryId === null || entryId === undefined ? [] : [{ entryId, amount }]),
          ...(entries ?? []),
        ].map((one) => ({ entryId: idArgument(one.entryId), amount: textArgument(one.amount) }));
        if (parts.length === 0 || parts.length > 50)
          throw fail('invalid_request', 'Name 1 to 50 entries, by entryId or entries.');
        return matchLine(tenant, idArgument(lineId), parts);
      },
    }),
    unmatchBankLine: t.field({
      type: line,
      extensions: doing('service_unmatch_bank_line'),
      args: { matchId: t.arg.id({ required: true }) },
      resolve: async (_root, { matchId }, { tenant }) => unmatch(tenant, idArgument(matchId)),
    }),
    postBankLine: t.field({
      type: line,
      extensions: doing('service_post_bank_line'),
      description: 'Posts what is open of a line against an account and matches the two.',
      args: {
        lineId: t.arg.id({ required: true }),
        account: t.arg.string({ required: true }),
        narration: t.arg.string(),
      },
      resolve: async (_root, { lineId, account, narration }, { tenant }) =>
        (
          await postLine(tenant, {
            lineId: idArgument(lineId),
            account: textArgument(account) ?? '',
            narration: textArgument(narration),
          })
        ).line,
    }),
  }));
};

/** What is given of them; null says nothing. */
const headings = (
  given:
    | Readonly<Record<keyof CsvColumns, string | null | undefined>>
    | Partial<Record<keyof CsvColumns, string | null>>
    | null
    | undefined,
): CsvColumns | undefined =>
  given === null || given === undefined
    ? undefined
    : (Object.fromEntries(
        Object.entries(given).flatMap(([name, head]) => {
          const text = textArgument(head);
          return text === undefined ? [] : [[name, text]];
        }),
      ) as CsvColumns);
