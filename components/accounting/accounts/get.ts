import { fail, isId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { isStorable } from '../text.ts';
import { presentAccount, type Account } from './account.ts';

/**
 * @param name its code or id
 * @throws Problem `not_found` (404), for another tenant's account too
 */
export async function getAccount(context: TenantContext, name: string): Promise<Account> {
  const [id, code] = isId(name) ? [name, null] : [null, isStorable(name) ? name : null];
  const [row] = await context.require(readBooks).read(sql`
    select account_id, code, name, type, control, currency from accounting.account
    where tenant_id = ${context.tenant}::uuid and (account_id = ${id}::uuid or code = ${code}::text)`);
  if (row === undefined) throw fail('not_found', 'There is no such account in this tenant.');
  return presentAccount(row);
}
