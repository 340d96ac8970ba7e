import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { presentAccount, type Account } from './account.ts';

export interface AccountPage {
  readonly items: Account[];
  /** The account to go on after; null on the last page. */
  readonly nextCursor: string | null;
}

/** Accounts by code. `limit` 1–200; `after` is the last account of the page before. @throws Problem `invalid_cursor` (400) */
export async function listAccounts(
  context: TenantContext,
  page: { limit: number; after?: string | undefined; type?: string | undefined },
): Promise<AccountPage> {
  const books = context.require(readBooks);
  const after = page.after ?? null;
  const rows = await books.read(sql`
    select account_id, code, name, type, control, currency from accounting.account
    where archived_at is null and (${after}::uuid is null
      or code > (select code from accounting.account where account_id = ${after}::uuid)) and (${page.type ?? null}::text is null or type = ${page.type ?? null})
    order by code limit ${page.limit + 1}::int`);
  if (rows.length === 0 && after !== null) {
    const [known] = await books.read(sql`select 1 from accounting.account where account_id = ${after}::uuid`);
    if (known === undefined) throw fail('invalid_cursor', 'Send back the next_cursor of an earlier page as it was.');
  }
  const items = rows.slice(0, page.limit).map(presentAccount);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}
