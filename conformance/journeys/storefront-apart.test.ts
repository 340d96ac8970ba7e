import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import {
  createWorld,
  hireAgent,
  type Json,
  openStore,
  leastOf,
  type Schema,
  type Sold,
  type World,
} from '../world/index.ts';

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const owner = 'owner@example.com';
const address = { name: 'Ann', line1: 'Weg 1', city: 'Berlin', postcode: '10115', country: 'DE' };
const { paths } = JSON.parse(readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const routes = Object.entries(paths)
  .filter(([path]) => /^\/commerce\/storefront\/v1\/.*\{(?:cart|checkout|order)Id\}/.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replace('/commerce/storefront/v1', ''),
      schema: requestBody?.content['application/json']?.schema,
    })),
  );

/** Each of what buyers have, with what opens it. */
interface Things {
  readonly cartId: string;
  readonly checkoutId: string;
  readonly orderId: string;
  readonly cartToken: string;
  readonly checkoutToken: string;
  readonly orderToken: string;
}

describe('what a buyer has is there with its own token under its own site alone, by every route of the storefront', () => {
  let world: World;
  let base: string;
  let store: Sold;
  /** Of another brand, of another site of the same brand, of the same site in the other mode, and of another tenant. */
  let foreign: Readonly<Record<string, string>>;
  before(async () => {
    world = await createWorld({ STOREFRONT_PER_IP_PER_MINUTE: '100000', STOREFRONT_PER_KEY_PER_MINUTE: '100000' });
    base = `${world.server.addresses.commerce}/storefront/v1`;
    store = await openStore(world, owner);
    const other = await openStore(world, 'other@example.com');
    const studio = await hireAgent(world, owner, 'studio');
    const { sites } = await studio.call('service_list_sites', {});
    const [own] = sites as unknown as Json[];
    const { site } = await studio.call('service_create_site', { name: 'Second', origins: [] });
    const keyOf = async (id: unknown, mode: string): Promise<string> => {
      const { sdk_key } = await studio.call('service_issue_sdk_key', { site_id: id, mode, label: 'Apart' });
      return String(sdk_key?.['key']);
    };
    const { token, tenant } = await world.signUp(owner);
    const brand = await world.call(`${world.server.addresses.portal}/api/brands`, {
      token,
      tenant,
      body: { name: 'Second' },
    });
    assert.equal(brand.status, 201, JSON.stringify(brand.body));
    const branded = await studio.call('service_create_site', {
      name: 'Third',
      origins: [],
      brand_id: brand.body['id'],
    });
    foreign = {
      'another brand': await keyOf(branded['site']?.['id'], 'test'),
      'another site': await keyOf(site?.['id'], 'test'),
      'the other mode': await keyOf(own?.['id'], 'live'),
      'another tenant': other.key,
    };
  });
  after(async () => world[Symbol.asyncDispose]());

  const send = async (method: string, path: string, { key = store.key, token = '', order = '', body }: Sent = {}) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: {
        'x-service-sdk-key': key,
        ...(token === '' ? {} : { 'x-cart-token': token }),
        ...(order === '' ? {} : { 'x-order-token': order }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  interface Sent {
    readonly key?: string;
    readonly token?: string;
    readonly order?: string;
    readonly body?: unknown;
  }

  const things = async (): Promise<Things> => {
    const lines = [{ variantId: [...store.variants.values()][0], quantity: 1 }];
    const made = async (path: string, body: object) => {
      const { status, body: told } = await send('POST', path, { body });
      assert.equal(status, 201, JSON.stringify(told));
      return { id: String(told['id']), token: String(told['token']) };
    };
    const ready = async () => {
      const one = await made('/checkouts', { currency: 'EUR', lines });
      const at = `/checkouts/${one.id}`;
      const { token } = one;
      const told = await send('PATCH', at, { token, body: { email: 'ann@example.com', shippingAddress: address } });
      const [option] = told.body['shippingOptions'] as unknown as Json[];
      await send('PATCH', at, { token, body: { shippingOptionId: option?.['id'] } });
      return one;
    };
    const [cart, checkout, bought] = [await made('/carts', { currency: 'EUR', lines }), await ready(), await ready()];
    const done = await send('POST', `/checkouts/${bought.id}/complete`, {
      token: bought.token,
      body: { payment: { handler: 'test', method: 'succeed' } },
    });
    assert.equal(String(done.body['status']), 'completed', JSON.stringify(done.body));
    const order = done.body['order'] ?? {};
    return {
      cartId: cart.id,
      checkoutId: checkout.id,
      orderId: String(order['id']),
      cartToken: cart.token,
      checkoutToken: checkout.token,
      orderToken: String(order['token']),
    };
  };

  test('and is answered elsewhere as what is not there, with nothing changed', async () => {
    const own = await things();
    const strange = await things();
    const noun = (path: string) =>
      (/\{(cart|checkout|order)Id\}/.exec(path)?.[1] ?? '') as 'cart' | 'checkout' | 'order';
    const proof = (path: string, of: Things) =>
      noun(path) === 'order'
        ? { order: of.orderToken }
        : { token: noun(path) === 'cart' ? of.cartToken : of.checkoutToken };
    const shown = async () =>
      Promise.all(
        (['cart', 'checkout', 'order'] as const).map(
          async (one) => (await send('GET', `/${one}s/${own[`${one}Id`]}`, proof(`/{${one}Id}`, own))).body,
        ),
      );
    const before = await shown();
    for (const { method, path, schema } of routes) {
      const body = schema === undefined ? {} : { body: leastOf(schema, {}) };
      const at = path.replace(/\{\w+\}/, own[`${noun(path)}Id`]);
      const nothing = path.replace(/\{\w+\}/, randomUUID());
      const ask = async (to: string, sent: Sent) => {
        const { status, body: told } = await send(method, to, { ...sent, ...body });
        return [status, String(told['code']), String(told['detail'])];
      };
      const tries: (readonly [string, Sent])[] = [
        ...Object.entries(foreign).map(([what, key]) => [what, { ...proof(path, own), key }] as const),
        ['the token of another one', proof(path, strange)],
        ['no token', {}],
      ];
      for (const [what, sent] of tries) {
        const told = await ask(at, sent);
        // An order is its brand's, whichever of the brand's sites shows it.
        if (noun(path) === 'order' && what === 'another site') {
          assert.equal(told[0], 200);
          continue;
        }
        assert.deepEqual(told, await ask(nothing, sent), `${method} ${path} with ${what}`);
        assert.equal(told[0], 404, `${method} ${path} with ${what}: ${told.join(' ')}`);
      }
    }
    assert.deepEqual(await shown(), before);
    assert.ok(routes.length >= 12, String(routes.length));
  });

  test('and no checkout begins of a cart that is not its own', async () => {
    const { cartId, cartToken } = await things();
    for (const sent of [
      { token: 'x'.repeat(43) },
      {},
      ...Object.values(foreign).map((key) => ({ token: cartToken, key })),
    ]) {
      const { status } = await send('POST', '/checkouts', { ...sent, body: { cartId } });
      assert.equal(status, 404);
    }
  });
});
