import type { GraphModule } from '@steward/graphql';
import { doing, enumOf, inputOf, objectOf, taking, weigh } from '@steward/graphql/field';
import { z } from 'zod';
import { moneyType } from '../money/graph.ts';
import { pageType } from '../page-type.ts';
import { importStatement } from './import.ts';
import { skippedLine } from './known.ts';
import { bankLine } from './line.ts';
import { bankAccountState, listBankAccounts } from './list-accounts.ts';
import { listLines } from './list-lines.ts';
import { matchLine } from './match.ts';
import { openEntries } from './open-entries.ts';
import { postLine } from './post-line.ts';
import { settleLine } from './settle-line.ts';
import { suggest } from './suggest.ts';
import { unmatch } from './unmatch.ts';

/** Bank statements and matches in the GraphQL API. */
export const bankGraph: GraphModule = (builder) => {
  moneyType(builder);
  enumOf(builder, 'BankStatementFormat', importStatement.input.shape.format);
  objectOf(builder, 'BankMatch', bankLine.answer.shape.matches.element);
  const line = objectOf(builder, 'BankLine', bankLine.answer, {
    description: 'A line of a bank statement, and the entries that explain it.',
    members: { amount: 'Incoming amounts are positive.', matches: { extensions: weigh({ size: 2 }) } },
  });
  const page = pageType(builder, 'BankLinePage', line);
  const entry = objectOf(builder, 'BankSuggestionPart', suggest.answer.element.shape.parts.element);
  const suggestion = objectOf(builder, 'BankSuggestion', suggest.answer.element, {
    members: {
      kind: { type: 'String', description: 'entry, entries, document or rule' },
      score: '0 to 100',
      number: 'Of the entry or document.',
      date: 'Of the entry, or on which the document is due.',
      narration: 'Of the entry, or whose the document is.',
      entryId: { type: 'String' },
      documentId: { type: 'String' },
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
      reason: { type: 'String', description: 'known, likely_double, no_amount, footer or not_booked' },
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
  inputOf(builder, 'BankMatchInput', matchLine.input.shape.entries.element, {
    members: { amount: 'With the sign of the line; what fits both if left out.' },
  });
  inputOf(builder, 'BankStatementColumns', importStatement.input.shape.columns.unwrap());
  const account = objectOf(builder, 'BankAccount', bankAccountState.answer, {
    description: 'An account with bank statements, and what of them is left to explain.',
    members: {
      agreedTo: 'The day up to which it is reconciled.',
      unmatchedLines: 'Later lines with an open amount.',
      unmatchedOut: 'Not above zero.',
    },
  });
  builder.queryFields((t) => ({
    bankAccounts: t.field({
      extensions: { ...weigh({ size: 20 }), ...doing('service_list_bank_lines') },
      type: [account],
      description: 'Accounts with bank statements, by code.',
      resolve: async (_root, _args, { tenant }) => listBankAccounts(tenant),
    }),
    bankLines: t.field({
      extensions: doing('service_list_bank_lines'),
      type: page,
      description: 'Lines of an account’s bank statements by day, the earliest first.',
      ...taking(builder, listLines.input, async (args, { tenant }) => listLines(tenant, args), {
        members: { account: 'Code or id.' },
      }),
    }),
    bankSuggestions: t.field({
      type: [suggestion],
      description: 'Suggested explanations of a line, the most likely first.',
      extensions: { ...weigh({ size: 10 }), ...doing('service_suggest_bank_matches') },
      ...taking(builder, ofOne, async (args, { tenant }) => suggest(tenant, args)),
    }),
    bankSuggestionsOfLines: t.field({
      type: [suggestion],
      description: 'Suggested explanations of 1 to 25 lines, at most 3 of each.',
      extensions: { ...weigh({ size: 75 }), ...doing('service_suggest_bank_matches') },
      ...taking(builder, ofSeveral, async (args, { tenant }) => suggest(tenant, args)),
    }),
    openBankEntries: t.field({
      type: [entry],
      description:
        'Entries with an open amount that move money the way a line does, within 120 days of it: those of its open amount first, then the nearest, at most 500.',
      extensions: { ...weigh({ size: 500 }), ...doing('service_suggest_bank_matches') },
      ...taking(builder, ofOne, async (args, { tenant }) => openEntries(tenant, args)),
    }),
  }));
  builder.mutationFields((t) => ({
    importBankStatement: t.field({
      type: imported,
      extensions: doing('service_import_bank_statement'),
      ...taking(builder, importStatement.input, async (args, { tenant }) => importStatement(tenant, args), {
        members: {
          decimalMark: {
            type: 'String',
            description: 'Decimal mark of a CSV file, "." or ",". Needed if its amounts do not show it.',
          },
          bankAccount: 'IBAN or account number, needed if the file contains statements of several accounts.',
          takeLines:
            'Line numbers that an earlier import skipped as likely_double and that are movements of their own.',
          columns: 'Headings of the CSV columns. Needed if the import does not recognize them.',
        },
      }),
    }),
    matchBankLine: t.field({
      type: line,
      extensions: doing('service_match_bank_line'),
      ...taking(
        builder,
        oneOrSeveral,
        async ({ lineId, entryId, amount, entries = [] }, { tenant }) =>
          matchLine(tenant, { lineId, entries: [...(entryId === undefined ? [] : [{ entryId, amount }]), ...entries] }),
        {
          members: {
            entryId: 'The entry, if one explains the line.',
            amount: 'With the sign of the line; what fits both if left out.',
            entries: 'The parts, if several entries explain the line. All are matched or none.',
          },
        },
      ),
    }),
    unmatchBankLine: t.field({
      type: line,
      extensions: doing('service_unmatch_bank_line'),
      ...taking(builder, unmatch.input, async (args, { tenant }) => unmatch(tenant, args)),
    }),
    postBankLine: t.field({
      type: line,
      extensions: doing('service_post_bank_line'),
      description: 'Posts the open amount of a line against an account and matches the entry with the line.',
      ...taking(builder, postLine.input, async (args, { tenant }) => (await postLine(tenant, args)).line),
    }),
    settleBankLine: t.field({
      type: line,
      extensions: doing('service_settle_bank_line'),
      description:
        'Records the open amount of a line as a payment, allocates it to documents and matches the payment with the line.',
      ...taking(builder, settleLine.input, async (args, { tenant }) => (await settleLine(tenant, args)).line),
    }),
  }));
};

const ofOne = z.strictObject({ lineId: suggest.input.shape.lineId.unwrap() });
const ofSeveral = z.strictObject({ lineIds: suggest.input.shape.lineIds.unwrap() });

const { lineId, entries } = matchLine.input.shape;
const oneOrSeveral = z
  .strictObject({ lineId, ...entries.element.partial({ entryId: true }).shape, entries: entries.optional() })
  .refine((given) => given.entryId !== undefined || given.entries !== undefined, {
    path: ['entries'],
    message: 'Name 1 to 50 entries, by entryId or entries',
  });
