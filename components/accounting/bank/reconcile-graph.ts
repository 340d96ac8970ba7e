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
    members: { outstanding: 'What the bank has not seen yet.' },
  });
  const input = inputOf(builder, 'ReconciliationInput', reconcile.input, {
    members: {
      account: 'Code or id of the account that the bank keeps.',
      to: 'YYYY-MM-DD',
      closing: 'The balance on the statement at the end of that day.',
      opening: 'For the first one of an account only.',
    },
  });
  builder.queryFields((t) => ({
    reconciliation: t.field({
      extensions: doing('service_get_reconciliation'),
      type: reconciliation,
      description: 'How far an account is from agreeing with its bank on a day. Changes nothing.',
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, { tenant }) => reconciliationState(tenant, wish(args.input)),
    }),
  }));
  builder.mutationFields((t) => ({
    reconcileAccount: t.field({
      type: reconciliation,
      extensions: doing('service_reconcile_account'),
      description: 'Agrees an account with its bank up to a day; its lines stay as they are from then on.',
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, { tenant }) => reconcile(tenant, wish(args.input)),
    }),
    undoReconciliation: t.field({
      type: 'String',
      extensions: doing('service_undo_reconciliation'),
      description:
        'Takes the latest reconciliation of an account back; answers the day that was agreed and is no more.',
      args: { account: t.arg.string({ required: true }), reason: t.arg.string({ required: true }) },
      resolve: async (_root, args, { tenant }) => {
        const reason = textArgument(args.reason)?.trim().slice(0, 500) ?? '';
        if (reason === '') throw fail('invalid_request', 'A reason is given: it is kept in the audit log.');
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
