import { sql, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';
import type { Line } from '../journal/pair.ts';
import type { Posted } from '../journal/post.ts';

/** Ids of the accounts in use that the platform itself posts to, by what they are for. */
export async function controlAccounts(tx: TenantTransaction): Promise<Readonly<Record<string, string | undefined>>> {
  const rows = await tx.query<{ control: string; account_id: string }>(sql`
    select control, account_id from accounting.account
    where tenant_id = ${tx.context.tenant}::uuid and control is not null and archived_at is null`);
  return Object.fromEntries(rows.map(({ control, account_id }) => [control, account_id]));
}

/** @throws Problem `account_unusable` (422) where the account was archived */
export function controlAccount(controls: Readonly<Record<string, string | undefined>>, control: string): string {
  const id = controls[control];
  if (id === undefined)
    throw booksFail(
      'account_unusable',
      `The books have no account in use for ${control}: add one to the chart of accounts.`,
    );
  return id;
}

/** What was posted to an account, in minor units of the base currency; credits are negative. */
export const baseOn = ({ postings }: Posted, accountId: string): bigint =>
  postings.reduce(
    (sum, { debit, credit, baseAmount }) =>
      sum + (debit === accountId ? baseAmount : 0n) - (credit === accountId ? baseAmount : 0n),
    0n,
  );

/** A line that debits an account by a signed amount: below nothing it credits it. None for nothing. */
export const debited = (accountId: string, amount: bigint, memo?: string): Line[] =>
  amount === 0n ? [] : [amount > 0n ? { accountId, debit: amount, memo } : { accountId, credit: -amount, memo }];
