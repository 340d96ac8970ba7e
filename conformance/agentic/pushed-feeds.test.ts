import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { createWorld, hireAgent, type Agent, type Json, type World } from '@steward/conformance/world';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { openPlatform } from './fixtures/platform.ts';
import { openSeller, type Seller } from './fixtures/seller.ts';

const token = 'the.token-of_the~brand';

/** A platform that hosts one feed; what it has of each product. */
async function openHost() {
  const requests: string[] = [];
  const products = new Map<string, Json>();
  const receive = async (request: IncomingMessage): Promise<object | undefined> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { products?: Json[]; target_country?: string };
    requests.push(`${request.method} ${request.url}`);
    if (request.headers['authorization'] !== `Bearer ${token}`) return undefined;
    for (const product of body.products ?? []) products.set(String(product['id']), product);
    return request.method === 'POST' ? { id: 'feed_1', ...body } : { id: 'feed_1', accepted: true };
  };
  const server = createServer(
    (request, response) =>
      void receive(request).then((said) =>
        response
          .writeHead(said === undefined ? 401 : request.method === 'POST' ? 201 : 200, {
            'content-type': 'application/json',
          })
          .end(JSON.stringify(said ?? { type: 'invalid_request', code: 'unauthorized', message: 'Who are you?' })),
      ),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`,
    requests,
    products,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

describe('what a brand sells is pushed to a platform that hosts feeds', () => {
  const stack = new AsyncDisposableStack();
  let host: Awaited<ReturnType<typeof openHost>>;
  let world: World;
  let admin: SqlPool;
  let seller: Seller;
  let owner: Agent;
  let goods: Agent;
  let agentId: string;
  let feedId: string;
  before(async () => {
    const platform = stack.use(await openPlatform());
    host = stack.use(await openHost());
    world = stack.use(await createWorld({ WEBHOOKS_TO_LOOPBACK: 'allow' }));
    admin = openPool({ url: world.db.adminUrl, size: 1 });
    stack.defer(async () => admin.close());
    seller = await openSeller(world, platform, 'acp');
    owner = stack.use(await hireAgent(world, 'owner@example.com', 'commerce/selling'));
    goods = stack.use(await hireAgent(world, 'owner@example.com', 'commerce'));
    const { body: credential } = await seller.rest('POST', 'commerce', `/brands/${seller.brandId}/agent-credentials`, {
      profileUrl: 'https://platform.example/',
    });
    agentId = String(credential['agentId']);
  });
  after(async () => stack.disposeAsync());

  const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (let round = 0; !(await holds()); round += 1) {
      assert.ok(round < 3_000, `it never came to this: ${what}`);
      await sleep(20);
    }
  };
  const variantOf = (id: string): Json | undefined =>
    [...host.products.values()]
      .flatMap((product) => product['variants'] as unknown as Json[])
      .find((variant) => String(variant['id']) === id);
  const told = (id: string) => {
    const variant = variantOf(id);
    return [variant?.['price']?.['amount'], variant?.['availability']?.['status']].map(String);
  };
  const feed = async (): Promise<Json> => {
    const { body } = await seller.rest('GET', 'commerce', '/agent-feeds');
    return (body['items'] as unknown as Json[])[0] ?? {};
  };
  const make = async (title: string): Promise<{ product_id: string; variant_id: string }> => {
    const { products } = await goods.call('service_create_products', {
      products: [
        {
          title,
          status: 'active',
          brand_ids: [seller.brandId],
          variants: [{ prices: [{ amount: '5.00', currency: 'USD' }], requires_shipping: false }],
        },
      ],
    });
    const product_id = String((products as unknown as Json[])[0]?.['id']);
    const { product } = await goods.call('service_get_product', { product_id });
    const [variant] = (product?.['variants'] ?? []) as unknown as Json[];
    return { product_id, variant_id: String(variant?.['id']) };
  };

  test('at the address that a person has approved, from the token on, which nobody is shown', async () => {
    const proposed = await owner.call('service_set_agent_feed', { agent_id: agentId, url: host.url });
    assert.equal(host.requests.length, 0, JSON.stringify(proposed));
    const set = await seller.rest('PUT', 'commerce', `/shopping-agents/${agentId}/feed`, {
      url: `${host.url}/`,
      targetCountry: 'US',
    });
    feedId = String(set.body['id']);
    assert.deepEqual(
      ['url', 'status', 'reason', 'platformFeedId'].map((name) => String(set.body[name])),
      [host.url, 'paused', 'token_missing', 'null'],
    );
    await seller.rest('PUT', 'commerce', `/agent-feeds/${feedId}/token`, { token, url: host.url });
    await until('it is there', () => variantOf(seller.variantId) !== undefined);
    assert.deepEqual(host.requests.slice(0, 2), ['POST /acp/feeds', 'PATCH /acp/feeds/feed_1/products']);
    await until('it says so', async () => String((await feed())['productsPushed']) === '1');
    assert.equal(String((await feed())['platformFeedId']), 'feed_1');
    const texts = await admin.query<{ text: string }>(sql`
      select event::text as text from audit.event union all select f::text from acp.feed f union all select w::text from acp.feed_work w
      union all select a::text from approvals.action a`);
    assert.ok(texts.length > 0 && texts.every(({ text }) => !text.includes(token)));
    assert.ok(!JSON.stringify(await feed()).includes(token));
    assert.ok(!world.server.output().includes(token));
  });

  test('within seconds of each change: a new product, its price, a price list, stock that is sold out, and what is taken off', async () => {
    const { product_id, variant_id } = await make('Mug');
    await until('it is there', () => told(variant_id)[0] === '500');
    await goods.call('service_set_prices', {
      variants: [{ variant_id, prices: [{ amount: '4.50', currency: 'USD' }] }],
    });
    await until('its price is there', () => told(variant_id)[0] === '450');
    const { body: list } = await seller.rest('POST', 'commerce', '/price-lists', { name: 'Sale', currency: 'USD' });
    await seller.rest('POST', 'commerce', `/price-lists/${String(list['id'])}/prices`, {
      variants: [{ variantId: variant_id, prices: [{ amount: '4.00' }] }],
    });
    await until('the price of the list is there', () => told(variant_id)[0] === '400');
    await seller.rest('PUT', 'commerce', '/stock/items', {
      variants: [{ variantId: variant_id, items: [{ quantity: 1 }] }],
    });
    await until('there is none', () => told(variant_id)[1] === 'out_of_stock');
    await goods.call('service_unpublish_products', { product_ids: [product_id], brand_ids: [seller.brandId] });
    await until('it is gone', () => told(variant_id)[1] === 'discontinued');
    await goods.call('service_publish_products', { product_ids: [product_id], brand_ids: [seller.brandId] });
    await until('it is back', () => told(variant_id)[1] === 'out_of_stock');
  });

  test('but nothing while the agent is shut out, the door is one of tests or closed, or the feed is paused', async () => {
    const withheld = async (because: string): Promise<void> =>
      until(because, async () => String((await feed())['withheld']) === because);
    const { product_id, variant_id } = await make('Plate');
    await until('it is there', () => variantOf(variant_id) !== undefined);
    const reprice = async (amount: string): Promise<unknown> =>
      goods.call('service_set_prices', { variants: [{ variant_id, prices: [{ amount, currency: 'USD' }] }] });
    await seller.rest('POST', 'commerce', `/shopping-agents/${agentId}/shut-out`, {});
    const asked = host.requests.length;
    await reprice('6.00');
    await withheld('agent_shut_out');
    await seller.rest('POST', 'commerce', `/shopping-agents/${agentId}/readmit`, {});
    await seller.configure({ mode: 'test' });
    await reprice('7.00');
    await withheld('door_in_test');
    await seller.configure({ active: false });
    await reprice('8.00');
    await withheld('door_closed');
    assert.equal(host.requests.length, asked);
    await seller.rest('POST', 'commerce', `/agent-feeds/${feedId}/pause`, {});
    await seller.configure({ active: true, mode: 'live' });
    await seller.rest('POST', 'commerce', `/agent-feeds/${feedId}/resume`, {});
    await until('what changed meanwhile is there', () => told(variant_id)[0] === '800');
    assert.equal(host.requests.length, asked + 1, product_id);
  });

  test('and no address inside is taken; what was decided is what the log says; a removed feed is gone', async () => {
    for (const url of [
      'https://10.0.0.1',
      'https://169.254.169.254',
      'http://example.com',
      'https://user:x@example.com',
    ])
      await assert.rejects(
        seller.rest('PUT', 'commerce', `/shopping-agents/${agentId}/feed`, { url }),
        /invalid_request/,
      );
    const audit = await world.command(['audit', 'verify']);
    assert.equal(audit.code, 0, audit.out);
    await admin.query(sql`update acp.feed set target_country = 'CA' where feed_id = ${feedId}::uuid`);
    const forged = await world.command(['audit', 'verify']);
    assert.match(forged.out, /product feed/);
    await admin.query(sql`update acp.feed set target_country = 'US' where feed_id = ${feedId}::uuid`);
    await seller.rest('DELETE', 'commerce', `/agent-feeds/${feedId}`);
    assert.deepEqual(await feed(), {});
    const after = await world.command(['audit', 'verify']);
    assert.equal(after.code, 0, after.out);
  });
});
