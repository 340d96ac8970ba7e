import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { closeBooks } from '../permissions.ts';
import { bankAccount } from './account.ts';

export interface UndoneReconciliation {
  /** The account's code. */
  readonly account: string;
  /** The day that was agreed and is no more. */
  readonly to: string;
  /** The day up to which the account is still agreed; null where that was the first. */
  readonly reconciledTo: string | null;
}

/**
 * Takes the latest reconciliation of an account back, as when the bank sends a line of those days after all: matches may change
 * again, and it is agreed anew. The reason is kept in the audit log.
 * @param input.account code or id
 * @throws Problem `not_found` (404), `not_reconciled` (409) where nothing was agreed
 */
export async function undoReconciliation(
  context: TenantContext,
  input: { readonly account: string; readonly reason: string },
): Promise<UndoneReconciliation> {
  return context.require(closeBooks).write(async (tx) => {
    const { tenant } = context;
    const account = await bankAccount(tx, input.account);
    const [last, before] = await tx.query<{ reconciliation_id: string; to_day: string }>(sql`
      select reconciliation_id, to_day::text as to_day from accounting.reconciliation
      where tenant_id = ${tenant}::uuid and account_id = ${account.id}::uuid and undone_at is null order by to_day desc limit 2`);
    if (last === undefined)
      throw booksFail('not_reconciled', `${account.code} was never agreed with its bank, or that was taken back.`);
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
    return { account: account.code, to: last.to_day, reconciledTo: before?.to_day ?? null };
  });
}
