import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createShopify, type Shopify } from '@steward/marketplace/testing';
import { sql } from '@steward/sql';
import { createProcessWorld, type ProcessWorld } from '../world/index.ts';
import { given, openShop, until } from './marketplace-shop.ts';

const [products, orders] = [24, 24];

describe('the first import of a shop, by a server that is killed', () => {
  const stack = new AsyncDisposableStack();
  let shopify: Shopify;
  let world: ProcessWorld;
  before(async () => {
    shopify = stack.use(await createShopify());
    world = stack.use(await createProcessWorld(shopify.variables));
  });
  after(async () => stack.disposeAsync());

  test('goes on where it was: nothing is there twice, and nothing is missing', async () => {
    const own = await openShop({
      world,
      shopify,
      stack,
      fill: (shop) => {
        for (let n = 1; n < products; n += 1)
          shop.products.set(`1${100 + n}`, {
            id: `1${100 + n}`,
            title: `Product ${n}`,
            updatedAt: '2026-11-20T10:00:00Z',
            variants: [{ id: `2${100 + n}`, price: '10.00', available: 1 }],
          });
        for (let n = 1; n <= orders; n += 1) {
          const id = `8${100 + n}`;
          const variant = n === orders ? '21' : `2${100 + n}`;
          const lines = [{ id: `${id}1`, variant, quantity: 1, price: '10.00' }];
          shop.orders.set(id, { ...given(id), lines, received: '14.90', total: '14.90' });
        }
      },
    });
    const asked = (): number => shopify.stub.asked.filter(({ path }) => path.includes(`/${own.shop.name}/`)).length;
    const isDone = async (): Promise<boolean> => {
      const [row] = await own.admin.query<{ due: number }>(sql`
        select count(*) filter (where state <> 'done')::int as due from marketplace.task where tenant_id = ${own.tenant}::uuid`);
      return row?.due === 0;
    };
    let kills = 0;
    // In the middle of products, between pages, and in the middle of orders.
    for (const moment of [16, 25, 36, 46, 55, 64]) {
      await until(async () => asked() >= moment || (await isDone()));
      await world.server.kill();
      if (!(await isDone())) kills += 1;
      await world.restart();
      // What it had begun is left to it for two minutes.
      await own.admin.query(sql`
        update marketplace.task set leased_until = null where tenant_id = ${own.tenant}::uuid and state = 'due'`);
    }
    assert.ok(kills >= 4, `${kills} kills came before it was done`);
    await until(isDone);
    const tasks = await own.admin.query<{ kind: string; done: number; failed: number; total: number }>(sql`
      select kind, done, failed, total from marketplace.task where tenant_id = ${own.tenant}::uuid and kind <> 'webhooks' order by kind`);
    assert.deepEqual(
      tasks.map((one) => ({ ...one })),
      [
        { kind: 'orders', done: orders, failed: 0, total: orders },
        { kind: 'products', done: products, failed: 0, total: products },
      ],
    );
    const counts = await own.admin.query<{ what: string; rows: number; apart: number }>(sql`
      select 'products' as what, count(*)::int as rows, count(distinct title)::int as apart from catalogue.product where tenant_id = ${own.tenant}::uuid
      union all select 'links', count(*)::int, count(distinct external_id)::int from marketplace.link where tenant_id = ${own.tenant}::uuid and kind = 'product'
      union all select 'imported', count(*)::int, count(distinct order_id)::int from marketplace.imported_order where tenant_id = ${own.tenant}::uuid
      union all select 'orders', count(*)::int, count(distinct email)::int from orders.sales_order where tenant_id = ${own.tenant}::uuid
      union all select 'payments', count(*)::int, count(distinct order_id)::int from orders.payment where tenant_id = ${own.tenant}::uuid and state = 'captured'
      union all select 'contacts', count(*)::int, count(distinct contact_id)::int from crm.contact where tenant_id = ${own.tenant}::uuid
      union all select 'events', count(*)::int, count(distinct event::jsonb -> 'payload' ->> 'external_id')::int from audit.event
        where tenant_id = ${own.tenant}::uuid and event::jsonb ->> 'type' = 'commerce.order.imported'`);
    const expected = { products, links: products, imported: orders, orders, payments: orders, contacts: orders };
    assert.deepEqual(
      Object.fromEntries(counts.map(({ what, rows, apart }) => [what, [rows, apart]])),
      Object.fromEntries(Object.entries({ ...expected, events: orders }).map(([what, n]) => [what, [n, n]])),
    );
    const topics = own.shop.webhooks.map(({ topic }) => topic);
    assert.equal(new Set(topics).size, topics.length, 'no webhook is registered twice');
    // As `service_import_channel` has it imported once more.
    await own.admin.query(sql`
      update marketplace.task set state = 'due', cursor = null, done = 0, failed = 0, total = null, next_at = clock_timestamp()
      where tenant_id = ${own.tenant}::uuid`);
    await until(isDone);
    const [again] = await own.admin.query<{ orders: number; products: number }>(sql`
      select (select count(*)::int from orders.sales_order where tenant_id = ${own.tenant}::uuid) as orders,
        (select count(*)::int from catalogue.product where tenant_id = ${own.tenant}::uuid) as products`);
    assert.deepEqual({ ...again }, { orders, products });
  });
});
