import { sql, type TenantContext } from '@steward/sql';
import { readTenant } from '../permissions.ts';
import { presentBrand, type Brand } from './brand.ts';

/** A page of brands in order of their making; `after` is the last id of the page before. */
export async function listBrands(
  context: TenantContext,
  page: { limit: number; after?: string | undefined },
): Promise<{ items: Brand[]; nextCursor: string | null }> {
  const rows = await context.require(readTenant).read(sql`
    select brand_id, name, is_default, created_at from portal.brand
    where archived_at is null and (${page.after ?? null}::uuid is null or brand_id > ${page.after ?? null}::uuid)
    order by brand_id limit ${page.limit + 1}::int`);
  const items = rows.slice(0, page.limit).map(presentBrand);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}
