import { sql, type TenantContext } from '@steward/sql';
import { readStudio } from '../permissions.ts';
import { noSite } from '../sites/site.ts';
import { presentKey, type SdkKey } from './key.ts';

/** A page of a site's keys in order of their making, ended ones too. @throws Problem `not_found` (404) */
export async function listKeys(
  context: TenantContext,
  siteId: string,
  page: { limit: number; after?: string | undefined },
): Promise<{ items: SdkKey[]; nextCursor: string | null }> {
  const [site = [], rows = []] = await context.require(readStudio).readAll([
    sql`select site_id from studio.site where tenant_id = ${context.tenant}::uuid and site_id = ${siteId}::uuid`,
    sql`
      select key_id, site_id, mode, last_four, label, origins, replaces, created_at, expires_at, revoked_at, last_used_at,
        expires_at <= clock_timestamp() as ended
      from studio.sdk_key where tenant_id = ${context.tenant}::uuid and site_id = ${siteId}::uuid
        and (${page.after ?? null}::uuid is null or key_id > ${page.after ?? null}::uuid)
      order by key_id limit ${page.limit + 1}::int`,
  ]);
  if (site.length === 0) throw noSite();
  const items = rows.slice(0, page.limit).map(presentKey);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}
