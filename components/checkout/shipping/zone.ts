import { count, field, flag, id, line, moment, type Of, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { place, placeGiven } from '../places/place.ts';

const mostPlaces = 300;

/** Where the shop ships to on the same terms: of `checkout.shipping_zone` named `z`. */
export const shippingZone = shape('z', {
  id: id('z.shipping_zone_id'),
  name: text(),
  places: field(z.array(place)),
  archived: flag('z.archived_at is not null'),
  /** Counts changes. */
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type ShippingZone = Of<typeof shippingZone>;

export const byShippingZone = { shippingZoneId: z.uuid().meta({ description: 'From service_list_shipping_zones.' }) };

/** What is given of a zone. */
export const given = {
  name: line(100).meta({ description: 'Name that people use, such as `European Union`.' }),
  places: z
    .array(placeGiven)
    .min(1)
    .max(mostPlaces)
    .meta({
      description: `Up to ${mostPlaces} countries, regions or postcodes. The most specific place of all zones decides where an address belongs.`,
    }),
};

/** Zones of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectShippingZones = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${shippingZone.columns} from checkout.shipping_zone z where z.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

/** The zone, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdShippingZone(tx: TenantTransaction, zoneId: string): Promise<ShippingZone> {
  const [row] = await tx.query(
    selectShippingZones('z.shipping_zone_id = $2::uuid for no key update', tx.context.tenant, zoneId),
  );
  if (row === undefined)
    throw fail('not_found', 'There is no such shipping zone in this tenant: list the shipping zones for their ids.');
  return shippingZone.read(row);
}
