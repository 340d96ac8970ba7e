import { beforeAllIds, page, type Page, type PageRequest, sql, type TenantContext } from '@steward/sql';
import { readStudio } from '../permissions.ts';
import { presentSite, type Site } from './site.ts';

/** A page of sites in order of their making, disabled ones too. */
export async function listSites(context: TenantContext, { limit, cursor }: PageRequest): Promise<Page<Site>> {
  const rows = await context.require(readStudio).read(sql`
    select site_id, brand_id, name, origins, status, default_country, requests_per_minute, version, created_at, updated_at from studio.site
    where tenant_id = ${context.tenant}::uuid and site_id > ${cursor ?? beforeAllIds}::uuid
    order by site_id limit ${limit + 1}::int`);
  return page(rows, limit, presentSite, ({ id }) => id);
}
