import { sql, type TenantContext } from '@steward/sql';
import { readStudio } from '../permissions.ts';
import { noSite, presentSite, type Site } from './site.ts';

/** @throws Problem `not_found` (404) */
export async function getSite(context: TenantContext, siteId: string): Promise<Site> {
  const [row] = await context.require(readStudio).read(sql`
    select site_id, brand_id, name, origins, status, default_country, requests_per_minute, version, created_at, updated_at from studio.site
    where tenant_id = ${context.tenant}::uuid and site_id = ${siteId}::uuid`);
  if (row === undefined) throw noSite();
  return presentSite(row);
}
