import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { booksFail } from '../errors.ts';

export const bankAccountName = z
  .string()
  .min(1)
  .max(40)
  .meta({ description: 'Code or id of the bank or card account.' });

/** A transaction, or reads one by one. */
export type Asker = Pick<TenantTransaction, 'context' | 'query'>;

export interface BankAccount {
  readonly id: string;
  readonly code: string;
  readonly currency: string;
  /** Whether that is the base currency: then entries in any currency move it, by their base amounts. */
  readonly inBase: boolean;
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
    in_base: boolean;
    type: string;
    locked: boolean;
  }>(sql`
    select a.account_id, a.code, a.currency, a.currency = b.base_currency as in_base, a.type,
      pg_advisory_xact_lock(hashtextextended(a.account_id::text, 7)) is null as locked
    from accounting.account a join accounting.book b on b.tenant_id = a.tenant_id
    where a.tenant_id = ${tx.context.tenant}::uuid and (a.code = ${name} or a.account_id::text = lower(${name}))
      and a.archived_at is null`);
  if (row === undefined)
    throw fail('not_found', 'There is no such account in this tenant: list the accounts for their codes and ids.');
  if (row.type !== 'asset' && row.type !== 'liability')
    throw booksFail(
      'account_unusable',
      `${row.code} cannot be a bank account: choose an asset account, or a liability account for a card.`,
    );
  return { id: row.account_id, code: row.code, currency: row.currency, inBase: row.in_base };
}
