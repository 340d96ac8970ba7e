import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { changedMembers, inLog } from '../changed.ts';
import { contentOf } from '../contents.ts';
import { checkoutFail } from '../errors.ts';
import { event } from '../events.ts';
import { requireRoom } from '../limits.ts';
import { Faults } from '../money.ts';
import { sells } from '../operations.ts';
import { readPlaces, requireFreePlaces } from './read-places.ts';
import { byShippingZone, given, holdShippingZone, shippingZone } from './zone.ts';

/** Changes what is given and nothing else. @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `archived`, `shipping_zone_taken` (409) */
export const updateShippingZone = operation(
  {
    ...sells,
    name: 'service_update_shipping_zone',
    input: z.strictObject({
      ...byShippingZone,
      name: given.name.optional(),
      places: given.places.optional().meta({ description: 'The whole list: it replaces the present places.' }),
    }),
    answer: shippingZone.answer,
    errors: ['not_found', 'archived', 'shipping_zone_taken'],
  },
  async (scope, { shippingZoneId, name, places }) => {
    const faults = new Faults();
    const change = { name, places: places === undefined ? undefined : readPlaces(faults, places) };
    faults.throw();
    return scope.write(async (tx) => {
      // Before the row, as whoever adds one does.
      await requireRoom(tx, 'shipping_zone', 0);
      const before = await holdShippingZone(tx, shippingZoneId);
      if (before.archived) throw checkoutFail('archived', 'The shipping zone is archived: create another one.');
      const changed = changedMembers(before, change);
      if (changed.length === 0) return asItWas(before);
      if (changed.includes('places')) await requireFreePlaces(tx, change.places ?? [], shippingZoneId);
      const next = { name: name ?? before.name, places: change.places ?? before.places };
      const countries = [...new Set(next.places.map(({ country }) => country))];
      const [row] = await tx.query(
        statement(
          `update checkout.shipping_zone z set name = $3, places = $4::jsonb, countries = $5::text[], version = version + 1,
             updated_at = clock_timestamp()
           where z.tenant_id = $1::uuid and z.shipping_zone_id = $2::uuid returning ${shippingZone.columns}`,
          [tx.context.tenant, shippingZoneId, next.name, JSON.stringify(next.places), countries],
        ),
      );
      const after = shippingZone.read(row ?? {});
      tx.record(
        event('commerce.shipping_zone.updated', {
          shipping_zone_id: after.id,
          fields: inLog(changed),
          version: after.version,
          content_sha256: await contentOf(tx, 'shipping_zone', after.id),
        }),
      );
      return after;
    });
  },
);
