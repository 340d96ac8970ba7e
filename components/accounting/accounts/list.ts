import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { presentAccount, type Account } from './account.ts';

export interface AccountPage {
  readonly items: Account[];
  /** The code to go on after; null on the last page. */
  readonly nextCursor: string | null;
}

/** Accounts by code. `limit` 1–200; `after` is the last code of the page before. */
export async function listAccounts(
  context: TenantContext,
  page: { limit: number; after?: string | undefined; type?: string | undefined },
): Promise<AccountPage> {
  const rows = await context.require(readBooks).read(sql`
    select account_id, code, name, type, control, currency from accounting.account
    where archived_at is null and code > ${page.after ?? ''} and (${page.type ?? null}::text is null or type = ${page.type ?? null})
    order by code limit ${page.limit + 1}::int`);
  const items = rows.slice(0, page.limit).map(presentAccount);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.code ?? null) : null };
}
