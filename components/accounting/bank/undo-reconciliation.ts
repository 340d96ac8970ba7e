import { operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { closes } from '../operations.ts';
import { holdFeedsOf, settleAll } from '../feeds/settle-account.ts';
import { bankAccount, bankAccountName } from './account.ts';

/**
 * Undoes the latest reconciliation of an account, for instance if the bank sends a line of those days afterwards. Matches may change
 * again, and the account is reconciled again. The audit log keeps the reason.
 * @throws Problem `not_found` (404), `not_reconciled` (409) where there is no reconciliation
 */
export const undoReconciliation = operation(
  {
    ...closes,
    area: 'bank',
    name: 'service_undo_reconciliation',
    input: z.strictObject({
      account: bankAccountName,
      reason: z.string().trim().min(1).max(500).meta({ description: 'For the audit log.' }),
    }),
    answer: z.object({
      /** The account's code. */
      account: z.string(),
      /** The day that was agreed and is no more. */
      to: z.string(),
      /** The day up to which the account is still agreed; null where that was the first. */
      reconciledTo: z.string().nullable(),
    }),
    errors: { not_found: 'account', account_unusable: 'account', not_reconciled: 'account' },
  },
  async (scope, input) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const feeds = await holdFeedsOf(tx, input.account);
      const account = await bankAccount(tx, input.account);
      const [last, before] = await tx.query<{ reconciliation_id: string; to_day: string }>(sql`
        select reconciliation_id, to_day::text as to_day from accounting.reconciliation
        where tenant_id = ${tenant}::uuid and account_id = ${account.id}::uuid and undone_at is null order by to_day desc limit 2`);
      if (last === undefined)
        throw booksFail(
          'not_reconciled',
          `${account.code} has no reconciliation to undo: it was never reconciled, or that was undone.`,
        );
      await tx.query(sql`
        update accounting.reconciliation set undone_at = clock_timestamp()
        where tenant_id = ${tenant}::uuid and reconciliation_id = ${last.reconciliation_id}::uuid`);
      tx.record(
        event('accounting.reconciliation.undone', {
          reconciliation_id: last.reconciliation_id,
          account_id: account.id,
          to: last.to_day,
          reason: input.reason,
        }),
      );
      // What waited for those days to change.
      await settleAll(tx, feeds);
      return { account: account.code, to: last.to_day, reconciledTo: before?.to_day ?? null };
    }),
);
