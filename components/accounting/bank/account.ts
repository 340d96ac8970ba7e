import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';

/** A transaction, or reads one by one. */
export type Asker = Pick<TenantTransaction, 'context' | 'query'>;

export interface BankAccount {
  readonly id: string;
  readonly code: string;
  readonly currency: string;
}

/**
 * An asset account that a bank keeps, locked against others who match or reconcile it at the same time.
 * @param name code or id
 * @throws Problem `not_found` (404), `account_unusable` (422) where it is no asset
 */
export async function bankAccount(tx: Asker, name: string): Promise<BankAccount> {
  const [row] = await tx.query<{
    account_id: string;
    code: string;
    currency: string;
    type: string;
    locked: boolean;
  }>(sql`
    select account_id, code, currency, type, pg_advisory_xact_lock(hashtextextended(account_id::text, 7)) is null as locked
    from accounting.account
    where tenant_id = ${tx.context.tenant}::uuid and (code = ${name} or account_id::text = lower(${name})) and archived_at is null`);
  if (row === undefined) throw fail('not_found', 'There is no such account in this tenant.');
  if (row.type !== 'asset' && row.type !== 'liability')
    throw booksFail(
      'account_unusable',
      `${row.code} is no account that a bank keeps: choose an asset, or a liability for a card.`,
    );
  return { id: row.account_id, code: row.code, currency: row.currency };
}
