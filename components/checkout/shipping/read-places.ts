import { statement, type TenantTransaction } from '@steward/sql';
import { checkoutFail } from '../errors.ts';
import type { Faults } from '../money.ts';
import type { Place } from '../places/place.ts';
import { readCodes } from '../places/read-codes.ts';

interface PlaceGiven {
  readonly country: string;
  readonly region?: string | null | undefined;
  readonly postcodes?: readonly string[] | undefined;
}

/** More are no list that somebody reads, and each is compared with an address. */
const mostCodes = 2_000;

/** Places as they are kept, each once; of all of them no more than 2 000 postcodes. */
export function readPlaces(faults: Faults, given: readonly PlaceGiven[]): Place[] {
  const places = given.map(({ country, region = null, postcodes = [] }, index) => ({
    country,
    region,
    postcodes: readCodes(faults, `/places/${index}/postcodes`, postcodes, country),
  }));
  if (places.reduce((sum, { postcodes }) => sum + postcodes.length, 0) > mostCodes)
    faults.add('/places', 'too_big', `Give at most ${mostCodes} postcodes in all: use beginnings such as 35*.`);
  const all = new Set(places.filter(isWhole).map(nameOf));
  const seen = new Set<string>();
  for (const [index, one] of places.entries()) {
    const named = nameOf(one);
    if (seen.has(named) && all.has(named))
      faults.add(`/places/${index}`, 'repeated', `All of ${named} is given besides: give it once.`);
    seen.add(named);
  }
  return places;
}

const isWhole = ({ postcodes }: Place): boolean => postcodes.length === 0;
const nameOf = ({ country, region }: Place): string => (region === null ? country : `${country}-${region}`);

/** The lock of `requireRoom` keeps others from taking them meanwhile. @throws Problem `shipping_zone_taken` (409) */
export async function requireFreePlaces(
  tx: TenantTransaction,
  places: readonly Place[],
  own: string | undefined,
): Promise<void> {
  const [taken] = await tx.query<{ name: string }>(
    statement(
      `select concat_ws('-', p ->> 'country', p ->> 'region') as name
       from checkout.shipping_zone z cross join jsonb_array_elements(z.places) p
       where z.tenant_id = $1::uuid and z.shipping_zone_id is distinct from $2::uuid and z.archived_at is null
         and jsonb_array_length(p -> 'postcodes') = 0 and concat_ws('-', p ->> 'country', p ->> 'region') = any ($3::text[]) limit 1`,
      [tx.context.tenant, own ?? null, places.filter(isWhole).map(nameOf)],
    ),
  );
  if (taken === undefined) return;
  const detail = `Another shipping zone has ${taken.name}: change that one, or archive it first.`;
  const at = places.findIndex((one) => isWhole(one) && nameOf(one) === taken.name);
  throw checkoutFail('shipping_zone_taken', detail, {
    errors: [{ pointer: `/places/${at}`, code: 'shipping_zone_taken', detail }],
  });
}
