import { NeverApplies, type Projection } from '@steward/callbacks';
import { orderIn } from '@steward/orders';
import type { TenantContext } from '@steward/sql';
import { type Channel, channel, selectChannels } from '../channels/channel.ts';
import { channelOf } from '../channels/of-delivery.ts';
import { serveChannels } from '../permissions.ts';
import type { ImportPorts } from '../ports.ts';
import { linkedVariants } from '../products/link.ts';
import { type Ask, askShop, type ClientPorts } from '../shopify/client.ts';
import { readOrder, type ShopOrder } from '../shopify/order.ts';
import { readProduct, type ShopProduct } from '../shopify/product.ts';
import { unknownProducts } from './goods.ts';
import { carriedOut, importOrder, knownOrder } from './import.ts';

/** An order as its shop has it now, with those of its products that are not known here. */
export interface FetchedOrder {
  readonly order: ShopOrder;
  readonly products: readonly ShopProduct[];
}

/** Reads an order of a shop, outside of any transaction; undefined where the shop has none of the id. */
export async function fetchOrder(
  context: TenantContext,
  channel: Pick<Channel, 'id'>,
  ask: Ask,
  id: string,
): Promise<FetchedOrder | undefined> {
  const reading = { context, query: context.require(serveChannels).read };
  const known = await knownOrder(reading, channel, id);
  const here = known === undefined ? undefined : await orderIn(reading, known.orderId);
  const order = await readOrder(ask, id, { refunds: new Set(), fulfilments: carriedOut(here) });
  if (order === undefined) return undefined;
  const variants = order.lines.flatMap(({ variantId }) => variantId ?? []);
  const linked = await linkedVariants(reading, channel, variants);
  const products: ShopProduct[] = [];
  for (const productId of unknownProducts(order, linked)) {
    const product = await readProduct(ask, productId);
    if (product !== undefined) products.push(product);
  }
  return { order, products };
}

/** The order that a webhook is about: of the order itself, or of a refund of it. */
function orderIdIn(topic: string, data: Readonly<Record<string, unknown>>): string {
  const said = topic.startsWith('orders/') ? data['id'] : data['order_id'];
  const gid = data['admin_graphql_api_id'];
  // Ids are beyond what a number of JSON holds exactly; the text beside them is not.
  const text =
    topic.startsWith('orders/') && typeof gid === 'string'
      ? (/^gid:\/\/shopify\/Order\/(\d{1,25})$/.exec(gid)?.[1] ?? '')
      : String(said ?? '');
  if (!/^\d{1,25}$/.test(text)) throw new NeverApplies('The event names no order.');
  return text;
}

/**
 * An order was placed, changed, cancelled, or money was given back. Events overtake one another and say what was true when they were sent, so the order
 * is read anew.
 */
export const followOrder = (ports: ImportPorts & ClientPorts): Projection<FetchedOrder | undefined> => ({
  fetch: async (context, { account, topic, data }, signal) => {
    const [row] = await context
      .require(serveChannels)
      .read(selectChannels(`c.provider = 'shopify' and c.shop = $2`, context.tenant, account ?? ''));
    if (row === undefined) return undefined;
    const own = channel.read(row);
    const ask = await askShop(ports, context, own.id, signal);
    return ask === undefined ? undefined : fetchOrder(context, own, ask, orderIdIn(topic, data));
  },
  apply: async (tx, delivery, fetched) => {
    if (fetched === undefined) return [];
    const own = await channelOf(tx, delivery);
    if (own === undefined || own.status !== 'connected') return [];
    return importOrder(tx, ports, own, fetched.order, fetched.products);
  },
});
