import type { GraphModule } from '@steward/graphql';
import { doing, inputOf, objectOf, type Given } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { day, textArgument } from '../graph-arguments.ts';
import { moneyType } from '../money/graph.ts';
import { reconcile, type ReconcileInput, reconciliationState } from './reconcile.ts';
import { undoReconciliation } from './undo-reconciliation.ts';

/** Reconciliation in the GraphQL API. */
export const reconciliationGraph: GraphModule = (builder) => {
  moneyType(builder);
  const reconciliation = objectOf(builder, 'Reconciliation', reconcile.answer, {
    members: { outstanding: 'Entries that are not on a bank statement yet.' },
  });
  const input = inputOf(builder, 'ReconciliationInput', reconcile.input, {
    members: {
      account: 'Code or id of the bank or card account.',
      to: 'YYYY-MM-DD',
      closing: 'Closing balance of the bank statement on that day, a decimal string.',
      opening: 'Opening balance of the statement. Only for the first reconciliation of an account.',
    },
  });
  builder.queryFields((t) => ({
    reconciliation: t.field({
      extensions: doing('service_get_reconciliation'),
      type: reconciliation,
      description: 'Shows the difference between an account and its bank statement on a day. Changes nothing.',
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, { tenant }) => reconciliationState(tenant, wish(args.input)),
    }),
  }));
  builder.mutationFields((t) => ({
    reconcileAccount: t.field({
      type: reconciliation,
      extensions: doing('service_reconcile_account'),
      description:
        'Reconciles an account with its bank up to a day. Its lines up to that day cannot change afterwards.',
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, { tenant }) => reconcile(tenant, wish(args.input)),
    }),
    undoReconciliation: t.field({
      type: 'String',
      extensions: doing('service_undo_reconciliation'),
      description: 'Undoes the latest reconciliation of an account. Answers the day up to which it was reconciled.',
      args: { account: t.arg.string({ required: true }), reason: t.arg.string({ required: true }) },
      resolve: async (_root, args, { tenant }) => {
        const reason = textArgument(args.reason)?.trim().slice(0, 500) ?? '';
        if (reason === '') throw fail('invalid_request', 'Give a reason: the audit log records it.');
        const context = tenant;
        return (await undoReconciliation(context, { account: textArgument(args.account) ?? '', reason })).to;
      },
    }),
  }));
};

const wish = (given: Given<ReconcileInput>): ReconcileInput => ({
  account: textArgument(given.account) ?? '',
  to: day(given.to) ?? '',
  closing: given.closing,
  opening: given.opening ?? undefined,
});
