import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { presentAccount, type Account } from './account.ts';

/** @throws Problem `not_found` (404), for another tenant's account too */
export async function getAccount(context: TenantContext, accountId: string): Promise<Account> {
  const [row] = await context.require(readBooks).read(sql`
    select account_id, code, name, type, control, currency from accounting.account where account_id = ${accountId}::uuid`);
  if (row === undefined) throw fail('not_found', 'There is no such account in this tenant.');
  return presentAccount(row);
}
