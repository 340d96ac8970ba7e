import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import type { StudioDeps } from '../deps.ts';
import { studioFail } from '../errors.ts';
import { changes } from '../operations.ts';
import { bySite, given, holdSite, noBrand, originsOf, requireCeiling, site } from './site.ts';

const recorded = {
  name: 'name',
  brandId: 'brand',
  origins: 'origins',
  status: 'status',
  defaultCountry: 'default_country',
  requestsPerMinute: 'requests_per_minute',
} as const;
const members = Object.keys(recorded) as (keyof typeof recorded)[];

/**
 * Changes what is given and nothing else. A disabled site's keys are refused and its forms are not served, at once here
 * and within a second in every other process.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `brand_archived` (409): it would serve an archived brand
 */
export const updateSite = operation(
  {
    ...changes,
    name: 'service_update_site',
    input: z.strictObject({
      ...bySite,
      ...given,
      name: given.name.optional(),
      brandId: given.brandId.meta({ description: 'From service_list_brands.' }),
      origins: given.origins.optional().meta({ description: 'The whole list: it replaces the present origins.' }),
    }),
    answer: site.answer,
    errors: ['insufficient_role', 'not_found', 'brand_archived'],
  },
  async (scope, { siteId, ...asked }, deps: StudioDeps) => {
    const change = { ...asked, origins: asked.origins === undefined ? undefined : originsOf(asked.origins) };
    requireCeiling(change.requestsPerMinute, deps.limits.requestsPerMinute);
    return scope.write(async (tx) => {
      // Before the site, as who archives the brand takes them.
      if (change.brandId !== undefined && (await deps.brandIn(tx, change.brandId)) === undefined) throw noBrand();
      const before = await holdSite(tx, siteId);
      const changed = members.filter(
        (member) => change[member] !== undefined && JSON.stringify(change[member]) !== JSON.stringify(before[member]),
      );
      if (changed.length === 0) return asItWas(before);
      const next = { ...before, ...Object.fromEntries(changed.map((member) => [member, change[member]])) };
      if (
        next.status === 'active' &&
        before.status !== 'active' &&
        (await deps.brandIn(tx, next.brandId)) === undefined
      )
        throw studioFail('brand_archived', 'Name a brand in use with the site: nothing is sold under an archived one.');
      const [row] = await tx.query(
        statement(
          `update studio.site s set name = $3, brand_id = $4::uuid, origins = $5::text[], status = $6, default_country = $7,
             requests_per_minute = $8::int, version = version + 1, updated_at = clock_timestamp()
           where s.tenant_id = $1::uuid and s.site_id = $2::uuid returning ${site.columns}`,
          [
            tx.context.tenant,
            siteId,
            next.name,
            next.brandId,
            next.origins,
            next.status,
            next.defaultCountry,
            next.requestsPerMinute,
          ],
        ),
      );
      const after = site.read(row ?? {});
      const fields = changed.map((member) => recorded[member]);
      const content_sha256 = await contentOf(tx, 'site', before.id);
      tx.record(event('studio.site.updated', { site_id: before.id, fields, version: after.version, content_sha256 }));
      if (after.status !== before.status)
        tx.record(
          event(after.status === 'disabled' ? 'studio.site.disabled' : 'studio.site.enabled', { site_id: before.id }),
        );
      tx.afterCommit(() => deps.forget.site(before.id));
      return after;
    });
  },
);
