import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import type { StudioGround } from '../ground.ts';
import { manageStudio } from '../permissions.ts';
import { holdSite, noBrand, presentSite, readSiteChange, requireCeiling, type Site, type SiteChange } from './site.ts';

/**
 * Changes what is given and nothing else. A disabled site's keys are refused and its forms are not served, at once here
 * and within a second in every other process.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers
 */
export async function updateSite(
  context: TenantContext,
  ground: StudioGround,
  siteId: string,
  input: SiteChange,
): Promise<Site> {
  const change = readSiteChange(input);
  requireCeiling(change.requestsPerMinute, ground.limits.requestsPerMinute);
  return context.require(manageStudio).write(async (tx) => {
    const before = await holdSite(tx, siteId);
    if (change.brandId !== undefined && (await ground.brandIn(tx, change.brandId)) === undefined) throw noBrand();
    const after = {
      name: change.name ?? before.name,
      brand: change.brandId ?? before.brandId,
      origins: change.origins ?? before.origins,
      status: change.status ?? before.status,
      default_country: change.defaultCountry === undefined ? before.defaultCountry : change.defaultCountry,
      requests_per_minute: change.requestsPerMinute === undefined ? before.requestsPerMinute : change.requestsPerMinute,
    };
    const was = {
      ...before,
      brand: before.brandId,
      default_country: before.defaultCountry,
      requests_per_minute: before.requestsPerMinute,
    };
    const fields = (Object.keys(after) as (keyof typeof after)[]).filter(
      (key) => JSON.stringify(after[key]) !== JSON.stringify(was[key]),
    );
    if (fields.length === 0) return before;
    const [row] = await tx.query(sql`
      update studio.site set name = ${after.name}, brand_id = ${after.brand}::uuid, origins = ${after.origins}::text[],
        status = ${after.status}, default_country = ${after.default_country},
        requests_per_minute = ${after.requests_per_minute}::int, version = version + 1,
        updated_at = clock_timestamp()
      where tenant_id = ${context.tenant}::uuid and site_id = ${siteId}::uuid
      returning site_id, brand_id, name, origins, status, default_country, requests_per_minute, version, created_at, updated_at`);
    const site = presentSite(row ?? {});
    tx.record(event('studio.site.updated', { site_id: before.id, fields, version: site.version }));
    if (site.status !== before.status)
      tx.record(
        event(site.status === 'disabled' ? 'studio.site.disabled' : 'studio.site.enabled', {
          site_id: before.id,
        }),
      );
    tx.afterCommit(() => ground.forget.site(before.id));
    return site;
  });
}
