import { keepBooks, readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { amountText, dayText, moneySchema } from '../money/schema.ts';
import { type Reconciliation, reconcile, reconciliationState } from './reconcile.ts';
import { undoReconciliation } from './undo-reconciliation.ts';

const ground = { pillar: 'accounting', area: 'bank', surfaces: ['public', 'internal'], personas: [] } as const;
const account = z.string().min(1).max(40).meta({ description: 'Code or id of the account that the bank keeps.' });

const reconciliation = z.object({
  account: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  opening: moneySchema,
  closing: moneySchema,
  difference: moneySchema,
  unmatched_lines: z.int(),
  book_balance: moneySchema,
  outstanding: moneySchema,
  completed: z.boolean(),
});
const snakeReconciliation = ({
  unmatchedLines,
  bookBalance,
  ...rest
}: Reconciliation): z.infer<typeof reconciliation> => ({
  ...rest,
  unmatched_lines: unmatchedLines,
  book_balance: bookBalance,
});
const reconciles = z.strictObject({
  account,
  to: dayText,
  closing: amountText.meta({ description: 'The balance on the statement at the end of that day.' }),
  opening: amountText.optional().meta({ description: 'For the first one of an account only.' }),
});

export const reconciliationTools: readonly Tool[] = [
  tool({
    ...ground,
    kind: 'query',
    tier: 'read',
    annotations: { idempotentHint: true },
    requires: readBooks,
    core: false,
    name: 'service_get_reconciliation',
    title: 'See how far an account is reconciled',
    description:
      'The difference to a bank’s closing balance, the lines that are open, and what the bank has not seen yet.',
    input: reconciles,
    output: reconciliation,
    run: async (call, input) => {
      const data = await reconciliationState(call.context, input);
      return {
        summary: `Difference ${data.difference.amount} ${data.difference.currency}, ${data.unmatchedLines} lines open.`,
        data: snakeReconciliation(data),
      };
    },
  }),
  tool({
    ...ground,
    kind: 'command',
    tier: 'approval',
    annotations: { destructiveHint: false },
    requires: keepBooks,
    core: true,
    name: 'service_reconcile_account',
    title: 'Reconcile an account',
    description:
      'Agrees an account with its bank up to a day, to the last unit. Its lines up to that day stay as they are then.',
    input: reconciles,
    output: reconciliation,
    run: async (call, input) => {
      const data = await reconcile(call.context, input);
      return {
        summary: call.preview
          ? `Would agree ${data.account} with its bank on ${data.to}.`
          : `${data.account} agrees with its bank on ${data.to}.`,
        data: snakeReconciliation(data),
      };
    },
  }),
  tool({
    ...ground,
    kind: 'command',
    tier: 'approval',
    annotations: { destructiveHint: true },
    requires: keepBooks,
    core: false,
    name: 'service_undo_reconciliation',
    title: 'Take a reconciliation back',
    description:
      'Takes the latest reconciliation of an account back, for a reason that is kept: its lines may change again, and it is agreed anew.',
    input: z.strictObject({ account, reason: z.string().trim().min(1).max(500) }),
    output: z.object({ account: z.string(), to: z.string(), reconciled_to: z.string().nullable() }),
    run: async (call, input) => {
      const { reconciledTo, ...data } = await undoReconciliation(call.context, input);
      return {
        summary: call.preview
          ? `Would take back that ${data.account} agrees with its bank on ${data.to}.`
          : `${data.account} is no longer agreed with its bank on ${data.to}.`,
        data: { ...data, reconciled_to: reconciledTo },
      };
    },
  }),
];
