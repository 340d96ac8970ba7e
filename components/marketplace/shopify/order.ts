import { NeverApplies } from '@steward/callbacks';
import { isCountryCode, isCurrency, dictionary } from '@steward/kernel';
import type { PostalAddress } from '@steward/orders';
import type { Ask } from './client.ts';
import {
  idOf,
  lineOf,
  listOf,
  type Members,
  membersOf,
  momentOf,
  moneyOf,
  nextOf,
  nodesOf,
  textOf,
  UnexpectedAnswer,
  wholeOf,
} from './read.ts';

/** What takes something off a line. Minor units. */
export interface ShopDiscount {
  readonly name: string;
  readonly code: string | null;
  readonly amount: bigint;
}

interface Paid {
  readonly discounts: readonly ShopDiscount[];
  readonly tax: bigint;
  /** Of all its taxes together, times 10^4. */
  readonly percentage: bigint;
}

export interface ShopLine extends Paid {
  readonly id: string;
  /** Null: of nothing that the shop has in its catalogue, or has any more. */
  readonly productId: string | null;
  readonly variantId: string | null;
  readonly title: string;
  readonly variant: string | null;
  readonly sku: string | null;
  /** Without units that an edit took off; units that were paid back are in it. 0: it was taken off. */
  readonly quantity: number;
  readonly requiresShipping: boolean;
  /** Minor units. */
  readonly unitPrice: bigint;
}

export interface ShopShipping extends Paid {
  readonly name: string;
  readonly price: bigint;
}

/** Money or goods that came back. */
export interface ShopRefund {
  readonly id: string;
  readonly at: string;
  readonly total: bigint;
  readonly shipping: bigint;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
}

export interface ShopFulfilment {
  readonly id: string;
  readonly at: string;
  readonly carrier: string | null;
  readonly trackingNumber: string | null;
  readonly trackingUrl: string | null;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
}

/** An order as its shop has it now. Amounts are minor units of the shop's currency. */
export interface ShopOrder {
  readonly id: string;
  /** As people there read it, such as `#1001`. */
  readonly name: string;
  readonly test: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly cancelled: 'customer' | 'out_of_stock' | 'payment' | 'fraud' | 'staff' | 'other' | null;
  readonly currency: string;
  readonly taxesIncluded: boolean;
  readonly locale: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly customer: string | null;
  /** The shop's id of the person. */
  readonly customerId: string | null;
  readonly note: string | null;
  readonly shippingAddress: PostalAddress | null;
  readonly billingAddress: PostalAddress | null;
  readonly lines: readonly ShopLine[];
  readonly shipping: ShopShipping | null;
  /** As edits made it, before anything was paid back. */
  readonly total: bigint;
  readonly received: bigint;
  readonly refunds: readonly ShopRefund[];
  readonly fulfilments: readonly ShopFulfilment[];
}

/** Lines of an order that is taken. */
const mostLines = 500;
/** Lines in one page: a query of more would cost more than Shopify answers. */
const pageOfLines = 25;
/** Refunds and fulfilments of an order. */
const mostEvents = 50;

const money = '{ shopMoney { amount } }';
const paid = `discountAllocations { allocatedAmountSet ${money} discountApplication { __typename
  ... on DiscountCodeApplication { code } ... on ManualDiscountApplication { title } ... on AutomaticDiscountApplication { title } ... on ScriptDiscountApplication { title } } }
  taxLines { ratePercentage priceSet ${money} }`;
const address = '{ name company address1 address2 city province zip countryCodeV2 phone }';
const lines = `lineItems(first: ${pageOfLines}, after: $after) { pageInfo { hasNextPage endCursor } nodes {
  id title variantTitle sku quantity currentQuantity requiresShipping product { id } variant { id } originalUnitPriceSet ${money} ${paid} } }`;

const orderQuery = `query Order($id: ID!, $after: String) { order(id: $id) {
  id name test createdAt updatedAt cancelledAt cancelReason currencyCode taxesIncluded customerLocale email phone note
  customer { id displayName } shippingAddress ${address} billingAddress ${address}
  edited totalPriceSet ${money} currentTotalPriceSet ${money} totalReceivedSet ${money}
  ${lines}
  shippingLines(first: 10) { nodes { title originalPriceSet ${money} ${paid} } }
  refunds(first: ${mostEvents}) { id }
  fulfillments(first: ${mostEvents}) { id status createdAt trackingInfo(first: 1) { company number url } } } }`;
const linesQuery = `query OrderLines($id: ID!, $after: String) { order(id: $id) { ${lines} } }`;
const refundQuery = `query Refund($id: ID!, $after: String) { refund(id: $id) { id createdAt totalRefundedSet ${money}
  refundLineItems(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { quantity lineItem { id } } }
  refundShippingLines(first: 10) { nodes { subtotalAmountSet ${money} taxAmountSet ${money} } } } }`;
const fulfilmentQuery = `query Fulfillment($id: ID!, $after: String) { fulfillment(id: $id) {
  fulfillmentLineItems(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { quantity lineItem { id } } } } }`;

