import { collected, collectedBy, offered, offerOf, type Offer } from '@steward/catalogue';
import type { Pricing } from '@steward/accounting';
import type { Row, Statement } from '@steward/sql';
import { availability, availabilityOf, type Mode, shortfallsOf } from '@steward/stock';
import { collectionsNamed, discountingBy, discountReads } from '../discounts/for-order.ts';
import type { Address } from '../places/address.ts';
import { type Shipping, shippingBy, type ShippingQuote, shippingReads } from '../shipping/quote.ts';
import { shippingOption } from '../shipping/option.ts';
import { shippingZone } from '../shipping/zone.ts';
import { type TaxEngine, zoneEngine } from '../tax/engine.ts';
import type { Line, LineTax } from '../totals/line.ts';
import { taxesOf, type Totals, totalsOf } from '../totals/totals.ts';
import type { KeptLine, PricedLine, WantedLine } from './line.ts';
import {
  amountTooLarge,
  codeRefused,
  countryNotServed,
  type Message,
  noLongerSold,
  noShippingOption,
  outOfStock,
  priceChanged,
  shippingOptionGone,
  tooFew,
  vatNumberUnread,
} from './message.ts';

/** Who sells, in what, and whether it counts. */
export interface Market {
  readonly mode: Mode;
  readonly brandId: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Where pictures are served. */
  readonly mediaAt: string;
}

/** All that a price follows from. */
export interface Asking extends Market {
  /** Of different variants. */
  readonly lines: readonly WantedLine[];
  /** As they were entered. */
  readonly codes: readonly string[];
  /** Where goods go, or who buys what is not shipped; null while nobody knows: nothing is taxed yet. */
  readonly address: Address | null;
  /** Where goods go; undefined where nobody has been asked, as of a cart. */
  readonly shipTo: Address | null | undefined;
  readonly shippingOptionId: string | null;
  /** Digest of the e-mail address of the buyer; null while nobody knows it. */
  readonly buyer: string | null;
  readonly vatNumber: string | null;
}

export interface PricedDiscount {
  readonly discountId: string;
  readonly name: string;
  readonly code: string | null;
  readonly amount: bigint;
}

export interface Priced {
  readonly pricing: Pricing;
  /** In the order in which they were asked for. Those that are new and not sold are left out, and are in `unsold`. */
  readonly lines: readonly PricedLine[];
  /** Where in the question lines are that are new and not sold. */
  readonly unsold: readonly number[];
  readonly totals: Totals;
  readonly discounts: readonly PricedDiscount[];
  readonly shippingRequired: boolean;
  readonly options: readonly ShippingQuote[];
  /** Whether discounts take off all of what shipping costs, whichever option is chosen. */
  readonly shipsFree: boolean;
  /** Of the options, the one that was chosen. */
  readonly option: ShippingQuote | null;
  readonly messages: readonly Message[];
}

/** Beyond it a program that reads JSON numbers, or a column, may not hold a sum. */
const mostAmount = 999_999_999_999_999n;
const untaxed: LineTax = { treatment: 'none', taxId: null, percentage: 0n };
const shippingId = 'shipping';

/** As much of a question as what is read for it follows from. */
export type Reading = Pick<Asking, 'mode' | 'brandId' | 'currency' | 'codes' | 'address' | 'shipTo' | 'buyer'> & {
  readonly lines: readonly Pick<WantedLine, 'variantId'>[];
};

/** What `price` reads first. */
export const priceReads = (tenant: string, reading: Reading): readonly Statement[] =>
  readsOf(tenant, reading, zoneEngine).asked;

function readsOf(
  tenant: string,
  { mode, brandId, currency, lines, codes, address, shipTo, buyer }: Reading,
  engine: TaxEngine,
) {
  const variantIds = lines.map(({ variantId }) => variantId);
  const asked: Statement[] = [];
  const ask = (...statements: readonly Statement[]): number => asked.push(...statements) - statements.length;
  // What cannot matter is not asked: most carts have no address, and nobody's e-mail.
  const offersAt = ask(offered(tenant, brandId, variantIds, currency), availability(tenant, variantIds, mode));
  const [discountRead, usesRead] = discountReads(tenant, codes, mode, buyer ?? undefined);
  const discountsAt = ask(discountRead, ...(buyer === null ? [] : [usesRead]));
  const shippingAt =
    shipTo === null || shipTo === undefined ? undefined : ask(...shippingReads(tenant, shipTo.country, currency));
  const taxAt = ask(...engine.reads(tenant, address));
  return { asked, offersAt, discountsAt, shippingAt, taxAt };
}

