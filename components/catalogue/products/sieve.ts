import { type FieldError, isCurrency } from '@steward/kernel';
import type { Buyable } from '../deps.ts';
import { refused } from '../errors.ts';
import { faultOf, minorOf } from './variants.ts';
import type { Say } from './terms.ts';

/** Minor units. */
export interface Prices {
  readonly currency: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface Priced {
  readonly priceFrom?: string | undefined;
  readonly priceTo?: string | undefined;
  readonly currency?: string | undefined;
}

/**
 * @param ranged whether prices are needed where none is sought
 * @throws Problem `invalid_request` (400) with pointers: no currency, an amount that is none, a range that ends before it begins
 */
export function pricesOf({ currency, priceFrom, priceTo }: Priced, ranged: boolean): Prices | undefined {
  if (priceFrom === undefined && priceTo === undefined && !ranged) return undefined;
  if (currency === undefined)
    throw refused([
      { pointer: '/currency', code: 'required', detail: 'Give the currency of the prices, such as EUR.' },
    ]);
  const faults: FieldError[] = [];
  const read = (pointer: string, text: string | undefined): bigint | undefined => {
    const minor = text === undefined ? undefined : minorOf(text, currency);
    if (text !== undefined && minor === undefined)
      faults.push({ pointer, code: 'invalid_amount', detail: faultOf(text, currency) });
    return minor;
  };
  if (!isCurrency(currency))
    throw refused([
      {
        pointer: '/currency',
        code: 'unknown_currency',
        detail: `${currency} is no currency of ISO 4217 with a minor unit.`,
      },
    ]);
  const [from, to] = [read('/priceFrom', priceFrom), read('/priceTo', priceTo)];
  if (from !== undefined && to !== undefined && to < from)
    faults.push({ pointer: '/priceTo', code: 'invalid_value', detail: 'Give priceFrom or more.' });
  if (faults.length > 0) throw refused(faults);
  return { currency, from: from?.toString(), to: to?.toString() };
}

/** Conditions on a variant `v` of a product `p`, but for what one facet says. */
export interface OfVariants {
  /** But whether it can be bought. */
  readonly others: readonly string[];
  readonly available: boolean | undefined;
}

const variantsWith = (conditions: readonly string[]): string =>
  `select from catalogue.variant v where ${[
    'v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.removed_at is null',
    ...conditions,
  ].join(' and ')}`;

/** That a product `p` has such a variant. */
export const anyVariant = (conditions: readonly string[]): string => `exists (${variantsWith(conditions)})`;

/**
 * The same as a column, for the few products of a page: without `offset 0` PostgreSQL gathers the variants of all products first, which takes
 * longer with each product of the tenant.
 */
export const hasVariant = (conditions: readonly string[]): string => `exists (${variantsWith(conditions)} offset 0)`;

/** Whether there is a variant, and whether one, or none, of those can be bought. @param any makes a condition on the variants that all of these hold of */
export function satisfied(
  { others, available }: OfVariants,
  buyable: Buyable,
  any: (conditions: readonly string[]) => string,
): readonly string[] {
  const some = [...others, buyable('v.variant_id')];
  if (available === undefined) return others.length === 0 ? [] : [any(others)];
  return available ? [any(some)] : [...(others.length === 0 ? [] : [any(others)]), `not ${any(some)}`];
}

/** That a variant `v` costs what is sought. @param paid SQL: what is paid for one by a price `c` of it */
export const costing = (prices: Prices | undefined, paid: string, say: Say): string[] =>
  prices === undefined || (prices.from === undefined && prices.to === undefined)
    ? []
    : [
        `exists (select from catalogue.price c where c.tenant_id = v.tenant_id and c.variant_id = v.variant_id and c.min_quantity = 1
           and c.currency = ${say(prices.currency)}${prices.from === undefined ? '' : ` and ${paid} >= ${say(prices.from)}::bigint`}${
             prices.to === undefined ? '' : ` and ${paid} <= ${say(prices.to)}::bigint`
           })`,
      ];
