import type { PlacedLine, PlacedShipping, PlacedTax, Placing } from '@steward/orders';
import type { Channel } from '../channels/channel.ts';
import type { Linked } from '../products/link.ts';
import type { ShopDiscount, ShopLine, ShopOrder } from '../shopify/order.ts';
import { uuidOf } from '../uuid-of.ts';

/** A tax of the books by its percentage, times 10^4. */
export type TaxesByPercentage = ReadonlyMap<bigint, string>;

export interface PlacingOf {
  readonly channel: Channel;
  readonly goods: ReadonlyMap<string, Linked>;
  readonly taxes: TaxesByPercentage;
}

/** An order of a shop as it is placed here. */
export interface ToPlace {
  readonly placing: Placing;
  /** Ids of lines here, by those in the shop. */
  readonly lineIds: ReadonlyMap<string, string>;
  /** What the shop charged beside lines and shipping, or less than those. Minor units. */
  readonly differs: bigint;
}

/** One order comes of these names, whoever imports it and however often. */
export const checkoutIdOf = (channel: Pick<Channel, 'id'>, externalId: string): string =>
  uuidOf('marketplace/order', channel.id, externalId);

export const lineIdOf = (channel: Pick<Channel, 'id'>, orderId: string, externalId: string): string =>
  uuidOf('marketplace/line', channel.id, orderId, externalId);

/**
 * An order of a shop in the words of orders here: to the unit as the shop charged it. Its taxes are those of the books with the same percentage; where
 * the books have none, the order stands and its invoice waits.
 */
export function placingOf(order: ShopOrder, { channel, goods, taxes }: PlacingOf): ToPlace {
  const { currency, taxesIncluded } = order;
  const discounts = new Map<string, { name: string; code: string | null; amount: bigint }>();
  const off = (all: readonly ShopDiscount[], most: bigint) => {
    let left = most;
    return all.flatMap(({ name, code, amount }) => {
      const part = amount < left ? amount : left;
      left -= part;
      if (part === 0n) return [];
      const discountId = uuidOf('marketplace/discount', channel.id, code ?? '', name);
      const known = discounts.get(discountId) ?? { name, code, amount: 0n };
      discounts.set(discountId, { ...known, amount: known.amount + part });
      return [{ discountId, amount: part }];
    });
  };
  const paid = (gross: bigint, of: Pick<ShopLine, 'discounts' | 'tax' | 'percentage'>) => {
    const lowered = off(of.discounts, gross);
    const charged = lowered.reduce((rest, { amount }) => rest - amount, gross);
    const tax = taxesIncluded && of.tax > charged ? charged : of.tax;
    const net = taxesIncluded ? charged - tax : charged;
    return { gross, discounts: lowered, net, tax, total: net + tax, taxed: taxOf(of, taxes) };
  };
  const lines = order.lines
    .filter(({ quantity }) => quantity > 0)
    .map((line): PlacedLine => {
      const { productId, variantId } = goods.get(line.id) ?? { productId: channel.id, variantId: channel.id };
      return {
        id: lineIdOf(channel, order.id, line.id),
        productId,
        variantId,
        title: line.title,
        options: line.variant === null ? {} : { Variant: line.variant },
        sku: line.sku,
        image: null,
        taxCategory: 'standard',
        weightGrams: null,
        requiresShipping: line.requiresShipping,
        quantity: line.quantity,
        unitPrice: line.unitPrice,
        ...paid(line.unitPrice * BigInt(line.quantity), line),
      };
    });
  const shipping: PlacedShipping | null =
    order.shipping === null
      ? null
      : {
          optionId: uuidOf('marketplace/shipping', channel.id, order.shipping.name),
          name: order.shipping.name,
          kind: 'flat',
          locationId: null,
          ...paid(order.shipping.price, order.shipping),
        };
  const all = shipping === null ? lines : [...lines, shipping];
  const sum = (of: (one: PlacedLine | PlacedShipping) => bigint, among = all): bigint =>
    among.reduce((so, one) => so + of(one), 0n);
  const total = sum((one) => one.total);
  return {
    lineIds: new Map(order.lines.map(({ id }) => [id, lineIdOf(channel, order.id, id)])),
    differs: order.total - total,
    placing: {
      checkoutId: checkoutIdOf(channel, order.id),
      mode: order.test ? 'test' : 'live',
      brandId: channel.brandId,
      siteId: null,
      keyId: null,
      channelId: channel.id,
      externalName: order.name,
      // No order was placed in the future, or before there were clocks like these, whatever a shop says.
      placedAt: Math.min(Math.max(Date.parse(order.createdAt), 0), Date.now()),
      locale: order.locale,
      currency,
      pricing: taxesIncluded ? 'inclusive' : 'exclusive',
      buyer: {
        email: order.email,
        name: order.customer ?? order.billingAddress?.name ?? order.shippingAddress?.name ?? null,
        phone: order.phone,
        vatNumber: null,
        marketing: false,
      },
      shippingAddress: order.shippingAddress,
      billingAddress: order.billingAddress,
      note: order.note,
      lines,
      shipping,
      discounts: [...discounts].map(([discountId, one]) => ({ discountId, ...one })),
      subtotal: sum((one) => one.gross, lines),
      discount: [...discounts.values()].reduce((so, { amount }) => so + amount, 0n),
      net: sum((one) => one.net),
      tax: sum((one) => one.tax),
      total,
      taxes: taxesOf(all),
    },
  };
}

function taxOf({ tax, percentage }: Pick<ShopLine, 'tax' | 'percentage'>, taxes: TaxesByPercentage): PlacedTax {
  if (tax === 0n && percentage === 0n) return { treatment: 'none', taxId: null, percentage: 0n };
  return { treatment: 'taxed', taxId: taxes.get(percentage) ?? null, percentage };
}

function taxesOf(all: readonly (PlacedLine | PlacedShipping)[]): Placing['taxes'] {
  const groups = Map.groupBy(all, ({ taxed }) => [taxed.treatment, taxed.taxId, taxed.percentage].join(' '));
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const net = own.reduce((so, one) => so + one.net, 0n);
    const tax = own.reduce((so, one) => so + one.tax, 0n);
    return [{ ...first.taxed, net, tax }];
  });
}
