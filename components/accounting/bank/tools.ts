import { pageLimit } from '@steward/contract';
import { counted } from '@steward/kernel';
import { keepBooks, readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { entrySchema, forApproval, moving, snakeEntry } from '../journal/tools.ts';
import { dayText, moneySchema } from '../money/schema.ts';
import { statementFormats } from './files/statement.ts';
import { importStatement, mostLines } from './import.ts';
import type { BankLine } from './line.ts';
import { listLines } from './list-lines.ts';
import { matchLine } from './match.ts';
import { postLine } from './post-line.ts';
import { suggest } from './suggest.ts';
import { unmatch } from './unmatch.ts';

const ground = { pillar: 'accounting', area: 'bank', surfaces: ['public', 'internal'], personas: [] } as const;
const read = {
  ...ground,
  kind: 'query',
  tier: 'read',
  annotations: { idempotentHint: true },
  requires: readBooks,
} as const;
const keep = {
  ...ground,
  kind: 'command',
  tier: 'write',
  annotations: { destructiveHint: false },
  requires: keepBooks,
} as const;
const account = z.string().min(1).max(40).meta({ description: 'Code or id of the account that the bank keeps.' });

const line = z.object({
  id: z.string(),
  day: z.string(),
  amount: moneySchema,
  unmatched: moneySchema,
  description: z.string(),
  counterparty: z.string().nullable(),
  reference: z.string().nullable(),
  matches: z.array(z.object({ match_id: z.string(), entry_id: z.string(), amount: moneySchema })),
});
const snakeLine = ({ matches, ...rest }: BankLine): z.infer<typeof line> => ({
  ...rest,
  matches: matches.map(({ matchId, entryId, amount }) => ({ match_id: matchId, entry_id: entryId, amount })),
});

const left = ({ unmatched, day, description }: BankLine, preview?: string): string =>
  preview === undefined
    ? `${unmatched.amount} ${unmatched.currency} of the line is open.`
    : `Would ${preview} the line of ${day}, ${description}: ${unmatched.amount} ${unmatched.currency} of it would be open.`;

export const bankTools: readonly Tool[] = [
  tool({
    ...keep,
    core: true,
    name: 'service_import_bank_statement',
    title: 'Import a bank statement',
    description:
      'Takes a file of a bank: CSV, OFX or CAMT.053. Lines that came before are left out, so overlapping files do no harm, and every line left out is told. A line that a file of another format seems to have brought is left out as likely_double: import the file again with take_lines where it is another movement.',
    input: z.strictObject({
      account,
      format: z.enum(statementFormats),
      content: z.string().min(1).max(900_000).meta({ description: 'The file as text.' }),
      columns: z
        .strictObject({
          date: z.string().max(100).optional(),
          amount: z.string().max(100).optional(),
          debit: z.string().max(100).optional(),
          credit: z.string().max(100).optional(),
          description: z.string().max(100).optional(),
          counterparty: z.string().max(100).optional(),
          reference: z.string().max(100).optional(),
          id: z.string().max(100).optional(),
          direction: z
            .string()
            .max(100)
            .optional()
            .meta({ description: 'Beside an amount without sign: whether it came in or went out.' }),
        })
        .optional()
        .meta({ description: 'Headings of the CSV columns, where they are not the customary ones.' }),
      day_first: z.boolean().optional().meta({ description: 'Whether 01/02/2026 is the first of February.' }),
      decimal_mark: z
        .enum(['.', ','])
        .optional()
        .meta({ description: 'Of a CSV file, where its amounts do not show it: which mark stands before cents.' }),
      bank_account: z
        .string()
        .min(1)
        .max(60)
        .optional()
        .meta({ description: 'IBAN or number of the account in the file, where it holds statements of several.' }),
      take_lines: z
        .array(z.int().min(1).max(1_000_000))
        .max(mostLines)
        .optional()
        .meta({ description: 'Lines of the file, told as likely_double before, that are movements of their own.' }),
    }),
    output: z.object({
      statement_id: z.string(),
      added: z.int(),
      known: z.int(),
      doubles: z.int(),
      skipped: z.array(
        z.object({
          line: z.int(),
          reason: z.enum(['known', 'likely_double', 'no_amount', 'footer']),
          day: z.string().nullable(),
          description: z.string(),
          line_id: z.string().nullable(),
        }),
      ),
      skipped_lines: z.string().meta({ description: 'All lines of the file that were left out, such as 2-4, 9.' }),
      opening: moneySchema.nullable(),
      closing: moneySchema.nullable(),
    }),
    run: async (call, { day_first, decimal_mark, bank_account, take_lines, ...input }) => {
      const { statementId, skipped, skippedLines, ...rest } = await importStatement(call.context, {
        ...input,
        dayFirst: day_first,
        decimalMark: decimal_mark,
        bankAccount: bank_account,
        takeLines: take_lines,
      });
      const doubled =
        rest.doubles === 0
          ? ''
          : ` ${rest.doubles} left out because they seem to be there from a file of another format: see likely_double in skipped, and import the file again with take_lines for those that are not.`;
      return {
        summary: call.preview
          ? `Would add ${counted(rest.added, 'line')}; known before: ${rest.known}.${doubled}`
          : `${counted(rest.added, 'new line')}, ${rest.known} known before.${doubled}`,
        data: {
          statement_id: statementId,
          ...rest,
          skipped: skipped.map(({ lineId, ...one }) => ({ ...one, line_id: lineId })),
          skipped_lines: skippedLines,
        },
      };
    },
  }),
  tool({
    ...read,
    core: true,
    name: 'service_list_bank_lines',
    title: 'List bank statement lines',
    description: 'Lists the lines of an account’s statements by day, with what explains them and what of them is open.',
    input: z.strictObject({
      account,
      from: dayText.optional(),
      to: dayText.optional(),
      unmatched: z.boolean().optional().meta({ description: 'Only lines that are not explained in full.' }),
      limit: pageLimit,
      cursor: z.string().max(100).optional(),
    }),
    output: z.object({ lines: z.array(line), next_cursor: z.string().nullable() }),
    run: async (call, { limit, cursor, ...filter }) => {
      const page = await listLines(call.context, filter, { limit, cursor });
      return {
        summary: `${counted(page.items.length, 'line')}.${page.nextCursor === null ? '' : ' There are more.'}`,
        data: { lines: page.items.map(snakeLine), next_cursor: page.nextCursor },
      };
    },
  }),
  tool({
    ...read,
    core: true,
    name: 'service_suggest_bank_matches',
    title: 'Suggest matches for a bank line',
    description:
      'What may explain a line, each with a score and a reason: entries of the same amount, several that make it up together (parts, as service_match_bank_line takes them), and accounts by rule.',
    input: z.strictObject({ line_id: z.uuid() }),
    output: z.object({
      suggestions: z.array(
        z.object({
          kind: z.enum(['entry', 'entries', 'rule']),
          score: z.int(),
          reason: z.string(),
          entry_id: z.string().nullable(),
          number: z.string().nullable(),
          date: z.string().nullable(),
          narration: z.string().nullable(),
          rule_id: z.string().nullable(),
          account_code: z.string().nullable(),
          amount: moneySchema,
          parts: z.array(
            z.object({
              entry_id: z.string(),
              number: z.string(),
              date: z.string(),
              narration: z.string(),
              amount: moneySchema,
            }),
          ),
        }),
      ),
    }),
    run: async (call, { line_id }) => {
      const suggestions = await suggest(call.context, line_id);
      return {
        summary:
          suggestions[0] === undefined
            ? 'Nothing fits.'
            : `${counted(suggestions.length, 'suggestion')}; the best: ${suggestions[0].reason}`,
        data: {
          suggestions: suggestions.map(({ entryId, ruleId, accountCode, parts, ...rest }) => ({
            ...rest,
            parts: parts.map(({ entryId: part, ...one }) => ({ ...one, entry_id: part })),
            entry_id: entryId,
            rule_id: ruleId,
            account_code: accountCode,
          })),
        },
      };
    },
  }),
  tool({
    ...keep,
    core: true,
    name: 'service_match_bank_line',
    title: 'Match a bank line',
    description: 'Explains a line by one or more posted entries, in parts where they are several. All parts or none.',
    input: z.strictObject({
      line_id: z.uuid(),
      entries: z
        .array(
          z.strictObject({
            entry_id: z.uuid(),
            amount: z
              .string()
              .max(40)
              .optional()
              .meta({ description: 'With the sign of the line; what fits both if left out.' }),
          }),
        )
        .min(1)
        .max(50),
    }),
    output: z.object({ line }),
    run: async (call, { line_id, entries }) => {
      const parts = entries.map(({ entry_id, amount }) => ({ entryId: entry_id, amount }));
      const found = await matchLine(call.context, line_id, parts);
      return {
        summary: left(found, call.preview ? 'match' : undefined),
        data: { line: snakeLine(found) },
      };
    },
  }),
  tool({
    ...keep,
    core: false,
    name: 'service_unmatch_bank_line',
    title: 'Take a match back',
    description: 'Takes the explanation of a line back; the entry stays.',
    input: z.strictObject({ match_id: z.uuid() }),
    output: z.object({ line }),
    run: async (call, { match_id }) => {
      const found = await unmatch(call.context, match_id);
      return {
        summary: left(found, call.preview ? 'take a match back of' : undefined),
        data: { line: snakeLine(found) },
      };
    },
  }),
  tool({
    ...keep,
    tier: 'approval',
    core: false,
    name: 'service_post_bank_line',
    title: 'Post a bank line',
    description:
      'Posts what is open of a line against an account and matches the two: charges, interest, what has no document.',
    input: z.strictObject({
      line_id: z.uuid(),
      account: z.string().min(1).max(40).meta({ description: 'Code or id of the account on the other side.' }),
      narration: z.string().trim().min(1).max(2000).optional(),
    }),
    output: z.object({ line, entry: entrySchema }),
    approval: moving,
    run: async (call, { line_id, account: target, narration }) => {
      const posted = await postLine(call.context, { lineId: line_id, account: target, narration });
      return {
        summary: call.preview
          ? `Would post an entry of ${posted.entry.date} that explains the line: ${posted.line.description}`
          : `Entry ${posted.entry.number} of ${posted.entry.date} explains the line.`,
        data: { line: snakeLine(posted.line), entry: snakeEntry(posted.entry) },
        ...forApproval({ entries: [posted.entry], effects: posted.effects }),
      };
    },
  }),
];
