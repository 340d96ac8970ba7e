import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { goodsOf } from '../fixtures/goods.ts';
import { ask, createWorld, type Running, type World } from '../fixtures/world.ts';
import { createProductPages } from './product-pages.ts';

describe('the page of a product', () => {
  let world: World;
  let server: Running;
  before(async () => {
    world = await createWorld();
    server = await world.start();
  });
  after(async () => world[Symbol.asyncDispose]());

  const opened = async () => {
    const site = await server.site(await server.tenant());
    const { tenant } = site.context;
    const goods = goodsOf(world.admin, tenant);
    const variant = await goods.variant({ cents: 1000, stock: 5 });
    const [{ handle } = { handle: '' }] = await world.admin.query<{ handle: string }>(sql`
      select p.handle from catalogue.product p join catalogue.variant v using (tenant_id, product_id) where v.variant_id = ${variant}::uuid`);
    const path = `/storefront/v1/products/${handle}`;
    const key = { tenant, siteId: newId(), brandId: tenant, keyId: newId(), mode: 'live' as const, origins: [] };
    const clock = { now: 0 };
    const pages = createProductPages(
      { tenancy: server.tenancy, addresses: { commerce: 'https://shop.example' } },
      () => clock.now,
    );
    const price = async (): Promise<unknown> => priceIn((await pages.get(key, handle))?.text);
    const writes = async (): Promise<unknown> =>
      ask(server, '/storefront/v1/carts', {
        method: 'POST',
        key: site.key,
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
    return { context: site.context, siteKey: site.key, goods, variant, handle, path, key, clock, pages, price, writes };
  };
  const priceIn = (text = '{}'): unknown =>
    (JSON.parse(text) as { variants: { prices: { amount: string }[] }[] }).variants[0]?.prices[0]?.amount;

  test('is at most a second old', async () => {
    const { goods, variant, clock, price } = await opened();
    assert.equal(await price(), '10.00');
    // As another process would.
    await goods.reprice(variant, 900);
    clock.now = 999;
    assert.equal(await price(), '10.00');
    clock.now = 1_000;
    assert.equal(await price(), '9.00');
  });

  test('shows at once what was written for its tenant here', async () => {
    const [one, other] = [await opened(), await opened()];
    assert.deepEqual([await one.price(), await other.price()], ['10.00', '10.00']);
    for (const { goods, variant } of [one, other]) await goods.reprice(variant, 900);
    await one.writes();
    assert.deepEqual([one.pages.peek(one.key, one.handle), await one.price()], [undefined, '9.00']);
    assert.equal(await other.price(), '10.00');
  });

  test('that was read before a write answers nobody after it', async () => {
    const { handle, key, pages, price, writes } = await opened();
    const reading = price();
    await writes();
    assert.equal(await reading, '10.00');
    assert.equal(pages.peek(key, handle), undefined);
  });

  test('lasts until a price list begins or ends', async () => {
    const { context, goods, variant, clock, handle, key, pages, price } = await opened();
    const list = await goods.listed(variant, 500);
    await world.admin.query(sql`
      update catalogue.price_list set ends_at = clock_timestamp() + interval '700 milliseconds'
      where tenant_id = ${context.tenant}::uuid and price_list_id = ${list}::uuid`);
    assert.equal(await price(), '5.00');
    assert.notEqual(pages.peek(key, handle), undefined);
    clock.now = 700;
    assert.equal(pages.peek(key, handle), undefined);
    await setTimeout(750);
    assert.equal(await price(), '10.00');
  });

  test('of a live key is not that of a test key, nor of another brand', async () => {
    const { goods, variant, handle, key, pages } = await opened();
    const seen = async (given: object): Promise<unknown> => {
      const page = await pages.get({ ...key, ...given }, handle);
      return page === undefined
        ? undefined
        : (JSON.parse(page.text) as { variants: { available: boolean }[] }).variants[0]?.available;
    };
    assert.equal(await seen({ mode: 'test' }), true);
    await goods.count(variant, 0);
    assert.deepEqual([await seen({}), await seen({ brandId: newId() })], [false, undefined]);
  });

  test('is the same from memory as from the database, in status, body and headers', async () => {
    const { path, siteKey, writes } = await opened();
    const asked = async (at: string, init: Parameters<typeof ask>[2]) => {
      const { status, text, headers } = await ask(server, at, init);
      const told = [...headers].filter(
        ([name]) => !/^(?:date|x-request-id|ratelimit|connection|keep-alive)$/.test(name),
      );
      return { status, text: text.replace(/"requestId":"[^"]*"/, ''), headers: Object.fromEntries(told) };
    };
    const { headers } = await asked(path, { key: siteKey });
    for (const [at, init] of [
      [path, {}],
      [path, { headers: { 'if-none-match': '"other"' } }],
      [path, { headers: { 'if-none-match': headers['etag'] ?? '' } }],
      [path, { headers: { origin: 'https://elsewhere.example' } }],
      [`${path}?x=1`, {}],
      [path, { method: 'HEAD' }],
      [path.replace('p-', 'q-'), {}],
      [path.replace('p-', 'P-'), {}],
      [path.replace('p-', '%70-'), {}],
    ] as const) {
      await writes();
      const first = await asked(at, { key: siteKey, ...init });
      const second = await asked(at, { key: siteKey, ...init });
      assert.deepEqual(second, first, `${at} ${JSON.stringify(init)}`);
    }
  });
});
