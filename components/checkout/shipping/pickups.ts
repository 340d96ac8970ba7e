import { createFreshCache, type Money } from '@steward/kernel';
import type { PostalAddress } from '@steward/orders';
import { sql, type TenantContext } from '@steward/sql';
import { placesIn, selectPlaces } from '@steward/stock';
import { serveBuyers } from '../permissions.ts';
import { selectOptions, shippingOption } from './option.ts';

/** A way of fetching goods that is offered wherever the buyer is, and where. */
export interface Pickup {
  /** Of the way of shipping. */
  readonly id: string;
  readonly name: string;
  readonly price: Money;
  readonly location: { readonly id: string; readonly name: string; readonly address: PostalAddress };
}

/** Pickups of shops. */
export interface Pickups {
  /** Of all currencies where none is given, in the order in which they are shown: at most 200. A second old at most. */
  of(context: TenantContext, currency?: string): Promise<readonly Pickup[]>;
  /** Whether anything is sent to anybody. A second old at most. */
  ships(context: TenantContext): Promise<boolean>;
}

interface Kept {
  readonly pickups: readonly Pickup[];
  readonly ships: boolean;
}

export function createPickups(): Pickups {
  const known = createFreshCache<Kept>({ milliseconds: 1_000, capacity: 1_000, missing: 1 });
  const keptOf = async (context: TenantContext): Promise<Kept> =>
    (await known.get(context.tenant, async () => ({ value: await read(context) }))) ?? { pickups: [], ships: false };
  return {
    of: async (context, currency) => {
      const { pickups } = await keptOf(context);
      return currency === undefined ? pickups : pickups.filter(({ price }) => price.currency === currency);
    },
    ships: async (context) => (await keptOf(context)).ships,
  };
}

async function read(context: TenantContext): Promise<Kept> {
  const { tenant } = context;
  const [options = [], places = [], [sent] = []] = await context.require(serveBuyers).readAll([
    selectOptions(
      `o.active and o.archived_at is null and o.kind = 'pickup' and o.shipping_zone_id is null
         order by o.position, o.shipping_option_id limit 200`,
      tenant,
    ),
    selectPlaces(tenant),
    sql`
      select exists (select from checkout.shipping_option o
        join checkout.shipping_zone z on z.tenant_id = o.tenant_id and z.shipping_zone_id = o.shipping_zone_id and z.archived_at is null
        where o.tenant_id = ${tenant}::uuid and o.active and o.archived_at is null and o.kind <> 'pickup') as ships`,
  ]);
  const byId = new Map(placesIn(places).map((place) => [place.id, place]));
  const pickups = options.map(shippingOption.read).flatMap(({ id, name, amount: price, locationId }): Pickup[] => {
    const place = locationId === null ? undefined : byId.get(locationId);
    if (place === undefined || price === null) return [];
    // Whoever buys has a name of their own.
    const of = { name: null, company: place.name, phone: null, country: place.country };
    return [{ id, name, price, location: { id: place.id, name: place.name, address: { ...place.address, ...of } } }];
  });
  return { pickups, ships: sent?.['ships'] === true };
}
