import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { reconcile, reconciliationState } from './reconcile.ts';
import { undoReconciliation } from './undo-reconciliation.ts';
import { routine } from '../journal/traits.ts';

export const reconciliationTools: readonly Tool[] = [
  toolOf(reconciliationState, {
    core: false,
    title: 'Get the reconciliation of an account',
    description:
      'Shows how far an account is from being reconciled: the difference to the closing balance of the bank, lines with ' +
      'an open amount, and entries that are not on a statement yet. Use it before service_reconcile_account.',
    say: ({ difference, unmatchedLines }) =>
      `Difference ${difference.amount} ${difference.currency}, ${counted(unmatchedLines, 'line')} open.`,
  }),
  toolOf(reconcile, {
    core: true,
    annotations: { destructiveHint: false },
    approval: routine,
    title: 'Reconcile an account',
    description:
      'Reconciles an account with its bank up to a day. The balances must agree exactly. Its lines up to that day cannot ' +
      'change afterwards; service_undo_reconciliation undoes it.',
    say: ({ account, to }, preview) =>
      preview ? `Would reconcile ${account} up to ${to}.` : `${account} is reconciled up to ${to}.`,
  }),
  toolOf(undoReconciliation, {
    core: false,
    annotations: { destructiveHint: true },
    approval: routine,
    title: 'Undo a reconciliation',
    description:
      'Undoes the latest reconciliation of an account, so that its lines can change again. The audit log records the ' +
      'reason.',
    say: ({ account, to }, preview) =>
      preview
        ? `Would undo the reconciliation of ${account} up to ${to}.`
        : `The reconciliation of ${account} up to ${to} is undone.`,
  }),
];
