import { sql, type TenantContext } from '@steward/sql';
import { readStudio } from '../permissions.ts';
import { presentSite, type Site } from './site.ts';

/** A page of sites in order of their making, disabled ones too; `after` is the last id of the page before. */
export async function listSites(
  context: TenantContext,
  page: { limit: number; after?: string | undefined },
): Promise<{ items: Site[]; nextCursor: string | null }> {
  const rows = await context.require(readStudio).read(sql`
    select site_id, brand_id, name, origins, status, default_country, requests_per_minute, version, created_at, updated_at from studio.site
    where tenant_id = ${context.tenant}::uuid
      and (${page.after ?? null}::uuid is null or site_id > ${page.after ?? null}::uuid)
    order by site_id limit ${page.limit + 1}::int`);
  const items = rows.slice(0, page.limit).map(presentSite);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}
