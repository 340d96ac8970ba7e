import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { createWorld, hireAgent, type Json, type Serving, type World } from '@steward/conformance/world';
import { publicJwk, sign } from '@steward/http-signatures';
import { newId } from '@steward/kernel';
import { openPool, type SqlPool, statement } from '@steward/sql';
import { openPlatform, type Platform } from './fixtures/platform.ts';
import { openSeller, type Seller } from './fixtures/seller.ts';

const authority = fileURLToPath(new URL('../../packages/testing/tls/cert.pem', import.meta.url));
const owner = 'owner@example.com';
const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];

/** RFC 8785, of what is sent here. */
const canonical = (sent: unknown): string =>
  JSON.stringify(sent, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** Somebody who is about to buy: all but the last step is done. */
interface Buyer {
  readonly door: string;
  /** Buys; answers whether that was said to have been done. */
  complete(): Promise<boolean>;
}

for (const mode of ['live', 'test'] as const)
  describe(`the last unit of something, ${mode}`, () => {
    const stack = new AsyncDisposableStack();
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    let platform: Platform;
    let world: World;
    let admin: SqlPool;
    let seller: Seller;
    let servers: readonly Serving[];
    /** Something new of which there are so many. */
    let counting: (counted: number) => Promise<string>;
    let sdkKey: string;
    /** Of four agent platforms, each of its own. */
    let credentials: readonly string[];
    before(async () => {
      platform = stack.use(await openPlatform());
      world = stack.use(await createWorld({ AGENT_PROFILES_FROM_LOOPBACK: 'allow' }));
      admin = openPool({ url: world.db.adminUrl, size: 1 });
      stack.defer(async () => admin.close());
      seller = await openSeller(world, platform);
      const { brandId } = seller;
      await seller.configure({ mode });
      await seller.rest('PATCH', 'commerce', `/brands/${brandId}/agentic-commerce`, {
        protocol: 'acp',
        active: true,
        mode,
      });
      const [goods, studio] = await Promise.all(
        ['commerce', 'studio'].map(async (pillar) => stack.use(await hireAgent(world, owner, pillar))),
      );
      if (!goods || !studio) throw new Error('nobody was hired');
      counting = async (counted) => {
        const variants = [{ prices: [{ amount: '25.00', currency: 'USD' }], requires_shipping: false }];
        const { products } = await goods.call('service_create_products', {
          products: [{ title: `One of ${counted}`, status: 'active', brand_ids: [brandId], variants }],
        });
        const { product } = await goods.call('service_get_product', { product_id: String(list(products)[0]?.['id']) });
        const variantId = String(list(product?.['variants'])[0]?.['id']);
        await goods.call('service_count_stock', { lines: [{ variant_id: variantId, counted }] });
        return variantId;
      };
      const { site } = await studio.call('service_create_site', { name: 'Pages', origins: [], brand_id: brandId });
      const { sdk_key } = await studio.call('service_issue_sdk_key', { site_id: site?.['id'], mode, label: 'Pages' });
      sdkKey = String(sdk_key?.['key']);
      const issued: string[] = [];
      for (let at = 0; at < 4; at += 1) {
        const { body } = await seller.rest('POST', 'commerce', `/brands/${brandId}/agent-credentials`, {
          profileUrl: `https://platform-${at}.example/`,
          mode,
          publicKey: String(publicKey.export({ format: 'jwk' }).x),
        });
        issued.push(String(body['key']));
      }
      credentials = issued;
      servers = [world.server, await world.another({ NODE_EXTRA_CA_CERTS: authority })];
    });
    after(async () => stack.disposeAsync());

    const send = async (url: string, text: string, headers: Readonly<Record<string, string>>): Promise<Json> => {
      let answer = await fetch(url, { method: 'POST', body: text, headers });
      // A busy server says so, and takes the same later.
      while (answer.status === 503) answer = await fetch(url, { method: 'POST', body: text, headers });
      assert.ok(answer.status < 500, `${url}: ${answer.status}`);
      return (await answer.json()) as Json;
    };

    const byUcp = (server: Serving, at: number) => async (path: string, body: object) => {
      const text = JSON.stringify(body);
      const message = {
        method: 'POST',
        url: `${server.addresses.commerce}/ucp/${seller.brandId}${path}`,
        headers: {
          'content-type': 'application/json',
          'ucp-agent': `profile="${platform.url}/agent-${at}"`,
          'idempotency-key': newId(),
        },
        body: Buffer.from(text),
      };
      const key: KeyObject = platform.key;
      const fields = ['ucp-agent', 'idempotency-key'];
      const signature = sign(message, { key, keyid: publicJwk(key).kid, algorithm: 'ES256', fields });
      return send(message.url, text, { ...message.headers, ...signature });
    };
    const byAcp = (server: Serving, at: number) => async (path: string, body: object) => {
      const url = `${server.addresses.commerce}/acp/${seller.brandId}${path}`;
      const headers = { timestamp: new Date().toISOString(), 'idempotency-key': newId() };
      const { timestamp, 'idempotency-key': key } = headers;
      const lines = ['POST', new URL(url).pathname, timestamp, key, canonical(body)].join('\n');
      const signature = signBytes(null, Buffer.from(lines), privateKey);
      return send(url, JSON.stringify(body), {
        ...headers,
        'content-type': 'application/json',
        'api-version': '2026-04-17',
        authorization: `Bearer ${credentials[at % 4] ?? ''}`,
        signature: signature.toString('base64url'),
      });
    };
    const called = (name: string, args: object): object => ({
      jsonrpc: '2.0',
      id: newId(),
      method: 'tools/call',
      params: { name, arguments: args },
    });

    const ucp = async (server: Serving, at: number, variantId: string, tools: boolean): Promise<Buyer> => {
      const ask = byUcp(server, at);
      const meta = () => ({
        'ucp-agent': { profile: `${platform.url}/agent-${at}` },
        'idempotency-key': newId(),
      });
      const call = async (name: string, args: object): Promise<Json> =>
        (await ask('/mcp', called(name, { meta: meta(), ...args })))['result']?.['structuredContent'] ?? {};
      const checkout = {
        line_items: [{ item: { id: variantId }, quantity: 1 }],
        buyer: { first_name: 'Ann', last_name: 'Bo', email: `ann-${at}@example.com` },
      };
      const made = tools ? await call('create_checkout', { checkout }) : await ask('/checkout-sessions', checkout);
      const id = String(made['id']);
      const way =
        mode === 'live'
          ? { handler_id: 'manual', type: 'invoice' }
          : {
              handler_id: 'mock_payment_handler',
              type: 'card',
              credential: { type: 'token', token: 'success_token' },
            };
      const billing_address = {
        street_address: '1 Main St',
        address_locality: 'Springfield',
        address_region: 'IL',
        postal_code: '62701',
        address_country: 'US',
      };
      const payment = { instruments: [{ id: 'i', ...way, billing_address }] };
      return {
        door: tools ? 'UCP, MCP' : 'UCP, REST',
        complete: async () => {
          const done = tools
            ? await call('complete_checkout', { id, checkout: { payment } })
            : await ask(`/checkout-sessions/${id}/complete`, { payment });
          return String(done['status']) === 'completed';
        },
      };
    };

    const acp = async (server: Serving, at: number, variantId: string, tools: boolean): Promise<Buyer> => {
      const ask = byAcp(server, at);
      const call = async (name: string, args: object): Promise<Json> => {
        const meta = { api_version: '2026-04-17', idempotency_key: newId() };
        return (await ask('/mcp', called(name, { meta, ...args })))['result'] ?? {};
      };
      const wanted = {
        buyer: { email: `bo-${at}@example.com`, first_name: 'Bo' },
        capabilities: {},
        currency: 'usd',
        line_items: [{ id: variantId, quantity: 1 }],
      };
      const made = tools
        ? await call('create_checkout_session', { payload: wanted })
        : await ask('/checkout_sessions', wanted);
      const id = String(made['id']);
      const way =
        mode === 'live'
          ? { handler_id: 'manual', instrument: { type: 'invoice', credential: { type: 'none', token: 'none' } } }
          : {
              handler_id: 'mock_payment_handler',
              instrument: { type: 'card', credential: { type: 'spt', token: 'success_token' } },
            };
      const billing_address = {
        name: 'Bo',
        line_one: '1 Main St',
        city: 'Springfield',
        state: 'IL',
        country: 'US',
        postal_code: '62701',
      };
      const payload = { payment_data: { ...way, billing_address } };
      return {
        door: tools ? 'ACP, MCP' : 'ACP, REST',
        complete: async () => {
          const done = tools
            ? await call('complete_checkout_session', { id, payload })
            : await ask(`/checkout_sessions/${id}/complete`, payload);
          return String(done['status']) === 'completed';
        },
      };
    };

    const page = async (server: Serving, at: number, variantId: string): Promise<Buyer> => {
      const ask = async (method: string, path: string, body: object, token?: string): Promise<Json> => {
        const answer = await world.call(`${server.addresses.storefront}${path}`, {
          method,
          body,
          headers: {
            'x-service-sdk-key': sdkKey,
            'idempotency-key': newId(),
            ...(token === undefined ? {} : { 'x-cart-token': token }),
          },
        });
        assert.ok(answer.status < 500, `${path}: ${JSON.stringify(answer.body)}`);
        return answer.body;
      };
      const made = await ask('POST', '/checkouts', { lines: [{ variantId, quantity: 1 }], currency: 'USD' });
      const [id, token] = [String(made['id']), String(made['token'])];
      const billingAddress = {
        line1: '1 Main St',
        city: 'Springfield',
        region: 'IL',
        postcode: '62701',
        country: 'US',
      };
      await ask('PATCH', `/checkouts/${id}`, { email: `cy-${at}@example.com`, name: 'Cy', billingAddress }, token);
      const payment =
        mode === 'live' ? { handler: 'manual', method: 'invoice' } : { handler: 'test', method: 'succeed' };
      return {
        door: 'storefront',
        complete: async () =>
          String((await ask('POST', `/checkouts/${id}/complete`, { payment }, token))['status']) === 'completed',
      };
    };

    const counted = async (rows: string): Promise<number | undefined> => {
      const asked = statement(`select count(*)::int as many from ${rows} and tenant_id = $1::uuid`, [seller.tenant]);
      return (await admin.query<{ many: number }>(asked))[0]?.many;
    };
    /** Four of each door, half of them at each process. */
    const twenty = async (variantId: string): Promise<readonly Buyer[]> => {
      const buyers: Buyer[] = [];
      for (let at = 0; at < 4; at += 1) {
        const server = servers[at % 2] ?? world.server;
        buyers.push(
          await ucp(server, at, variantId, false),
          await ucp(server, at + 4, variantId, true),
          await acp(server, at, variantId, false),
          await acp(server, at + 4, variantId, true),
          await page(server, at, variantId),
        );
      }
      return buyers;
    };
    const race = async (buyers: readonly Buyer[]): Promise<string[]> =>
      (await Promise.all(buyers.map(async (one) => ((await one.complete()) ? [one.door] : [])))).flat();

    test('is sold once to twenty who race for it by five doors of two processes, and nobody pays without an order', async () => {
      const enough = await race(await twenty(await counting(20)));
      assert.equal(enough.length, 20, `where there is enough, each of them buys: ${enough.join()}`);
      const buyers = await twenty(await counting(1));
      const sold = await race(buyers);
      assert.equal(sold.length, 1, sold.join());
      // Who came too late is not served later on, by whichever door.
      await race(buyers);
      assert.equal(await counted('orders.sales_order where true'), 21);
      assert.equal(await counted('orders.payment where order_id is not null'), 21);
      assert.equal(await counted(`orders.payment where order_id is null and state not in ('declined', 'voided')`), 0);
      assert.equal((await world.command(['audit', 'verify'])).code, 0);
    });
  });
