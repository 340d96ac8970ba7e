import { operation } from '@steward/access';
import { moneyShape } from '@steward/contract';
import { money } from '@steward/kernel';
import type { Statement, TenantScope } from '@steward/sql';
import { z } from 'zod';
import { checkoutFail } from '../errors.ts';
import { amountText, currency, Faults } from '../money.ts';
import { reads } from '../operations.ts';
import { type Address, country, postcode, regionGiven } from '../places/address.ts';
import { mostExact } from '../places/place.ts';
import { kinds, selectOptions, shippingOption, type ShippingOption } from './option.ts';
import { minor } from './terms.ts';
import { selectShippingZones, shippingZone, type ShippingZone } from './zone.ts';

/** What is to be shipped, and where. */
export interface ShippingQuestion {
  readonly address: Address;
  readonly currency: string;
  /** Of the goods after discounts of products and of the order, in minor units, with tax where prices are with tax. */
  readonly price: bigint;
  /** Grams. */
  readonly weight: number;
}

/** A way of shipping with its price, in minor units, before discounts of shipping. */
export interface ShippingQuote extends Pick<
  ShippingOption,
  'id' | 'name' | 'kind' | 'locationId' | 'minDays' | 'maxDays' | 'taxCategory'
> {
  readonly price: bigint;
}

/** The options in the order in which they are shown; of none, why: nothing is shipped to that place, or nothing fits the order. */
export type Shipping =
  | { readonly options: readonly [ShippingQuote, ...ShippingQuote[]]; readonly refusal?: undefined }
  | { readonly options: readonly []; readonly refusal: 'country_not_served' | 'no_shipping_option' };

/** What `shippingBy` is to be given the rows of: zones, and options in the order in which they are shown. */
export const shippingReads = (tenant: string, country: string, currency: string): readonly [Statement, Statement] => [
  selectShippingZones('$2 = any (z.countries) and z.archived_at is null order by z.shipping_zone_id', tenant, country),
  selectOptions(
    `o.active and o.archived_at is null and o.currency = $3 and (o.shipping_zone_id is null or exists (
       select from checkout.shipping_zone z where z.tenant_id = o.tenant_id and z.shipping_zone_id = o.shipping_zone_id
         and $2 = any (z.countries)))
     order by o.position, o.shipping_option_id`,
    tenant,
    country,
    currency,
  ),
];

/** By the tenant's own zones and options, in one round trip. */
export async function shippingFor(scope: TenantScope, question: ShippingQuestion): Promise<Shipping> {
  const { address, currency: of } = question;
  const [zones, options] = await scope.readAll(shippingReads(scope.context.tenant, address.country, of));
  return shippingBy((zones ?? []).map(shippingZone.read), (options ?? []).map(shippingOption.read), question);
}

/** @param options in use, in the order's currency and in the order in which they are shown */
export function shippingBy(
  zones: readonly ShippingZone[],
  options: readonly ShippingOption[],
  { address, price, weight }: ShippingQuestion,
): Shipping {
  const zone = mostExact(zones, address, ({ places }) => places);
  const quotes = options
    .filter(({ shippingZoneId }) => shippingZoneId === null || shippingZoneId === zone?.id)
    .flatMap((option): ShippingQuote[] => {
      const { id, name, kind, locationId, minDays, maxDays, taxCategory } = option;
      const own = priceOf(option, price, weight);
      if (own === undefined) return [];
      const isFree = option.freeFrom !== null && price >= minor(option.freeFrom);
      return [{ id, name, kind, locationId, minDays, maxDays, taxCategory, price: isFree ? 0n : own }];
    });
  const [first, ...rest] = quotes;
  if (first !== undefined) return { options: [first, ...rest] };
  return { options: [], refusal: zone === undefined ? 'country_not_served' : 'no_shipping_option' };
}

/** Undefined where the order is beyond the last bracket. */
function priceOf(
  { amount, weightBrackets, priceBrackets }: ShippingOption,
  price: bigint,
  weight: number,
): bigint | undefined {
  if (amount !== null) return minor(amount);
  const bracket =
    weightBrackets?.find(({ toGrams }) => toGrams === null || weight < toGrams) ??
    priceBrackets?.find(({ to }) => to === null || price < minor(to));
  return bracket === undefined ? undefined : minor(bracket.amount);
}

const quote = z.object({
  shippingOptionId: z.uuid(),
  name: z.string(),
  kind: z.enum(kinds),
  amount: moneyShape,
  locationId: z.uuid().nullable(),
  minDays: z.int().nullable(),
  maxDays: z.int().nullable(),
});

/** What an address would be offered. @throws Problem `country_not_served`, `no_shipping_option` (422), `invalid_request` (400) */
export const quoteShipping = operation(
  {
    ...reads,
    name: 'service_quote_shipping',
    input: z.strictObject({
      country,
      region: regionGiven,
      postcode: postcode.optional(),
      currency,
      price: amountText.meta({
        description: 'Price of the goods after discounts of products and of the order, such as "49.90".',
      }),
      weightGrams: z.int().min(0).max(1_000_000_000).default(0).meta({ description: 'Weight of the goods in grams.' }),
    }),
    answer: z.object({ options: z.array(quote) }),
    errors: ['country_not_served', 'no_shipping_option'],
  },
  async (scope, { country: to, region, postcode: code, currency: of, price, weightGrams }) => {
    const faults = new Faults();
    const worth = faults.amount('/price', price, of);
    faults.throw();
    const { options, refusal } = await shippingFor(scope, {
      address: { country: to, region, postcode: code },
      currency: of,
      price: worth,
      weight: weightGrams,
    });
    if (refusal !== undefined) throw notShipped(refusal);
    return {
      options: options.map(({ id, price: own, taxCategory: _category, ...rest }) => ({
        shippingOptionId: id,
        ...rest,
        amount: money(own, of),
      })),
    };
  },
);

/** The refusal as every door says it. */
export function notShipped(refusal: 'country_not_served' | 'no_shipping_option'): Error {
  if (refusal === 'country_not_served')
    return checkoutFail('country_not_served', 'The shop ships nothing to this address: choose another address.', {
      errors: [
        { pointer: '/country', code: 'country_not_served', detail: 'No shipping zone of the shop has this address.' },
      ],
    });
  return checkoutFail(
    'no_shipping_option',
    'No way of shipping in this zone takes an order of this weight, price and currency: change the order.',
  );
}