/**
 * What lines cost at this moment, and what is to be told about them. Everything is read in one round trip, or two where discounts name collections.
 * @param read as of a scope (`readAll`) or of a transaction (`queryAll`)
 */
export async function price(
  tenant: string,
  read: (statements: readonly Statement[]) => Promise<Row[][]>,
  asking: Asking,
  engine: TaxEngine = zoneEngine,
): Promise<Priced> {
  const { brandId, currency, mediaAt, lines, codes, address, shipTo } = asking;
  const { asked, offersAt, discountsAt, shippingAt, taxAt } = readsOf(tenant, asking, engine);
  const rows = await read(asked);
  const [offers = [], levels = []] = rows.slice(offersAt, discountsAt);
  const [discounts = [], uses = []] = rows.slice(discountsAt, shippingAt ?? taxAt);
  const [zones = [], options = []] = shippingAt === undefined ? [] : rows.slice(shippingAt, taxAt);
  const sold = new Map(offers.map((row) => offerOf(row, mediaAt)).map((offer) => [offer.variantId, offer]));
  // All lines together: two of them may take the same items.
  const short = new Map(
    shortfallsOf(
      lines.filter(({ variantId, quantity }) => priceFor(sold.get(variantId), quantity) !== undefined),
      levels.flatMap((row) => availabilityOf(row).sources),
    ).map(({ variantId, available }) => [variantId, available]),
  );
  const messages: Message[] = [];
  const unsold: number[] = [];
  const found = lines.flatMap((wanted, at): Found[] => {
    const one = find(wanted, sold.get(wanted.variantId), short.get(wanted.variantId) ?? Infinity, messages);
    if (one === undefined) unsold.push(at);
    return one === undefined ? [] : [one];
  });

  const ships = shippingBy.bind(undefined, zones.map(shippingZone.read), options.map(shippingOption.read));
  const {
    pricing,
    taxes,
    vatNumberUnread: unread,
  } = await engine.taxesBy(rows.slice(taxAt), {
    currency,
    lines: [
      ...found.map(({ kept, offer }) => ({ id: kept.id, category: offer?.taxCategory ?? '' })),
      ...options
        .map(shippingOption.read)
        .map(({ id, taxCategory }) => ({ id: shippingId + id, category: taxCategory })),
    ],
    address,
    buyer: { vatNumber: asking.vatNumber },
  });
  // Hardly any discount names collections: only then it is one round trip more.
  const named = collectionsNamed(discounts);
  const productIds = [...new Set(found.map(({ kept }) => kept.productId))];
  const collections = collectedBy(
    named.length === 0 ? [] : ((await read([collected(tenant, productIds, named)]))[0] ?? []),
  );
  const goods = found.flatMap(({ kept, offer }): Line[] =>
    offer === undefined
      ? []
      : [
          {
            id: kept.id,
            quantity: kept.quantity,
            unitPrice: BigInt(kept.price),
            tax: taxes.get(kept.id) ?? untaxed,
            productId: kept.productId,
            collectionIds: collections.get(kept.productId) ?? [],
            discountable: true,
          },
        ],
  );
  const settle = (shipping: ShippingQuote | null) => {
    const order = {
      pricing,
      lines: goods,
      // While nothing is chosen, a discount of shipping applies to it and takes nothing off.
      shipping:
        shipping === null
          ? { price: 0n, tax: untaxed }
          : { price: shipping.price, tax: taxes.get(shippingId + shipping.id) ?? untaxed },
    };
    const discounting = discountingBy(discounts, uses, { ...order, currency, brandId }, codes);
    return { discounting, totals: totalsOf(order, discounting.discounts) };
  };

  const shippingRequired = found.some(({ offer }) => offer?.requiresShipping === true);
  let { discounting, totals } = settle(null);
  let option: ShippingQuote | null = null;
  let offeredOptions: readonly ShippingQuote[] = [];
  let shipsFree = false;
  if (shippingRequired && shipTo !== undefined && shipTo !== null) {
    const quoted = ships({ address: shipTo, currency, price: worthOf(totals), weight: weightOf(found) });
    offeredOptions = quoted.options;
    option = quoted.options.find(({ id }) => id === asking.shippingOptionId) ?? null;
    messages.push(...toldOf(quoted, asking.shippingOptionId !== null && option === null));
    if (option !== null) ({ discounting, totals } = settle(option));
    // Before one is chosen, the dearest one tells: a discount that takes nothing off is not chosen.
    const [dearest] = offeredOptions.toSorted((one, other) => Number(other.price - one.price));
    if (dearest !== undefined && discounts.some((row) => row['kind'] === 'free_shipping'))
      shipsFree = settle(dearest).discounting.discounts.some(({ rule }) => rule.kind === 'free_shipping');
  }
  if (unread === true) messages.push(vatNumberUnread);
  if (totals.total > mostAmount || totals.subtotal > mostAmount) messages.push(amountTooLarge);
  for (const { code, reason } of discounting.refused) messages.push(codeRefused(reason, codes.indexOf(code)));

  const charged = new Map(totals.lines.map((line) => [line.id, line]));
  return {
    pricing,
    lines: found.map(({ kept, offer, compareAt, available }) => ({
      kept,
      charged: charged.get(kept.id),
      taxCategory: offer?.taxCategory ?? '',
      weightGrams: offer?.weightGrams ?? null,
      requiresShipping: offer?.requiresShipping ?? false,
      compareAt,
      available,
    })),
    unsold,
    totals: option === null ? { ...totals, shipping: null, taxes: taxesOf(totals.lines) } : totals,
    discounts: totals.discounts.map(({ discountId, amount }) => ({
      discountId,
      amount,
      name: discounting.called.get(discountId)?.name ?? '',
      code: discounting.called.get(discountId)?.code ?? null,
    })),
    shippingRequired,
    options: offeredOptions,
    shipsFree,
    option,
    messages,
  };
}