/**
 * An order as its shop has it now, whole; undefined where the shop has none of the id.
 * @param known ids of refunds and fulfilments that are not asked for again
 * @throws NeverApplies for one that is larger than orders are here
 */
export async function readOrder(
  ask: Ask,
  id: string,
  known: { readonly refunds: ReadonlySet<string>; readonly fulfilments: ReadonlySet<string> },
): Promise<ShopOrder | undefined> {
  const gid = `gid://shopify/Order/${id}`;
  const { order: found } = await ask(orderQuery, { id: gid });
  if (found === null) return undefined;
  const order = membersOf(found);
  const currency = textOf(order['currencyCode']) ?? '';
  if (!isCurrency(currency)) throw new NeverApplies(`Orders in ${currency} cannot be kept here.`);
  const all = [...nodesOf(order['lineItems'])];
  for (let after = nextOf(order['lineItems']); after !== undefined;) {
    if (all.length >= mostLines) throw new NeverApplies(`The order has more than ${mostLines} lines.`);
    const page = membersOf((await ask(linesQuery, { id: gid, after }))['order'])['lineItems'];
    all.push(...nodesOf(page));
    after = nextOf(page);
  }
  const refunds: ShopRefund[] = [];
  for (const one of listOf(order['refunds']))
    if (!known.refunds.has(idOf(one['id']))) refunds.push(await readRefund(ask, String(one['id']), currency));
  const fulfilments: ShopFulfilment[] = [];
  for (const one of listOf(order['fulfillments']))
    if (one['status'] === 'SUCCESS' && !known.fulfilments.has(idOf(one['id'])))
      fulfilments.push(await readFulfilment(ask, one));
  const customer = membersOf(order['customer']);
  const total = moneyOf(order['totalPriceSet'], currency);
  const cancelled = order['cancelledAt'] === null ? null : (reasons[String(order['cancelReason'])] ?? 'other');
  // Units that were paid back are still of the order; those that an edit took off, for which nothing was paid back, are not.
  const paidBack = new Map<string, number>();
  for (const { total: back, lines: own } of refunds)
    for (const { lineId, quantity } of own) if (back > 0n) paidBack.set(lineId, (paidBack.get(lineId) ?? 0) + quantity);
  const present = (one: Members): ShopLine => {
    const line = lineIn(one, currency);
    const gone = line.quantity - wholeOf(one['currentQuantity']) - (paidBack.get(line.id) ?? 0);
    return cancelled === null && gone > 0 ? without(line, gone) : line;
  };
  return {
    id: idOf(order['id']),
    name: lineOf(order['name'], 100) ?? id,
    test: order['test'] === true,
    createdAt: momentOf(order['createdAt']),
    updatedAt: momentOf(order['updatedAt']),
    cancelled,
    currency,
    taxesIncluded: order['taxesIncluded'] === true,
    locale: localeOf(order['customerLocale']),
    email: lineOf(order['email'], 320) ?? null,
    phone: lineOf(order['phone'], 50) ?? null,
    customer: lineOf(customer['displayName'], 200) ?? null,
    customerId: customer['id'] === undefined ? null : idOf(customer['id']),
    note: textOf(order['note'], 2_000) ?? null,
    shippingAddress: addressOf(order['shippingAddress']),
    billingAddress: addressOf(order['billingAddress']),
    lines: all.map(present),
    shipping: shippingIn(nodesOf(order['shippingLines']), currency),
    total:
      order['edited'] === true
        ? refunds.reduce((sum, one) => sum + one.total, moneyOf(order['currentTotalPriceSet'], currency))
        : total,
    received: moneyOf(order['totalReceivedSet'], currency),
    refunds,
    fulfilments,
  };
}

const reasons = dictionary<NonNullable<ShopOrder['cancelled']>>({
  CUSTOMER: 'customer',
  DECLINED: 'payment',
  FRAUD: 'fraud',
  INVENTORY: 'out_of_stock',
  STAFF: 'staff',
});

function lineIn(line: Members, currency: string): ShopLine {
  const [product, variant] = [membersOf(line['product']), membersOf(line['variant'])];
  const title = lineOf(line['variantTitle']);
  return {
    id: idOf(line['id']),
    productId: product['id'] === undefined ? null : idOf(product['id']),
    variantId: variant['id'] === undefined ? null : idOf(variant['id']),
    title: lineOf(line['title']) ?? 'Article',
    variant: title === undefined || title === 'Default Title' ? null : title,
    sku: lineOf(line['sku'], 100) ?? null,
    quantity: wholeOf(line['quantity']),
    requiresShipping: line['requiresShipping'] === true,
    unitPrice: moneyOf(line['originalUnitPriceSet'], currency),
    ...paidIn(line, currency),
  };
}

