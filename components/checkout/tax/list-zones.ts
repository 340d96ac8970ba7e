import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { listing, reads } from '../operations.ts';
import { selectZones, taxZone } from './zone.ts';

/** A page of zones in order of their making; those in use, or all. */
export const listTaxZones = operation(
  {
    ...reads,
    name: 'service_list_tax_zones',
    input: z.strictObject(listing),
    answer: pageOf(taxZone.answer),
  },
  async ({ context, read }, { limit, cursor = beforeAllIds, archived }) => {
    const rows = await read(
      selectZones(
        'z.tax_zone_id > $2::uuid and ($3 or z.archived_at is null) order by z.tax_zone_id limit $4::int',
        context.tenant,
        cursor,
        archived,
        limit + 1,
      ),
    );
    return page(rows, limit, taxZone.read, ({ id }) => id);
  },
);
