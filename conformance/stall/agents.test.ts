import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { type Json, nonsense } from '@steward/conformance/world';
import { startHttps } from '@steward/testing';
import type { Shape } from './hostile.ts';
import { restOperations } from './operations.ts';
import type { Sent } from './watch.ts';
import { calling, json, createStallWorld, timeout, type StallWorld } from './world.ts';

// As for every route and tool, for those of shopping agents, whose doors are open here and who come in.

const certificate = fileURLToPath(new URL('../../packages/testing/tls/cert.pem', import.meta.url));
const version = '2026-08-25';
const capabilities = [
  'checkout',
  'cart',
  'order',
  'catalog.search',
  'catalog.lookup',
  'fulfillment',
  'discount',
  'buyer_consent',
];

describe('no shopping agent holds up another request', { timeout }, () => {
  const stack = new AsyncDisposableStack();
  const ids = { brandid: '', variant: '' };
  const made: Record<string, { readonly checkout: string; readonly cart: string }> = {};
  let stall: StallWorld;
  let profile: string;
  /** By protocol. */
  let admitting: Readonly<Record<string, () => Readonly<Record<string, string>>>>;
  before(async () => {
    const platform = stack.use(
      await startHttps((_request, response) => {
        const declared = capabilities.map((name) => [`dev.ucp.shopping.${name}`, [{ version }]]);
        const body = { ucp: { version, capabilities: Object.fromEntries(declared) }, keys: [] };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }),
    );
    profile = `${platform.url}/profile`;
    stall = stack.use(
      await createStallWorld(
        {
          AGENT_PROFILES_FROM_LOOPBACK: 'allow',
          NODE_EXTRA_CA_CERTS: certificate,
          UCP_PER_IP_PER_MINUTE: '1000000',
          ACP_PER_IP_PER_MINUTE: '1000000',
        },
        {
          brandid: () => ids.brandid,
          id: (_at, turn) => [ids.variant, made['ucp']?.checkout, made['ucp']?.cart, made['acp']?.checkout][turn % 4],
          cartid: () => made['ucp']?.cart,
          type: (_at, turn) => (turn % 2 === 0 ? 'shipping' : 'digital'),
          profile: () => profile,
          idempotencykey: () => randomUUID(),
          'idempotency-key': () => randomUUID(),
          apiversion: () => '2026-04-17',
          currency: (_at, turn) => (turn % 2 === 0 ? 'USD' : 'usd'),
          addresscountry: () => 'DE',
          handlerid: () => 'mock_payment_handler',
          quantity: (_at, turn) => 1 + (turn % 3),
        },
      ),
    );
    const { world, owner, use } = stall;
    const { commerce, portal } = world.server.addresses;
    const asked = { ...owner, ...json };
    const good = async (
      method: string,
      url: string,
      headers: Readonly<Record<string, string>>,
      body?: unknown,
    ): Promise<Json> => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const { status, text } = await stall.watch.send({ method, url, headers, ...sent });
      assert.ok(status < 300, `${method} ${url}: ${text}`);
      return JSON.parse(text) as Json;
    };
    ids.brandid = String(((await good('GET', `${portal}/api/brands`, asked))['items'] as unknown as Json[])[0]?.['id']);
    const { products } = await use('service_create_products', {
      products: [
        {
          title: 'Mug',
          status: 'active',
          brand_ids: [ids.brandid],
          variants: [{ requires_shipping: false, prices: [{ amount: '18.00', currency: 'USD' }] }],
        },
      ],
    });
    const { product } = await use('service_get_product', { product_id: (products as unknown as Json[])[0]?.['id'] });
    ids.variant = String(((product?.['variants'] ?? []) as unknown as Json[])[0]?.['id']);
    const at = `${commerce}/api/brands/${ids.brandid}`;
    await good('POST', `${at}/signing-keys`, asked, {});
    for (const protocol of ['ucp', 'acp'])
      await good('PATCH', `${at}/agentic-commerce`, asked, { protocol, active: true, mode: 'test' });
    const { credential } = await use('service_issue_agent_credential', {
      brand_id: ids.brandid,
      profile_url: 'https://agent.example',
    });
    admitting = {
      ucp: () => ({ 'ucp-agent': `profile="${profile}"`, 'idempotency-key': randomUUID() }),
      acp: () => ({
        authorization: `Bearer ${String(credential?.['key'] ?? assert.fail('no key'))}`,
        'api-version': '2026-04-17',
        'idempotency-key': randomUUID(),
      }),
    };
    const lines = [{ item: { id: ids.variant }, quantity: 1 }];
    for (const [protocol, checkouts, more] of [
      ['ucp', 'checkout-sessions', {}],
      ['acp', 'checkout_sessions', { currency: 'usd', capabilities: {} }],
    ] as const) {
      const make = async (what: string, more: object = {}) =>
        String(
          (
            await good(
              'POST',
              `${commerce}/${protocol}/${ids.brandid}/${what}`,
              { ...json, ...admitting[protocol]?.() },
              { ...more, line_items: lines },
            )
          )['id'],
        );
      made[protocol] = { checkout: await make(checkouts, more), cart: await make('carts') };
    }
  });
  after(async () => stack.disposeAsync());

  const protocolOf = (path: string): string | undefined => /^\/commerce\/(ucp|acp)\//.exec(path)?.[1];

  test('whatever it sends to a route', { timeout }, async () => {
    const { origin, bodies, quiet, idOf } = stall;
    const routes = restOperations().filter(({ path }) => protocolOf(path) !== undefined);
    assert.ok(routes.length > 20);
    await quiet(
      routes.values().flatMap(function* ({ method, path, bodies: of }): Generator<Sent> {
        const name = `${method} ${path}`;
        const protocol = protocolOf(path) ?? '';
        const admitted = admitting[protocol] ?? assert.fail(path);
        const url =
          origin +
          path.replaceAll(/\{(\w+)\}/g, (_all, key: string) =>
            key === 'id' ? String(made[protocol]?.[path.includes('cart') ? 'cart' : 'checkout']) : idOf(key),
          );
        for (const [type, shape] of Object.entries(of))
          for (const { what, body } of bodies(shape))
            yield { name, what, method, url, headers: { ...admitted(), 'content-type': type }, body };
        if (Object.keys(of).length === 0) yield { name, method, url, headers: admitted() };
      }),
    );
  });

  test('nor finds a value of any member that is an error of ours', { timeout }, async () => {
    const { origin, watch, idOf } = stall;
    const base = { line_items: [{ item: { id: ids.variant }, quantity: 1 }] };
    const asked = new Set<string>();
    for (const { method, path, bodies: of } of restOperations()) {
      const protocol = protocolOf(path);
      if (protocol === undefined || path.endsWith('/mcp')) continue;
      const url =
        origin +
        path.replaceAll(/\{(\w+)\}/g, (_all, key: string) =>
          key === 'id' ? String(made[protocol]?.[path.includes('cart') ? 'cart' : 'checkout']) : idOf(key),
        );
      for (const place of membersOf(of['application/json'] ?? {})) {
        const known = `${protocol} ${path.includes('complete')} ${place.join('/')}`;
        if (asked.has(known)) continue;
        asked.add(known);
        for (const value of nonsense) {
          const body = JSON.stringify(put(path.endsWith('s') ? base : {}, place, value));
          const headers = { ...json, ...admitting[protocol]?.() };
          const { status, text } = await watch.send({ method, url, headers, body });
          assert.ok(status < 500, `${method} ${path} ${body.slice(0, 300)}: ${status} ${text.slice(0, 500)}`);
        }
      }
    }
    assert.ok(asked.size > 100, String(asked.size));
  });

  test('whatever the arguments of its tools are', { timeout }, async () => {
    const { origin, bodies, quiet, watch } = stall;
    const endpoints = restOperations().filter(({ path }) => protocolOf(path) !== undefined && path.endsWith('/mcp'));
    assert.equal(endpoints.length, 2);
    for (const { path } of endpoints) {
      const url = origin + path.replace('{brandId}', ids.brandid);
      const headers = () => ({ ...json, ...admitting[protocolOf(path) ?? '']?.() });
      const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
      const { text } = await watch.send({ method: 'POST', url, headers: headers(), body });
      const { result } = JSON.parse(text) as { result: { tools: { name: string; inputSchema: Shape }[] } };
      assert.ok(result.tools.length > 5, text);
      await quiet(
        result.tools.values().flatMap(function* ({ name, inputSchema }): Generator<Sent> {
          for (const { what, body: args } of bodies(inputSchema))
            yield { name, what, method: 'POST', url, headers: headers(), body: calling(name, args) };
        }),
      );
    }
  });
});

type Place = readonly (string | 0)[];

/** Every member, however deep. */
function* membersOf(shape: Shape, place: Place = []): Generator<Place> {
  if (place.length > 0) yield place;
  if (place.length > 12) return;
  for (const one of shape.anyOf ?? shape.oneOf ?? [])
    for (const inner of membersOf(one, place)) if (inner !== place) yield inner;
  if (shape.items !== undefined) yield* membersOf(shape.items, [...place, 0]);
  for (const [name, one] of Object.entries(shape.properties ?? {})) yield* membersOf(one, [...place, name]);
}

/** The same with one member as given; what it stands in is made where it is missing. */
function put(whole: unknown, [first, ...rest]: Place, value: unknown): unknown {
  if (first === undefined) return value;
  if (first === 0) return [put(Array.isArray(whole) ? whole[0] : undefined, rest, value)];
  const object = typeof whole === 'object' && whole !== null ? (whole as Record<string, unknown>) : {};
  return { ...object, [first]: put(object[first], rest, value) };
}