interface Found {
  readonly kept: KeptLine;
  readonly offer: Offer | undefined;
  readonly compareAt: bigint | null;
  readonly available: boolean;
}

const priceFor = (offer: Offer | undefined, quantity: number): Offer['prices'][number] | undefined =>
  offer?.prices.findLast(({ minQuantity }) => minQuantity <= quantity);

/**
 * Undefined where it is new, and not sold.
 * @param left how many can be bought beside the lines before it
 */
function find(
  { id, variantId, quantity, kept }: WantedLine,
  offer: Offer | undefined,
  left: number,
  messages: Message[],
): Found | undefined {
  const own = priceFor(offer, quantity);
  if (offer === undefined || own === undefined) {
    if (kept === null) return undefined;
    messages.push(noLongerSold(id, kept.title));
    return { kept: { ...kept, quantity }, offer: undefined, compareAt: null, available: false };
  }
  const { productId, handle, title, options, sku, image } = offer;
  if (left < 1) messages.push(outOfStock(id, title));
  else if (left < quantity) messages.push(tooFew(id, title, left));
  const now = String(own.amount);
  // Another quantity may have another price by itself.
  if (kept !== null && kept.quantity === quantity && kept.price !== now) messages.push(priceChanged(id, title));
  return {
    kept: { id, productId, variantId, handle, title, options, sku, image, quantity, price: now },
    offer,
    compareAt: own.compareAt,
    available: left >= quantity,
  };
}

/** Of the goods, after discounts of products and of the order. */
const worthOf = ({ lines }: Totals): bigint =>
  lines.reduce((sum, { gross, discounts }) => discounts.reduce((left, { amount }) => left - amount, sum + gross), 0n);

const weightOf = (found: readonly Found[]): number =>
  found.reduce(
    (sum, { offer, kept }) => sum + (offer?.requiresShipping === true ? (offer.weightGrams ?? 0) * kept.quantity : 0),
    0,
  );

const toldOf = ({ refusal }: Shipping, gone: boolean): Message[] => {
  if (refusal === 'country_not_served') return [countryNotServed];
  if (refusal === 'no_shipping_option') return [noShippingOption];
  return gone ? [shippingOptionGone] : [];
};
