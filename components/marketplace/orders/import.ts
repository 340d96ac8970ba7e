import { listTaxes, parsePercentage } from '@steward/accounting';
import type { Became } from '@steward/callbacks';
import { formatAmount, parseAmount, Problem } from '@steward/kernel';
import {
  awaitElsewhere,
  cancelOrder,
  editElsewhere,
  fulfilOrder,
  makeRefund,
  type Order,
  orderIn,
  receiveElsewhere,
  reserveElsewhere,
} from '@steward/orders';
import { sql, type TenantTransaction } from '@steward/sql';
import { reserveSome } from '@steward/stock';
import { within } from '@steward/tools';
import type { Channel } from '../channels/channel.ts';
import { announcement, event } from '../events.ts';
import { markVariants } from '../inventory/mark.ts';
import type { ImportPorts } from '../ports.ts';
import type { ShopFulfilment, ShopOrder, ShopRefund } from '../shopify/order.ts';
import type { ShopProduct } from '../shopify/product.ts';
import { uuidOf } from '../uuid-of.ts';
import { goodsOf } from './goods.ts';
import { placingOf, type TaxesByPercentage, lineIdOf } from './placing-of.ts';

/** In what an order here differs from the shop's. */
export const attentions = [
  /** The shop charged more or less than lines and shipping: tips, duties. */
  'total_differs',
  /** The shop changed its lines as it cannot be changed here. */
  'lines_differ',
  /** There was not enough here: less is reserved of some variants than was sold. */
  'oversold',
  /** The shop has sent what is not here to be sent. */
  'not_sent',
  /** The shop cancelled it, and here something of it is sent, or its money was not given back. */
  'not_cancelled',
  /** The shop gave back what cannot be given back here. */
  'not_refunded',
  /** The shop took money that nothing here waits for: its payment was given up here, or the order was cancelled. */
  'not_received',
  /** It was cancelled here, and the shop has it still. */
  'cancelled_here',
] as const;
type Attention = (typeof attentions)[number];

/** Names of refunds and fulfilments here, by their ids in the shop. */
export const referenceOf = (id: string): string => `shopify:${id}`;
const externalOf = (reference: string | null): string[] =>
  reference?.startsWith('shopify:') === true ? [reference.slice('shopify:'.length)] : [];

/** What is known of an order of a shop. */
export interface KnownOrder {
  readonly orderId: string;
  readonly updatedAt: Date;
  readonly attention: readonly Attention[];
}

export async function knownOrder(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  channel: Pick<Channel, 'id'>,
  externalId: string,
): Promise<KnownOrder | undefined> {
  const [row] = await tx.query<{ order_id: string; external_updated_at: Date; attention: Attention[] }>(sql`
    select order_id, external_updated_at, attention from marketplace.imported_order
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channel.id}::uuid and external_id = ${externalId}`);
  return row === undefined
    ? undefined
    : { orderId: row.order_id, updatedAt: row.external_updated_at, attention: row.attention };
}

/** Ids in the shop of what an order has already. */
export const carriedOut = (order: Pick<Order, 'fulfilments'> | undefined): ReadonlySet<string> =>
  new Set(order?.fulfilments.flatMap(({ reference }) => externalOf(reference)));

/**
 * Makes an order of a shop one here, or has the one that it is follow the shop's: money that came, goods that left, what was given back, that it was
 * cancelled. Once, in whichever order it is told and by however many at once; what the shop said before it said what is known changes nothing. What
 * cannot be followed is noted and leaves the rest be.
 * @param products those of its lines that are not known here
 * @returns nothing where nothing is to be done
 */
