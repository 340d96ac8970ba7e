import type { Of } from '@steward/contract';
import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { z } from 'zod';
import { posting, sumOf } from '../journal/traits.ts';
import { payment } from '../payments/payment.ts';
import { allocations, items } from '../payments/tools.ts';
import { importStatement } from './import.ts';
import { type BankLine, bankLine } from './line.ts';
import { listLines } from './list-lines.ts';
import { matchLine } from './match.ts';
import { postLine } from './post-line.ts';
import { settleLine } from './settle-line.ts';
import { suggest } from './suggest.ts';
import { unmatch } from './unmatch.ts';

const left = ({ unmatched, day, description }: BankLine, preview?: string): string =>
  preview === undefined
    ? `The open amount of the line is ${unmatched.amount} ${unmatched.currency}.`
    : `Would ${preview} the line of ${day}, ${description}: its open amount would be ${unmatched.amount} ` +
      `${unmatched.currency}.`;
const keep = { annotations: { destructiveHint: false }, shows: under('line', bankLine.answer) } as const;

const paid = (data: unknown): Of<typeof payment> => (data as { readonly payment: Of<typeof payment> }).payment;

export const bankTools: readonly Tool[] = [
  toolOf(importStatement, {
    core: true,
    annotations: { destructiveHint: false },
    title: 'Import a bank statement',
    description:
      'Imports the lines of a bank file: CSV, OFX or CAMT.053. Posts nothing. Lines that were imported before are ' +
      'skipped, so overlapping files are safe; the answer lists all skipped lines. A line that an imported file of ' +
      'another format seems to contain is skipped as likely_double: if it is another movement, import the file again with ' +
      'take_lines.',
    say: ({ added, known, doubles, skipped, skippedLines }, preview) => {
      const doubled =
        doubles === 0
          ? ''
          : ` ${doubles} skipped because an imported file of another format seems to contain them: see likely_double in ` +
            'skipped. Import the file again with take_lines for lines that are other movements.';
      const others = skipped.some(({ reason }) => reason !== 'known' && reason !== 'likely_double')
        ? ` Lines of the file that were not imported: ${skippedLines}. Read them in skipped: a payment among them is not in the books.`
        : '';
      return preview
        ? `Would add ${counted(added, 'line')}; imported before: ${known}.${doubled}${others}`
        : `${counted(added, 'new line')}, ${known} imported before.${doubled}${others}`;
    },
  }),
  toolOf(listLines, {
    core: true,
    title: 'List bank statement lines',
    description: 'Lists the bank statement lines of an account by day, with matches and open amounts.',
    answers: { items: 'lines' },
    say: ({ items, nextCursor }) => `${counted(items.length, 'line')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(suggest, {
    core: true,
    title: 'Suggest bank matches',
    description:
      'Suggests what explains bank lines: an entry, several that add up (parts, for service_match_bank_line), an open ' +
      'document (service_settle_bank_line), or an account by rule. Of several, the best 3 each.',
    shows: under('suggestions', suggest.answer),
    say: ([best, ...others]) =>
      best === undefined ? 'Nothing fits.' : `${counted(others.length + 1, 'suggestion')}; the best: ${best.reason}`,
  }),
  toolOf(matchLine, {
    ...keep,
    core: true,
    title: 'Match a bank line',
    description: 'Matches a bank line with the posted entries that explain it: all parts or none.',
    say: (line, preview) => left(line, preview ? 'match' : undefined),
  }),
  toolOf(unmatch, {
    ...keep,
    core: false,
    title: 'Undo a match',
    description: 'Undoes a match of a bank line. The entry stays posted.',
    say: (line, preview) => left(line, preview ? 'undo a match of' : undefined),
  }),
  toolOf(postLine, {
    core: false,
    annotations: keep.annotations,
    title: 'Post a bank line',
    description:
      'Posts an entry for the open amount of a bank line against an account, and matches it with the line. Use it for ' +
      'charges, interest and other lines without a document.',
    ...posting,
    preview: ({ entry, effects }) => posting.preview({ entries: [entry], effects }),
    shows: { schema: postLine.answer.omit({ effects: true }), of: (posted) => posted },
    say: ({ line, entry }, preview) =>
      preview
        ? `Would post an entry of ${entry.date} over ${sumOf(entry)} that explains the line: ${line.description}`
        : `Entry ${entry.number} of ${entry.date} over ${sumOf(entry)} explains the line.`,
  }),
  toolOf(settleLine, {
    ...posting,
    rare: true,
    core: false,
    annotations: keep.annotations,
    title: 'Settle a bank line',
    description:
      'Records the open amount of a bank line as a payment of a party on the day of the line, allocates it to documents, ' +
      'and matches the two. Use it where a document is open that the line pays. What is not allocated stays open for ' +
      'service_allocate_payment.',
    asks: {
      schema: settleLine.input.extend({ allocations: allocations.max(100).default([]) }),
      of: ({ allocations: given, ...rest }) => ({ ...rest, allocations: items(given) }),
    },
    shows: {
      schema: z.object({ line: bankLine.answer, payment: payment.answer }),
      of: ({ line, payment: one }) => ({ line, payment: one }),
    },
    approval: {
      moneyOut: (_args, { data }) => paid(data).direction === 'made',
      amount: (_args, { data }) => paid(data).amount,
      payee: (_args, { data }) => (paid(data).direction === 'made' ? paid(data).partyId : undefined),
    },
    say: ({ line, payment: { number, direction, amount, open, partyName } }, preview) => {
      const what = `${amount.amount} ${amount.currency} ${direction === 'made' ? 'to' : 'from'} ${partyName}`;
      const rest = /[1-9]/.test(open.amount);
      return preview
        ? `Would record a payment of ${what} for the line of ${line.day}, ${line.description}; ${
            rest ? `${open.amount} of it would not be` : 'all of it'
          } allocated.`
        : `Payment ${number} of ${what} explains the line; ${rest ? `${open.amount} of it is not` : 'all of it is'} allocated.`;
    },
  }),
];
