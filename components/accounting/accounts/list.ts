import { fail } from '@steward/kernel';
import { page, type Page, type PageRequest, sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { presentAccount, type Account } from './account.ts';

/** Accounts by code. A cursor is the id of an account. @throws Problem `invalid_cursor` (400) */
export async function listAccounts(
  context: TenantContext,
  { type = null }: { readonly type?: string | null | undefined },
  { limit, cursor }: PageRequest,
): Promise<Page<Account>> {
  const books = context.require(readBooks);
  const after = cursor ?? null;
  const rows = await books.read(sql`
    select account_id, code, name, type, control, currency from accounting.account
    where archived_at is null and (${after}::uuid is null
      or code > (select code from accounting.account where account_id = ${after}::uuid)) and (${type}::text is null or type = ${type})
    order by code limit ${limit + 1}::int`);
  if (rows.length === 0 && after !== null) {
    const [known] = await books.read(sql`select 1 from accounting.account where account_id = ${after}::uuid`);
    if (known === undefined) throw fail('invalid_cursor', 'Send back the next_cursor of an earlier page as it was.');
  }
  return page(rows, limit, presentAccount, ({ id }) => id);
}
