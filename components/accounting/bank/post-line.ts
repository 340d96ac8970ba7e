import { operation } from '@steward/access';
import { parseAmount } from '@steward/kernel';
import { z } from 'zod';
import { booksFail, missingAt } from '../errors.ts';
import { effect, effects } from '../journal/effects.ts';
import { entry } from '../journal/entry.ts';
import { entryIn } from '../journal/get.ts';
import { post } from '../journal/post.ts';
import { accountIds } from '../journal/read-lines.ts';
import { decides } from '../operations.ts';
import { bankLine } from './line.ts';
import { addMatches, lineIn, openLine } from './match.ts';

/**
 * Posts what is open of a line against an account, on the line's day, and matches the two: bank charges, interest, what has no
 * document.
 * @throws Problem `match_exceeds`, `reconciled` (409), and as `post` does
 */
export const postLine = operation(
  {
    ...decides,
    area: 'bank',
    name: 'service_post_bank_line',
    input: z.strictObject({
      lineId: z.uuid().meta({ description: 'From service_list_bank_lines.' }),
      account: z.string().min(1).max(40).meta({ description: 'Code or id of the account to post against.' }),
      narration: z
        .string()
        .trim()
        .min(1)
        .max(2000)
        .optional()
        .meta({ description: 'What it is for. Default: the text of the line.' }),
    }),
    answer: z.object({ line: bankLine.answer, entry: entry.answer, effects: z.array(effect) }),
    errors: {
      not_found: 'lineId',
      match_exceeds: 'lineId',
      reconciled: 'lineId',
      period_closed: 'lineId',
      rate_missing: 'lineId',
      account_unusable: 'account',
      control_account: 'account',
      unbalanced_entry: 'account',
      amount_too_large: 'account',
    },
  },
  async (scope, input) =>
    scope.write(async (tx) => {
      const line = await openLine(tx, input.lineId);
      const { unmatched } = await lineIn(tx, input.lineId);
      const open = parseAmount(unmatched.amount, unmatched.currency) ?? 0n;
      if (open === 0n) throw booksFail('match_exceeds', 'The line has no open amount: it is fully matched.');
      const target = (await accountIds(tx, [input.account])).get(input.account);
      if (target === undefined)
        throw missingAt(
          '/account',
          'There is no such account in this tenant: list the accounts for their codes and ids.',
        );
      const size = open < 0n ? -open : open;
      const [debit, credit] = open > 0n ? [line.accountId, target] : [target, line.accountId];
      const posted = await post(tx, {
        date: line.day,
        currency: line.currency,
        narration: input.narration ?? (line.description === '' ? 'Bank statement line' : line.description),
        kind: 'bank_line',
        sourceId: line.id,
        lines: [
          { accountId: debit, debit: size },
          { accountId: credit, credit: size },
        ],
      });
      await addMatches(tx, line, [{ entryId: posted.id }]);
      return {
        line: await lineIn(tx, line.id),
        entry: await entryIn(tx, posted.id),
        effects: await effects(tx, [posted.id]),
      };
    }),
);
