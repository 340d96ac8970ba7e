import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { posting } from '../journal/traits.ts';
import { importStatement } from './import.ts';
import { type BankLine, bankLine } from './line.ts';
import { listLines } from './list-lines.ts';
import { matchLine } from './match.ts';
import { postLine } from './post-line.ts';
import { suggest } from './suggest.ts';
import { unmatch } from './unmatch.ts';

const left = ({ unmatched, day, description }: BankLine, preview?: string): string =>
  preview === undefined
    ? `${unmatched.amount} ${unmatched.currency} of the line is open.`
    : `Would ${preview} the line of ${day}, ${description}: ${unmatched.amount} ${unmatched.currency} of it would be open.`;
const keep = { annotations: { destructiveHint: false }, shows: under('line', bankLine.answer) } as const;

export const bankTools: readonly Tool[] = [
  toolOf(importStatement, {
    core: true,
    annotations: { destructiveHint: false },
    title: 'Import a bank statement',
    description:
      'Takes a file of a bank: CSV, OFX or CAMT.053. Lines that came before are left out, so overlapping files do no harm, and every line left out is told. A line that a file of another format seems to have brought is left out as likely_double: import the file again with take_lines where it is another movement.',
    say: ({ added, known, doubles }, preview) => {
      const doubled =
        doubles === 0
          ? ''
          : ` ${doubles} left out because they seem to be there from a file of another format: see likely_double in skipped, and import the file again with take_lines for those that are not.`;
      return preview
        ? `Would add ${counted(added, 'line')}; known before: ${known}.${doubled}`
        : `${counted(added, 'new line')}, ${known} known before.${doubled}`;
    },
  }),
  toolOf(listLines, {
    core: true,
    title: 'List bank statement lines',
    description: 'Lists the lines of an account’s statements by day, with what explains them and what of them is open.',
    answers: { items: 'lines' },
    say: ({ items, nextCursor }) => `${counted(items.length, 'line')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(suggest, {
    core: true,
    title: 'Suggest matches for a bank line',
    description:
      'What may explain a line, each with a score and a reason: entries of the same amount, several that make it up together (parts, as service_match_bank_line takes them), and accounts by rule.',
    shows: under('suggestions', suggest.answer),
    say: ([best, ...others]) =>
      best === undefined ? 'Nothing fits.' : `${counted(others.length + 1, 'suggestion')}; the best: ${best.reason}`,
  }),
  toolOf(matchLine, {
    ...keep,
    core: true,
    title: 'Match a bank line',
    description: 'Explains a line by one or more posted entries, in parts where they are several. All parts or none.',
    say: (line, preview) => left(line, preview ? 'match' : undefined),
  }),
  toolOf(unmatch, {
    ...keep,
    core: false,
    title: 'Take a match back',
    description: 'Takes the explanation of a line back; the entry stays.',
    say: (line, preview) => left(line, preview ? 'take a match back of' : undefined),
  }),
  toolOf(postLine, {
    core: false,
    annotations: keep.annotations,
    title: 'Post a bank line',
    description:
      'Posts what is open of a line against an account and matches the two: charges, interest, what has no document.',
    ...posting,
    preview: ({ entry, effects }) => posting.preview({ entries: [entry], effects }),
    shows: { schema: postLine.answer.omit({ effects: true }), of: (posted) => posted },
    say: ({ line, entry }, preview) =>
      preview
        ? `Would post an entry of ${entry.date} that explains the line: ${line.description}`
        : `Entry ${entry.number} of ${entry.date} explains the line.`,
  }),
];
