import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createShopify, type Shopify } from '@steward/marketplace/testing';
import { sql } from '@steward/sql';
import { createProcessWorld, type ProcessWorld } from '../world/index.ts';
import { list, openShop, until } from './marketplace-shop.ts';

const products = 12;

describe('products that are made in a shop by a server that is killed', () => {
  const stack = new AsyncDisposableStack();
  let shopify: Shopify;
  let world: ProcessWorld;
  before(async () => {
    shopify = stack.use(await createShopify());
    world = stack.use(await createProcessWorld(shopify.variables));
  });
  after(async () => stack.disposeAsync());

  test('are there once each, with one product here for each', async () => {
    const own = await openShop({ world, shopify, stack });
    const { channelId, tenant } = own;
    const state = async (kind: string): Promise<string | undefined> => {
      const [row] = await own.admin.query<{ state: string }>(
        sql`select state from marketplace.task where tenant_id = ${tenant}::uuid and kind = ${kind}`,
      );
      return row?.state;
    };
    await until(async () => (await state('orders')) === 'done');
    await own.act('service_set_channel_products', { channel_id: channelId, products: 'here' });
    await until(async () => (await state('orders')) === 'done');
    const made = await own.act('service_create_products', {
      products: Array.from({ length: products }, (_one, n) => ({
        title: `Made ${n}`,
        status: 'active',
        variants: [{ prices: [{ amount: '4.20', currency: 'EUR' }] }],
      })),
    });
    const ids = list(made['products']).map(({ id }) => String(id));
    await own.act('service_publish_to_channel', { channel_id: channelId, product_ids: ids });
    const sets = (): number =>
      shopify.stub.asked.filter(({ path, body }) => path.includes(`/${own.shop.name}/`) && body.includes('productSet('))
        .length;
    const isDone = async (): Promise<boolean> => {
      const [row] = await own.admin.query<{ due: number }>(sql`
        select count(*)::int as due from marketplace.listing where tenant_id = ${tenant}::uuid and (external_id is null or due_at <= clock_timestamp())`);
      return row?.due === 0;
    };
    let kills = 0;
    // Between what the shop was asked and what is kept of it.
    for (const moment of [1, 3, 6, 9]) {
      await until(async () => sets() >= moment || (await isDone()));
      await world.server.kill();
      if (!(await isDone())) kills += 1;
      await world.restart();
      // What it had begun is left to it for two minutes.
      await own.admin.query(sql`
        update marketplace.task set leased_until = null where tenant_id = ${tenant}::uuid and state = 'due'`);
    }
    assert.ok(kills >= 2, `${kills} kills came before it was done`);
    await until(isDone);
    const titles = [...own.shop.products.values()]
      .map(({ title }) => title)
      .filter((title) => title.startsWith('Made'));
    assert.deepEqual([titles.length, new Set(titles).size], [products, products]);
    const [counts] = await own.admin.query<{ here: number; links: number; made: number }>(sql`
      select (select count(*)::int from catalogue.product where tenant_id = ${tenant}::uuid and title like 'Made %') as here,
        (select count(*)::int from marketplace.link where tenant_id = ${tenant}::uuid and kind = 'product' and id = any (${ids}::uuid[])) as links,
        (select count(*)::int from audit.event where tenant_id = ${tenant}::uuid and event::jsonb ->> 'type' = 'commerce.channel.product_created') as made`);
    assert.deepEqual({ ...counts }, { here: products, links: products, made: products });
  });
});
