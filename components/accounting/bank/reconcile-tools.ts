import { toolOf, type Tool } from '@steward/tools';
import { reconcile, reconciliationState } from './reconcile.ts';
import { undoReconciliation } from './undo-reconciliation.ts';

export const reconciliationTools: readonly Tool[] = [
  toolOf(reconciliationState, {
    core: false,
    title: 'See how far an account is reconciled',
    description:
      'The difference to a bank’s closing balance, the lines that are open, and what the bank has not seen yet.',
    say: ({ difference, unmatchedLines }) =>
      `Difference ${difference.amount} ${difference.currency}, ${unmatchedLines} lines open.`,
  }),
  toolOf(reconcile, {
    core: true,
    annotations: { destructiveHint: false },
    title: 'Reconcile an account',
    description:
      'Agrees an account with its bank up to a day, to the last unit. Its lines up to that day stay as they are then.',
    say: ({ account, to }, preview) =>
      preview ? `Would agree ${account} with its bank on ${to}.` : `${account} agrees with its bank on ${to}.`,
  }),
  toolOf(undoReconciliation, {
    core: false,
    annotations: { destructiveHint: true },
    title: 'Take a reconciliation back',
    description:
      'Takes the latest reconciliation of an account back, for a reason that is kept: its lines may change again, and it is agreed anew.',
    say: ({ account, to }, preview) =>
      preview
        ? `Would take back that ${account} agrees with its bank on ${to}.`
        : `${account} is no longer agreed with its bank on ${to}.`,
  }),
];
