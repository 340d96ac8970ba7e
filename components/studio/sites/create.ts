import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import type { StudioGround } from '../ground.ts';
import { requireRoom } from '../limits.ts';
import { manageStudio } from '../permissions.ts';
import { noBrand, presentSite, readNewSite, requireCeiling, type NewSite, type Site } from './site.ts';

/**
 * Makes a site of a brand, of the default one where none is named.
 * @throws Problem `invalid_request` (400) with pointers, `site_limit` (409)
 */
export async function createSite(context: TenantContext, ground: StudioGround, input: NewSite): Promise<Site> {
  const { name, brandId, origins, defaultCountry, requestsPerMinute } = readNewSite(input);
  requireCeiling(requestsPerMinute, ground.limits.requestsPerMinute);
  return context.require(manageStudio).write(async (tx) => {
    const brand = await ground.brandIn(tx, brandId);
    if (brand === undefined) throw noBrand();
    await requireRoom(tx, ground.limits, 'site');
    const [row] = await tx.query(sql`
      insert into studio.site (tenant_id, site_id, brand_id, name, origins, default_country, requests_per_minute)
      values (${context.tenant}::uuid, ${newId()}::uuid, ${brand}::uuid, ${name}, ${origins}::text[], ${defaultCountry ?? null},
        ${requestsPerMinute ?? null}::int)
      returning site_id, brand_id, name, origins, status, default_country, requests_per_minute, version, created_at, updated_at`);
    const site = presentSite(row ?? {});
    tx.record(event('studio.site.created', { site_id: site.id, brand_id: site.brandId }));
    return site;
  });
}
