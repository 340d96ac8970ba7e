import { operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { portalFail } from '../errors.ts';
import { branding } from '../operations.ts';
import { unknownBrand } from './brand.ts';

/**
 * Takes a brand out of use; nothing is deleted. Archived already is success.
 * @throws Problem `not_found` (404), `default_brand` (409)
 */
export const archiveBrand = operation(
  {
    ...branding,
    input: z.strictObject({ brandId: z.uuid() }),
    answer: z.void(),
    errors: ['not_found', 'default_brand'],
  },
  async (scope, { brandId }) =>
    scope.write(async (tx) => {
      const [row] = await tx.query<{ is_default: boolean; archived: boolean }>(sql`
        select is_default, archived_at is not null as archived from portal.brand where brand_id = ${brandId}::uuid for update`);
      if (row === undefined) throw unknownBrand();
      if (row.archived) return;
      if (row.is_default) throw portalFail('default_brand');
      await tx.query(sql`update portal.brand set archived_at = clock_timestamp() where brand_id = ${brandId}::uuid`);
      tx.record(event('portal.brand.archived', { brand_id: brandId }));
    }),
);
