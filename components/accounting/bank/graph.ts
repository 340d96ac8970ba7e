import type { GraphModule } from '@steward/graphql';
import { doing, enumOf, inputOf, objectOf, type Given, weigh } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { day, idArgument, pageArguments, textArgument } from '../graph-arguments.ts';
import { moneyType } from '../money/graph.ts';
import { pageType } from '../page-type.ts';
import type { CsvColumns } from './files/headings.ts';
import { importStatement } from './import.ts';
import { skippedLine } from './known.ts';
import { bankLine } from './line.ts';
import { listLines } from './list-lines.ts';
import { matchLine } from './match.ts';
import { postLine } from './post-line.ts';
import { suggest } from './suggest.ts';
import { unmatch } from './unmatch.ts';

/** Bank statements and matches in the GraphQL API. */
export const bankGraph: GraphModule = (builder) => {
  moneyType(builder);
  const format = enumOf(builder, 'BankStatementFormat', importStatement.input.shape.format);
  objectOf(builder, 'BankMatch', bankLine.answer.shape.matches.element);
  const line = objectOf(builder, 'BankLine', bankLine.answer, {
    description: 'A line of a bank statement, and the entries that explain it.',
    members: { amount: 'Incoming amounts are positive.', matches: { extensions: weigh({ size: 2 }) } },
  });
  const page = pageType(builder, 'BankLinePage', line);
  objectOf(builder, 'BankSuggestionPart', suggest.answer.element.shape.parts.element);
  const suggestion = objectOf(builder, 'BankSuggestion', suggest.answer.element, {
    without: ['number', 'date', 'narration'],
    members: {
      kind: { type: 'String', description: 'entry, entries or rule' },
      score: '0 to 100',
      entryId: { type: 'String' },
      ruleId: { type: 'String' },
      parts: {
        description: 'Of entries: each with its part, as a match takes them.',
        extensions: weigh({ size: 3 }),
      },
    },
  });
  objectOf(builder, 'SkippedBankLine', skippedLine, {
    description: 'A line of the file that was skipped.',
    members: {
      line: 'Line number in the file.',
      reason: { type: 'String', description: 'known, likely_double, no_amount or footer' },
      lineId: 'The statement line that exists already.',
    },
  });
  const imported = objectOf(builder, 'ImportedStatement', importStatement.answer, {
    members: {
      doubles: 'Skipped because an imported file of another format seems to contain them.',
      skipped: { extensions: weigh({ size: 500 }) },
      skippedLines: 'All skipped lines of the file, such as 2-4, 9.',
    },
  });
  const part = inputOf(builder, 'BankMatchInput', matchLine.input.shape.entries.element, {
    members: { amount: 'With the sign of the line; what fits both if left out.' },
  });
  const columns = inputOf(builder, 'BankStatementColumns', importStatement.input.shape.columns.unwrap());
  builder.queryFields((t) => ({
    bankLines: t.field({
      extensions: doing('service_list_bank_lines'),
      type: page,
      description: 'Lines of an account’s bank statements by day, the earliest first.',
      args: {
        account: t.arg.string({ required: true, description: 'Code or id.' }),
        from: t.arg.string(),
        to: t.arg.string(),
        unmatched: t.arg.boolean(),
        limit: t.arg.int({ defaultValue: 50 }),
        cursor: t.arg.string(),
      },
      resolve: async (_root, { account, from, to, unmatched, limit, cursor }, { tenant }) =>
        listLines(tenant, {
          account: textArgument(account) ?? '',
          from: day(from),
          to: day(to),
          unmatched: unmatched ?? undefined,
          ...pageArguments({ limit, cursor }),
        }),
    }),
    bankSuggestions: t.field({
      type: [suggestion],
      description: 'Suggested explanations of a line, the most likely first.',
      args: { lineId: t.arg.id({ required: true }) },
      extensions: { ...weigh({ size: 10 }), ...doing('service_suggest_bank_matches') },
      resolve: async (_root, { lineId }, { tenant }) => suggest(tenant, { lineId: idArgument(lineId) }),
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
        decimalMark: t.arg.string({
          description: 'Decimal mark of a CSV file, "." or ",". Needed if its amounts do not show it.',
        }),
        bankAccount: t.arg.string({
          description: 'IBAN or account number, needed if the file contains statements of several accounts.',
        }),
        takeLines: t.arg.intList({
          description:
            'Line numbers that an earlier import skipped as likely_double and that are movements of their own.',
        }),
        columns: t.arg({
          type: columns,
          description: 'Headings of the CSV columns. Needed if the import does not recognize them.',
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
        entryId: t.arg.id({ description: 'The entry, if one explains the line.' }),
        amount: t.arg.string({ description: 'With the sign of the line; what fits both if left out.' }),
        entries: t.arg({
          type: [part],
          description: 'The parts, if several entries explain the line. All are matched or none.',
        }),
      },
      resolve: async (_root, { lineId, entryId, amount, entries }, { tenant }) => {
        const parts = [
          ...(entryId === null || entryId === undefined ? [] : [{ entryId, amount }]),
          ...(entries ?? []),
        ].map((one) => ({ entryId: idArgument(one.entryId), amount: textArgument(one.amount) }));
        if (parts.length === 0 || parts.length > 50)
          throw fail('invalid_request', 'Give 1 to 50 entries, by entryId or entries.');
        return matchLine(tenant, { lineId: idArgument(lineId), entries: parts });
      },
    }),
    unmatchBankLine: t.field({
      type: line,
      extensions: doing('service_unmatch_bank_line'),
      args: { matchId: t.arg.id({ required: true }) },
      resolve: async (_root, { matchId }, { tenant }) => unmatch(tenant, { matchId: idArgument(matchId) }),
    }),
    postBankLine: t.field({
      type: line,
      extensions: doing('service_post_bank_line'),
      description: 'Posts the open amount of a line against an account and matches the entry with the line.',
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
const headings = (given: Given<CsvColumns> | null | undefined): CsvColumns | undefined =>
  given === null || given === undefined
    ? undefined
    : (Object.fromEntries(
        Object.entries(given).flatMap(([name, head]) => {
          const text = textArgument(head);
          return text === undefined ? [] : [[name, text]];
        }),
      ) as CsvColumns);
