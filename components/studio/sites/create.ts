import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import type { StudioDeps } from '../deps.ts';
import { requireRoom } from '../limits.ts';
import { changes } from '../operations.ts';
import { given, noBrand, originsOf, requireCeiling, site } from './site.ts';

const { status: _active, ...members } = given;

/**
 * Makes a site of a brand, of the default one where none is named.
 * @throws Problem `invalid_request` (400) with pointers, `site_limit` (409)
 */
export const createSite = operation(
  {
    ...changes,
    name: 'service_create_site',
    input: z.strictObject({
      ...members,
      origins: members.origins.optional().meta({
        default: [],
        description:
          'Origins whose pages may use the keys of the site: scheme, host and port only, such as ' +
          '`["https://shop.example.com", "http://localhost:5173"]`. https, or http for localhost; no path, no wildcard. ' +
          'Empty: servers only.',
      }),
    }),
    answer: site.answer,
    errors: ['site_limit', 'insufficient_role'],
  },
  async (scope, { name, brandId, origins = [], defaultCountry, requestsPerMinute }, deps: StudioDeps) => {
    const pages = originsOf(origins);
    requireCeiling(requestsPerMinute, deps.limits.requestsPerMinute);
    return scope.write(async (tx) => {
      const brand = await deps.brandIn(tx, brandId);
      if (brand === undefined) throw noBrand();
      await requireRoom(tx, deps.limits, 'site');
      const [row] = await tx.query(
        statement(
          `insert into studio.site as s (tenant_id, site_id, brand_id, name, origins, default_country, requests_per_minute)
           values ($1::uuid, $2::uuid, $3::uuid, $4, $5::text[], $6, $7::int) returning ${site.columns}`,
          [tx.context.tenant, newId(), brand, name, pages, defaultCountry ?? null, requestsPerMinute ?? null],
        ),
      );
      const made = site.read(row ?? {});
      const content_sha256 = await contentOf(tx, 'site', made.id);
      tx.record(event('studio.site.created', { site_id: made.id, brand_id: made.brandId, content_sha256 }));
      return made;
    });
  },
);
