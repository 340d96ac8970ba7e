import { beforeAllIds, page, type Page, type PageRequest, sql, type TenantContext } from '@steward/sql';
import { readStudio } from '../permissions.ts';
import { noSite } from '../sites/site.ts';
import { presentKey, type SdkKey } from './key.ts';

/** A page of a site's keys in order of their making, ended ones too. @throws Problem `not_found` (404) */
export async function listKeys(
  context: TenantContext,
  siteId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<SdkKey>> {
  const [site = [], rows = []] = await context.require(readStudio).readAll([
    sql`select site_id from studio.site where tenant_id = ${context.tenant}::uuid and site_id = ${siteId}::uuid`,
    sql`
      select key_id, site_id, mode, last_four, label, origins, replaces, created_at, expires_at, revoked_at, last_used_at,
        expires_at <= clock_timestamp() as ended
      from studio.sdk_key where tenant_id = ${context.tenant}::uuid and site_id = ${siteId}::uuid
        and key_id > ${cursor ?? beforeAllIds}::uuid
      order by key_id limit ${limit + 1}::int`,
  ]);
  if (site.length === 0) throw noSite();
  return page(rows, limit, presentKey, ({ id }) => id);
}