/** A line with fewer units. Shopify says what all of them were charged, those that were taken off too: the others keep their share, half goes up. */
function without(line: ShopLine, gone: number): ShopLine {
  const quantity = Math.max(line.quantity - gone, 0);
  const share = (amount: bigint): bigint =>
    (2n * amount * BigInt(quantity) + BigInt(line.quantity)) / (2n * BigInt(line.quantity));
  return {
    ...line,
    quantity,
    tax: share(line.tax),
    discounts: line.discounts.map((one) => ({ ...one, amount: share(one.amount) })),
  };
}

function paidIn(of: Members, currency: string): Paid {
  const taxes = listOf(of['taxLines']);
  return {
    discounts: listOf(of['discountAllocations']).map((one) => {
      const { code, title } = membersOf(one['discountApplication']);
      const own = lineOf(code, 100) ?? null;
      return {
        name: own ?? lineOf(title, 100) ?? 'Discount',
        code: own,
        amount: moneyOf(one['allocatedAmountSet'], currency),
      };
    }),
    tax: taxes.reduce((sum, one) => sum + moneyOf(one['priceSet'], currency), 0n),
    percentage: taxes.reduce((sum, one) => sum + percentageOf(one['ratePercentage']), 0n),
  };
}

function percentageOf(value: unknown): bigint {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1_000))
    throw new UnexpectedAnswer('Shopify answered a rate of tax that is none');
  return BigInt(Math.round(value * 10_000));
}

/** What was paid for shipping, as one: an order here is sent in one way. */
function shippingIn(all: readonly Members[], currency: string): ShopShipping | null {
  if (all.length === 0) return null;
  const parts = all.map((one) => ({
    name: lineOf(one['title'], 100) ?? 'Shipping',
    price: moneyOf(one['originalPriceSet'], currency),
    ...paidIn(one, currency),
  }));
  return {
    name: [...new Set(parts.map(({ name }) => name))].join(', ').slice(0, 200),
    price: parts.reduce((sum, { price }) => sum + price, 0n),
    discounts: parts.flatMap(({ discounts }) => discounts),
    tax: parts.reduce((sum, { tax }) => sum + tax, 0n),
    percentage: parts.find(({ percentage }) => percentage > 0n)?.percentage ?? 0n,
  };
}

/** BCP 47, as far as orders keep it. */
const localeOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(value) ? value : null;

function addressOf(value: unknown): PostalAddress | null {
  const said = membersOf(value);
  const country = lineOf(said['countryCodeV2'], 2);
  if (country === undefined || !isCountryCode(country)) return null;
  const own = (name: string, most = 200): string | null => lineOf(said[name], most) ?? null;
  return {
    name: own('name'),
    company: own('company'),
    line1: own('address1') ?? '',
    line2: own('address2'),
    city: own('city') ?? '',
    region: own('province'),
    postcode: own('zip', 20),
    country,
    phone: own('phone', 50),
  };
}

async function readRefund(ask: Ask, gid: string, currency: string): Promise<ShopRefund> {
  const { first, lines: own } = await counted(ask, refundQuery, gid, 'refund', 'refundLineItems');
  return {
    id: idOf(first['id']),
    at: momentOf(first['createdAt']),
    total: moneyOf(first['totalRefundedSet'], currency),
    shipping: nodesOf(first['refundShippingLines']).reduce(
      (sum, one) => sum + moneyOf(one['subtotalAmountSet'], currency) + moneyOf(one['taxAmountSet'], currency),
      0n,
    ),
    lines: own,
  };
}

async function readFulfilment(ask: Ask, said: Members): Promise<ShopFulfilment> {
  const { lines: own } = await counted(ask, fulfilmentQuery, String(said['id']), 'fulfillment', 'fulfillmentLineItems');
  const [{ company, number, url } = {} as Members] = listOf(said['trackingInfo']);
  const link = lineOf(url, 2_000);
  return {
    id: idOf(said['id']),
    at: momentOf(said['createdAt']),
    carrier: lineOf(company, 100) ?? null,
    trackingNumber: lineOf(number, 100) ?? null,
    trackingUrl: link !== undefined && URL.parse(link)?.protocol === 'https:' ? link : null,
    lines: own,
  };
}

/** Pieces of lines, over all pages; those of one line together. */
async function counted(ask: Ask, query: string, id: string, noun: string, connection: string) {
  const quantities = new Map<string, number>();
  let first: Members | undefined;
  for (let after: string | undefined, pages = 0; pages === 0 || after !== undefined; pages += 1) {
    if (pages * 100 > mostLines) throw new NeverApplies(`The order has more than ${mostLines} lines.`);
    const answered = membersOf((await ask(query, { id, ...(after === undefined ? {} : { after }) }))[noun]);
    first ??= answered;
    for (const one of nodesOf(answered[connection])) {
      const line = idOf(membersOf(one['lineItem'])['id']);
      quantities.set(line, (quantities.get(line) ?? 0) + wholeOf(one['quantity']));
    }
    after = nextOf(answered[connection]);
  }
  const own = [...quantities].flatMap(([lineId, quantity]) => (quantity > 0 ? [{ lineId, quantity }] : []));
  return { first: first ?? {}, lines: own };
}
