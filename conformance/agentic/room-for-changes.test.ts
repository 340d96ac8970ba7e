import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Answer, createWorld, type World } from '@steward/conformance/world';
import { openPool, type SqlPool } from '@steward/sql';
import { good, listOf, openShoppers, type Shoppers } from './fixtures/shoppers.ts';

/** Of people who try it out, and of agents who do. */
const part = 3_000_000;
const ceiling = 20 * part;
const address = { line1: 'Weg 1', city: 'Berlin', postcode: '10115', country: 'DE' };
const home = {
  id: 'home',
  street_address: 'Weg 1',
  address_locality: 'Berlin',
  postal_code: '10115',
  address_country: 'DE',
};
/** As much as a marker takes, of what nothing makes smaller. */
const large = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [
      `m_${n}`,
      String.fromCodePoint(...Array.from(randomBytes(500), (byte, at) => 0x4e00 + ((byte * 80 + at * 37) % 0x5000))),
    ]),
  );
const small = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`m_${n}`, randomBytes(250).toString('base64url')]));

describe('a shop whose carts strangers change', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let admin: SqlPool;
  let shop: Shoppers;
  before(async () => {
    world = stack.use(
      await createWorld({
        AGENT_PROFILES_FROM_LOOPBACK: 'allow',
        STOREFRONT_CART_BYTES_PER_TENANT: String(ceiling),
        STOREFRONT_PER_IP_PER_MINUTE: '100000',
        STOREFRONT_PER_KEY_PER_MINUTE: '100000',
      }),
    );
    admin = stack.use(openPool({ url: world.db.adminUrl, size: 1 }));
    shop = stack.use(await openShoppers(world, 'owner@example.com'));
  });
  after(async () => stack.disposeAsync());

  const variantId = (): string => shop.store.variants.get('Stoneware mug') ?? '';
  const lines = (quantity = 1) => [{ variantId: variantId(), quantity }];
  const goods = () => ({ currency: 'EUR', lines: lines() });
  const items = (quantity = 1) => [{ item: { id: variantId() }, quantity }];
  const wanted = (quantity = 1) => [{ id: variantId(), quantity }];
  const method = { type: 'shipping', destinations: [home], selected_destination_id: 'home' };
  const buyer = { first_name: 'Ann', last_name: 'Bo', email: 'ann@example.com' };
  const sized = async (): Promise<Record<string, number>> =>
    admin.withClient(async (client) => {
      const { rows } = await client.query<{ part: string; bytes: string }>(`
        select part, sum(bytes) as bytes from (
          select part, 400 + pg_column_size(lines) + coalesce(pg_column_size(door_state), 0) as bytes from checkout.cart
          union all select part, 800 + pg_column_size(lines) + pg_column_size(figures) + coalesce(pg_column_size(door_state), 0)
            + coalesce(pg_column_size(agreed), 0) + coalesce(pg_column_size(note), 0) + coalesce(pg_column_size(payment), 0)
            + coalesce(pg_column_size(shipping_address), 0) + coalesce(pg_column_size(billing_address), 0)
            from checkout.session where status <> 'completed'
          union all select part, 200 + coalesce(pg_column_size(answer), 0) from checkout.request) kept group by part`);
      return Object.fromEntries(rows.map((row) => [row.part, Number(row.bytes)]));
    });
  /** Four at a time, until each is refused: how many were done, and a refusal. */
  const flood = async (changes: readonly ((n: number) => Promise<Answer>)[]): Promise<readonly [number, Answer]> => {
    let done = 0;
    for (let n = 0; n < 60; n += 1) {
      const answers: Answer[] = [];
      for (let at = 0; at < changes.length; at += 4)
        answers.push(...(await Promise.all(changes.slice(at, at + 4).map(async (change) => change(n)))));
      const refused = answers.filter(({ status, body }) => status >= 400 || body['error'] !== undefined);
      done += answers.length - refused.length;
      const [last] = refused;
      if (last !== undefined && refused.length === answers.length) return [done, last];
    }
    throw new Error('not all was refused');
  };
  const made = async (count: number, make: () => Promise<Answer>): Promise<string[]> => {
    const ids = [];
    for (let n = 0; n < count; n += 1) ids.push(String(good(await make())['id']));
    return ids;
  };
  const buyOnPage = async (): Promise<string> => {
    const cart = good(await shop.page('POST', '/carts', goods()));
    const token = String(cart['token']);
    good(await shop.page('POST', `/carts/${String(cart['id'])}/lines`, { lines: lines() }, { token }));
    const opened = good(await shop.page('POST', '/checkouts', { cartId: cart['id'] }, { token }));
    const at = `/checkouts/${String(opened['id'])}`;
    const said = { email: 'ann@example.com', shippingAddress: address };
    const [option] = listOf(good(await shop.page('PATCH', at, said, { token })), 'shippingOptions');
    good(await shop.page('PATCH', at, { shippingOptionId: option?.['id'] }, { token }));
    const invoice = { payment: { handler: 'manual', method: 'invoice' } };
    return String(good(await shop.page('POST', `${at}/complete`, invoice, { token }))['status']);
  };
  const openByAgent = async () => {
    const buying = { line_items: items(), buyer, fulfillment: { methods: [method] } };
    return good(await shop.ucp('POST', '/checkout-sessions', buying));
  };

  test('is not filled beyond its ceiling by them, at any door, and an honest buyer begins and completes a purchase', async () => {
    const honest = await openByAgent();
    const [sending] = listOf(honest['fulfillment'], 'methods');
    const [group] = listOf(sending, 'groups');
    const [option] = listOf(group, 'options');
    const selected = { ...method, groups: [{ id: group?.['id'], selected_option_id: option?.['id'] }] };
    const at = `/checkout-sessions/${String(honest['id'])}`;
    good(await shop.ucp('PUT', at, { line_items: items(), buyer, fulfillment: { methods: [selected] } }));

    const carts = await made(60, async () => shop.ucp('POST', '/carts', { line_items: items() }));
    const checkouts = await made(5, async () => shop.ucp('POST', '/checkout-sessions', { line_items: items() }));
    const sessions = await made(5, async () =>
      shop.acp('POST', '/checkout_sessions', { currency: 'eur', line_items: wanted(), capabilities: {} }),
    );
    const before = await sized();
    const [done, refusal] = await flood([
      ...carts.map(
        (id) => async (n: number) =>
          n % 2 === 0
            ? shop.ucp('PUT', `/carts/${id}`, { line_items: items(n + 2), attribution: large() })
            : shop.tool('update_cart', { id, cart: { line_items: items(n + 2), attribution: large() } }),
      ),
      ...checkouts.map(
        (id) => async (n: number) =>
          shop.ucp('PUT', `/checkout-sessions/${id}`, { line_items: items(n + 2), attribution: large() }),
      ),
    ]);
    assert.ok(done > 10 && refusal.status === 429, JSON.stringify([done, refusal.status]));
    // Smaller ones, until nothing goes on at all.
    const [, last] = await flood([
      ...carts.map(
        (id) => async (n: number) =>
          n % 2 === 0
            ? shop.ucp('PUT', `/carts/${id}`, { line_items: items(n + 2), attribution: small() })
            : shop.tool('update_cart', { id, cart: { line_items: items(n + 2), attribution: small() } }),
      ),
      ...sessions.map(
        (id) => async (n: number) =>
          shop.acp('POST', `/checkout_sessions/${id}`, {
            line_items: wanted(n + 2),
            fulfillment_details: { name: randomBytes(90).toString('base64url'), email: 'a@example.com' },
          }),
      ),
    ]);
    assert.deepEqual([last.status, last.headers.get('retry-after')], [429, '60']);
    const called = await shop.tool('update_cart', {
      id: carts[0],
      cart: { line_items: items(9), attribution: large() },
    });
    const data = called.body['error']?.['data'];
    assert.deepEqual([String(data?.['code']), Number(data?.['retry_after'])], ['rate_limit_exceeded', 60]);

    const full = await sized();
    assert.ok((full['test_agents'] ?? 0) > 4 * (before['test_agents'] ?? 0), JSON.stringify([before, full]));
    // What is written at the same moment is not seen.
    assert.ok((full['test_agents'] ?? 0) <= 1.1 * part, `about their part at most: ${JSON.stringify(full)}`);
    const counted = await admin.withClient(async (client) =>
      client.query<{ part: string; bytes: string }>(
        'select part, sum(bytes) as bytes from checkout.kept group by part',
      ),
    );
    assert.deepEqual(
      Object.fromEntries(counted.rows.map((row) => [row.part, Number(row.bytes)])),
      full,
      'as it is counted',
    );

    const less = await shop.ucp('PUT', `/carts/${carts[0]}`, { line_items: items(1) });
    assert.equal(less.status, 200, 'what becomes less is done, and so is what ends');
    assert.equal((await shop.ucp('POST', `/carts/${carts[1]}/cancel`, {})).status, 200);
    assert.equal(await buyOnPage(), 'completed', 'a person begins and buys');
    const instrument = { id: 'i1', handler_id: 'manual', type: 'invoice', selected: true };
    const bought = good(await shop.ucp('POST', `${at}/complete`, { payment: { instruments: [instrument] } }));
    assert.equal(String(bought['status']), 'completed', 'paying is never refused');
  });

  test('sells on while they change carts and checkouts by its public key', async () => {
    const opened = [];
    for (let n = 0; n < 10; n += 1) opened.push(good(await shop.page('POST', '/checkouts', goods())));
    for (let n = 0; n < 30; n += 1)
      for (const one of opened) {
        const said = {
          note: randomBytes(1_400).toString('base64url'),
          shippingAddress: { ...address, line2: randomBytes(100).toString('base64url') },
        };
        await shop.page('PATCH', `/checkouts/${String(one['id'])}`, said, { token: String(one['token']) });
      }
    const full = await sized();
    assert.ok((full['test'] ?? 0) > 500_000 && (full['test'] ?? 0) <= part, JSON.stringify(full));
    assert.equal(await buyOnPage(), 'completed');
  });
});
