import type { GraphModule } from '@steward/graphql';
import { doing, inputOf, objectOf, taking } from '@steward/graphql/field';
import { z } from 'zod';
import { moneyType } from '../money/graph.ts';
import { reconcile, reconciliationState } from './reconcile.ts';
import { undoReconciliation } from './undo-reconciliation.ts';

/** Reconciliation in the GraphQL API. */
export const reconciliationGraph: GraphModule = (builder) => {
  moneyType(builder);
  const reconciliation = objectOf(builder, 'Reconciliation', reconcile.answer, {
    members: { outstanding: 'Entries that are not on a bank statement yet.' },
  });
  inputOf(builder, 'ReconciliationInput', reconcile.input, {
    members: {
      account: 'Code or id of the bank or card account.',
      to: 'YYYY-MM-DD',
      closing: 'Closing balance of the bank statement on that day, a decimal string.',
      opening: 'Opening balance of the statement, for the first reconciliation. Default: by opening entries.',
    },
  });
  const input = z.strictObject({ input: reconcile.input });
  builder.queryFields((t) => ({
    reconciliation: t.field({
      extensions: doing('service_get_reconciliation'),
      type: reconciliation,
      description: 'Shows the difference between an account and its bank statement on a day. Changes nothing.',
      ...taking(builder, input, async ({ input: wish }, { tenant }) => reconciliationState(tenant, wish)),
    }),
  }));
  builder.mutationFields((t) => ({
    reconcileAccount: t.field({
      type: reconciliation,
      extensions: doing('service_reconcile_account'),
      description:
        'Reconciles an account with its bank up to a day. Its lines up to that day cannot change afterwards.',
      ...taking(builder, input, async ({ input: wish }, { tenant }) => reconcile(tenant, wish)),
    }),
    undoReconciliation: t.field({
      type: 'String',
      extensions: doing('service_undo_reconciliation'),
      description: 'Undoes the latest reconciliation of an account. Answers the day up to which it was reconciled.',
      ...taking(
        builder,
        undoReconciliation.input,
        async (given, { tenant }) => (await undoReconciliation(tenant, given)).to,
      ),
    }),
  }));
};
