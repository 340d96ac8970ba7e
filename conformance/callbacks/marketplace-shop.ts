import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GivenOrder, installIn, type Shopify, type ShopifyShop } from '@steward/marketplace/testing';
import type { Json, World } from '../world/index.ts';
import { openTenant, type Tenant } from './tenant.ts';

export const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];

/** An organization with a connected shop that has one product, in two sizes. */
export interface Opened extends Tenant {
  /** Who owns it. */
  readonly user: string;
  readonly shop: ShopifyShop;
  readonly channelId: string;
  /** Sends what happened, as the marketplace does; the status of the answer. */
  tell(topic: string, body: object, more?: { id?: string; event?: string; secret?: string }): Promise<number>;
  /** And until it is carried out. */
  told(topic: string, body: object): Promise<void>;
  orders(): Promise<Json[]>;
  order(id: string): Promise<Json>;
}

let count = 0;

/** Of a server whose shops are those of `shopify`; what it opens is closed with `stack`. */
export async function openShop({
  world,
  shopify,
  stack,
  fill,
}: {
  readonly world: World;
  readonly shopify: Shopify;
  readonly stack: AsyncDisposableStack;
  /** What the shop has beside that before it is connected. */
  readonly fill?: (shop: ShopifyShop) => void;
}): Promise<Opened> {
  count += 1;
  const user = `owner${count}@example.com`;
  const name = `shop-${count}.myshopify.com`;
  const own = await openTenant(world, user, { defaultCurrency: 'EUR' });
  stack.defer(async () => own.admin[Symbol.asyncDispose]());
  const shop = shopify.shop(name);
  shop.products.set('11', {
    id: '11',
    title: 'Shirt',
    updatedAt: '2026-11-20T10:00:00Z',
    variants: [
      { id: '21', option: 'S', sku: 'SH-S', price: '23.80', available: 5 },
      { id: '22', option: 'M', sku: 'SH-M', price: '23.8', available: 5 },
    ],
  });
  fill?.(shop);
  const token = `shpat_${randomUUID()}`;
  shop.tokens.set(token, { refresh: 'none', ends: Infinity });
  await own.act('service_create_tax_rate', { name: 'VAT', percentage: '19' });
  await own.act('service_create_location', { name: 'Store', code: 'store' });
  const code = await installIn({ url: world.db.appUrl, dataDir: world.dataDir }, name, token);
  const { channel } = await own.act('service_connect_channel', { code });
  const tell: Opened['tell'] = async (topic, body, { secret, ...more } = {}) => {
    const text = JSON.stringify(body);
    const answer = await world.call(`${world.server.addresses.commerce}/webhooks/marketplace`, {
      method: 'POST',
      body: text,
      headers: shopify.headers(text, { topic, shop: name, ...more }, secret),
    });
    return answer.status;
  };
  return {
    ...own,
    user,
    shop,
    channelId: String(channel?.['id']),
    tell,
    told: async (topic, body) => {
      assert.equal(await tell(topic, body), 200);
      await own.settled();
    },
    orders: async () => list((await own.act('service_list_orders', {}))['orders']),
    order: async (id) => (await own.act('service_get_order', { order_id: id }))['order'] ?? {},
  };
}

/** Two shirts for 23.80 each less 4.76, sent for 4.90: 47.74, of which 7.62 are tax. */
export const given = (id: string, more: Partial<GivenOrder> = {}): GivenOrder => ({
  id,
  name: `#${id}`,
  email: `ann${id}@example.com`,
  customer: { id: '71', name: 'Ann Buyer' },
  received: '47.74',
  total: '47.74',
  lines: [
    {
      id: `${id}1`,
      variant: '21',
      quantity: 2,
      price: '23.80',
      discount: { code: 'TEN', amount: '4.76' },
      tax: { percentage: 19, amount: '6.84' },
    },
  ],
  shipping: { title: 'Parcel', price: '4.90', tax: { percentage: 19, amount: '0.78' } },
  refunds: [],
  fulfilments: [],
  createdAt: '2026-11-26T10:00:00Z',
  updatedAt: '2026-11-26T10:00:00Z',
  ...more,
});

export const eventOf = (order: GivenOrder) => ({
  id: Number(order.id),
  admin_graphql_api_id: `gid://shopify/Order/${order.id}`,
  updated_at: order.updatedAt,
});

export const until = async (met: () => Promise<boolean>): Promise<void> => {
  for (let round = 0; !(await met()); round += 1) {
    assert.ok(round < 1_500, 'it never came');
    await sleep(20);
  }
};