export async function importOrder(
  tx: TenantTransaction,
  ports: ImportPorts,
  channel: Channel,
  order: ShopOrder,
  products: readonly ShopProduct[],
): Promise<readonly Became[]> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`marketplace.order ${channel.id} ${order.id}`}, 0))`,
  );
  const known = await knownOrder(tx, channel, order.id);
  if (known === undefined && (order.cancelled !== null || order.lines.every(({ quantity }) => quantity === 0)))
    return [];
  if (known !== undefined && known.updatedAt.getTime() > Date.parse(order.updatedAt)) return [];
  const attention = new Set<Attention>(known?.attention.filter((one) => one === 'total_differs' || one === 'oversold'));
  const orderId = known?.orderId ?? (await placed(tx, ports, { channel, order, products, attention }));
  if (known !== undefined && order.cancelled === null)
    await edited(tx, ports, { channel, order, orderId, products, attention });
  await follow(tx, ports, { channel, order, orderId, attention });
  // It may be made of something else by now, and goods may be counted that were not.
  if (known !== undefined && order.cancelled === null) {
    if (await reserveElsewhere(tx, orderId, channel.locationId)) attention.delete('oversold');
    else attention.add('oversold');
  }
  await tx.query(sql`
    insert into marketplace.imported_order (tenant_id, channel_id, external_id, external_name, order_id, external_customer_id, external_updated_at, attention)
    values (${tx.context.tenant}::uuid, ${channel.id}::uuid, ${order.id}, ${order.name}, ${orderId}::uuid, ${order.customerId},
      ${order.updatedAt}::timestamptz, ${[...attention]}::text[])
    on conflict (tenant_id, channel_id, external_id) do update set external_updated_at = excluded.external_updated_at, attention = excluded.attention`);
  const now = await orderIn(tx, orderId);
  if (channel.stock !== 'none') {
    const variants = now?.lines.map(({ variantId }) => variantId) ?? [];
    await markVariants(tx, [channel.id], variants);
  }
  const contact = now?.contactId ?? null;
  return [
    { kind: 'order', id: orderId },
    ...(known === undefined && contact !== null ? [{ kind: 'contact', id: contact }] : []),
  ];
}

interface Placing {
  readonly channel: Channel;
  readonly order: ShopOrder;
  readonly products: readonly ShopProduct[];
  readonly attention: Set<Attention>;
}

async function placed(
  tx: TenantTransaction,
  ports: ImportPorts,
  { channel, order, products, attention }: Placing,
): Promise<string> {
  const goods = await goodsOf(tx, ports, channel, order, products);
  const { placing, differs } = placingOf(order, { channel, goods, taxes: await taxesIn(tx) });
  if (differs !== 0n) attention.add('total_differs');
  const short = await reserved(tx, placing, channel);
  if (short.length > 0) attention.add('oversold');
  const { id } = await ports.place(tx, placing);
  await awaitElsewhere(tx, { id, ...placing }, placing.total);
  tx.record(
    event('commerce.order.imported', {
      order_id: id,
      channel_id: channel.id,
      mode: placing.mode,
      external_id: order.id,
      short_variant_ids: short,
    }),
  );
  tx.publish(announcement('commerce.order.imported', { orderId: id, channelId: channel.id }, { subject: id }));
  return id;
}

/** The taxes of the books in use, by percentage; of several the first by name. */
async function taxesIn(tx: TenantTransaction): Promise<TaxesByPercentage> {
  const found = new Map<bigint, string>();
  for (const { id, percentage } of await listTaxes(within(tx.context, tx), { archived: false })) {
    const parsed = parsePercentage(percentage);
    if (parsed !== undefined && !found.has(parsed)) found.set(parsed, id);
  }
  return found;
}

/** Reserves what there is, where the stock of the channel is first. The shop has sold it all the same, so what is lacking does not stop it. @returns variants of which there is not enough */
async function reserved(
  tx: TenantTransaction,
  { checkoutId: holder, mode, lines }: Pick<Parameters<ImportPorts['place']>[1], 'checkoutId' | 'mode' | 'lines'>,
  { locationId: prefer }: Pick<Channel, 'locationId'>,
): Promise<readonly string[]> {
  const wanted = lines.map(({ variantId, quantity }) => ({ variantId, quantity }));
  const short = await reserveSome(tx, { holder, mode, lines: wanted, expiresAt: null, prefer });
  return short.map(({ variantId }) => variantId);
}

/** Lines that the shop took off or added since. @throws Problem as the verbs of the catalogue do */
async function edited(
  tx: TenantTransaction,
  ports: ImportPorts,
  { channel, order, orderId, products, attention }: Placing & { readonly orderId: string },
): Promise<void> {
  const here = await orderIn(tx, orderId);
  const units = new Map(here?.lines.map(({ id, quantity }) => [id, quantity]));
  const isOther = order.lines.some(({ id, quantity }) => {
    const own = lineIdOf(channel, order.id, id);
    const before = units.get(own) ?? 0;
    units.delete(own);
    return before !== quantity;
  });
  if (!isOther && [...units.values()].every((quantity) => quantity === 0)) return;
  const goods = await goodsOf(tx, ports, channel, order, products);
  const { placing, differs } = placingOf(order, { channel, goods, taxes: await taxesIn(tx) });
  let outcome = 'unlike';
  if (!(await tried(async () => void (outcome = await editElsewhere(tx, orderId, placing)))) || outcome === 'unlike') {
    attention.add('lines_differ');
    return;
  }
  if (differs === 0n) attention.delete('total_differs');
  else attention.add('total_differs');
}

interface Following {
  readonly channel: Channel;
  readonly order: ShopOrder;
  readonly orderId: string;
  readonly attention: Set<Attention>;
}

async function follow(
  tx: TenantTransaction,
  { releaseDiscounts }: ImportPorts,
  { channel, order, orderId, attention }: Following,
): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`marketplace.follow ${orderId}`}, 0))`);
  const unawaited = await receiveElsewhere(tx, orderId, {
    total: order.received,
    sourceId: uuidOf('marketplace/received', channel.id, order.id, String(order.received)),
  });
  const here = await orderIn(tx, orderId);
  // What the shop charges beside its lines is told by `total_differs`.
  const beside = order.total - (parseAmount(here?.total.amount ?? '0', order.currency) ?? 0n);
  if (unawaited > (beside > 0n ? beside : 0n)) attention.add('not_received');
  if (here?.status === 'cancelled' && order.cancelled === null) attention.add('cancelled_here');
  const lineId = (externalId: string): string => lineIdOf(channel, order.id, externalId);
  const steps = [
    ...order.fulfilments.map((one) => ({
      at: one.at,
      run: async () => sent(tx, orderId, one, lineId),
      note: 'not_sent' as const,
    })),
    ...order.refunds.map((one) => ({
      at: one.at,
      run: async () => refunded(tx, orderId, one, { lineId, currency: order.currency }),
      note: 'not_refunded' as const,
    })),
  ].toSorted((a, b) => (a.at < b.at ? -1 : 1));
  for (const { run, note } of steps) if (!(await tried(run))) attention.add(note);
  if (order.cancelled === null) return;
  const reason = order.cancelled;
  if (!(await tried(async () => cancelOrder(within(tx.context, tx), { orderId, reason }, { releaseDiscounts }))))
    attention.add('not_cancelled');
}

