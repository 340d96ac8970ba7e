import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { event } from '../events.ts';
import { requireRoom } from '../limits.ts';
import { Faults } from '../money.ts';
import { sells } from '../operations.ts';
import { readPlaces, requireFreePlaces } from './read-places.ts';
import { given, shippingZone } from './zone.ts';

/** @throws Problem `invalid_request` (400) with pointers, `shipping_zone_taken`, `selling_limit` (409) */
export const createShippingZone = operation(
  {
    ...sells,
    name: 'service_create_shipping_zone',
    input: z.strictObject(given),
    answer: shippingZone.answer,
    errors: ['shipping_zone_taken', 'selling_limit'],
  },
  async (scope, { name, places }) => {
    const faults = new Faults();
    const read = readPlaces(faults, places);
    faults.throw();
    return scope.write(async (tx) => {
      await requireRoom(tx, 'shipping_zone');
      await requireFreePlaces(tx, read, undefined);
      const countries = [...new Set(read.map(({ country }) => country))];
      const [row] = await tx.query(
        statement(
          `insert into checkout.shipping_zone as z (tenant_id, shipping_zone_id, name, places, countries)
           values ($1::uuid, $2::uuid, $3, $4::jsonb, $5::text[]) returning ${shippingZone.columns}`,
          [tx.context.tenant, newId(), name, JSON.stringify(read), countries],
        ),
      );
      const made = shippingZone.read(row ?? {});
      tx.record(
        event('commerce.shipping_zone.created', {
          shipping_zone_id: made.id,
          content_sha256: await contentOf(tx, 'shipping_zone', made.id),
        }),
      );
      return made;
    });
  },
);
