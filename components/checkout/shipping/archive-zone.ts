import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { sells } from '../operations.ts';
import { byShippingZone, holdShippingZone, shippingZone } from './zone.ts';

/** Takes a zone out of use with its options: nothing is shipped there any more. Archived already is success. @throws Problem `not_found` (404) */
export const archiveShippingZone = operation(
  {
    ...sells,
    name: 'service_archive_shipping_zone',
    input: z.strictObject(byShippingZone),
    answer: shippingZone.answer,
    errors: ['not_found'],
  },
  async (scope, { shippingZoneId }) =>
    scope.write(async (tx) => {
      const before = await holdShippingZone(tx, shippingZoneId);
      if (before.archived) return asItWas(before);
      const [row] = await tx.query(
        statement(
          `update checkout.shipping_zone z set archived_at = clock_timestamp()
           where z.tenant_id = $1::uuid and z.shipping_zone_id = $2::uuid returning ${shippingZone.columns}`,
          [tx.context.tenant, shippingZoneId],
        ),
      );
      tx.record(event('commerce.shipping_zone.archived', { shipping_zone_id: before.id }));
      return shippingZone.read(row ?? {});
    }),
);