/** Whether it could be done. What verbs refuse with a 4xx they refuse before they write anything. */
async function tried(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false;
    throw error;
  }
}

async function sent(
  tx: TenantTransaction,
  orderId: string,
  { id, carrier, trackingNumber, trackingUrl, lines }: ShopFulfilment,
  lineId: (externalId: string) => string,
): Promise<void> {
  if (lines.length === 0) return;
  await fulfilOrder(within(tx.context, tx), {
    orderId,
    reference: referenceOf(id),
    lines: lines.map((one) => ({ lineId: lineId(one.lineId), quantity: one.quantity })),
    ...(carrier === null ? {} : { carrier }),
    ...(trackingNumber === null ? {} : { trackingNumber }),
    ...(trackingUrl === null ? {} : { trackingUrl }),
  });
}

/** What was given back, by the lines that it is for; as an amount alone where those say something else here. */
async function refunded(
  tx: TenantTransaction,
  orderId: string,
  { id, total, shipping, lines }: ShopRefund,
  { lineId, currency }: { readonly lineId: (externalId: string) => string; readonly currency: string },
): Promise<void> {
  if (total === 0n) return;
  const common = { orderId, reference: referenceOf(id), reason: 'other' as const };
  const over = lines.length > 0 ? 0n : await leftOver(tx, orderId, currency);
  if (over > 0n) {
    const part = over < total - shipping ? over : total - shipping;
    const back = { amount: formatAmount(part, currency), currency };
    const rest = shipping === 0n ? {} : { shipping: { amount: formatAmount(shipping, currency), currency } };
    if (part > 0n && (await tried(async () => makeRefund(tx, { ...common, ...rest, balance: back }, total - part))))
      return;
  }
  const of = lines.map((one) => ({ lineId: lineId(one.lineId), quantity: one.quantity }));
  const exact = await tried(async () =>
    makeRefund(
      tx,
      {
        ...common,
        ...(of.length === 0 ? {} : { lines: of }),
        ...(shipping === 0n ? {} : { shipping: { amount: formatAmount(shipping, currency), currency } }),
      },
      total,
    ),
  );
  if (!exact) await makeRefund(tx, common, total);
}

/** What was paid beyond what an edit left of the order: it is given back without anything of the order. */
async function leftOver(tx: TenantTransaction, orderId: string, currency: string): Promise<bigint> {
  const order = await orderIn(tx, orderId);
  return parseAmount(order?.toGiveBack.amount ?? '0', currency) ?? 0n;
}
