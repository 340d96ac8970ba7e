import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { listing, reads } from '../operations.ts';
import { selectShippingZones, shippingZone } from './zone.ts';

/** A page of zones in order of their making; those in use, or all. */
export const listShippingZones = operation(
  {
    ...reads,
    name: 'service_list_shipping_zones',
    input: z.strictObject(listing),
    answer: pageOf(shippingZone.answer),
  },
  async ({ context, read }, { limit, cursor = beforeAllIds, archived }) => {
    const rows = await read(
      selectShippingZones(
        'z.shipping_zone_id > $2::uuid and ($3 or z.archived_at is null) order by z.shipping_zone_id limit $4::int',
        context.tenant,
        cursor,
        archived,
        limit + 1,
      ),
    );
    return page(rows, limit, shippingZone.read, ({ id }) => id);
  },
);
