import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, createWorld, hireAgent, openStore, type World } from '@steward/conformance/world';
import { openPool, type SqlPool } from '@steward/sql';
import { good, listOf, openShoppers, type Shoppers } from './fixtures/shoppers.ts';

/** Of people who try it out, and of agents who do. */
const part = 400_000;
const ceiling = 20 * part;
const address = { line1: 'Weg 1', city: 'Berlin', postcode: '10115', country: 'DE' };
const home = {
  id: 'home',
  street_address: 'Weg 1',
  address_locality: 'Berlin',
  postal_code: '10115',
  address_country: 'DE',
};
/** As many carts as the ceiling lets be, left two hours ago. */
const left = `
  insert into checkout.cart (tenant_id, cart_id, brand_id, mode, token_sha256, status, currency, lines, codes, door_state, updated_at, expires_at)
  select tenant_id, gen_random_uuid(), brand_id, mode, token_sha256, 'open', 'EUR', '[]', '{}', door_state, now() - interval '2 hours', expires_at
  from (select * from checkout.cart where door_state is not null limit 1) one, generate_series(1, ${Math.ceil(part / 4_000)})`;
/** It fills room with little work. */
const attribution = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [`marker_${n}`, randomBytes(250).toString('base64url')]),
);
const settled = async (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), sleep(0, false)]);
const ofBought = `checkout.request where scope_id in (select checkout_id from checkout.session where status = 'completed')`;

describe('a shop keeps so many carts and checkouts that nobody bought', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let admin: SqlPool;
  let shop: Shoppers;
  /** A cart and its token. */
  let held: readonly [string, string];
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
  const lines = () => [{ variantId: variantId(), quantity: 1 }];
  const goods = () => ({ currency: 'EUR', lines: lines() });
  const items = () => [{ item: { id: variantId() }, quantity: 1 }];
  const session = () => ({ currency: 'eur', line_items: [{ id: variantId(), quantity: 1 }], capabilities: {} });
  const cart = async (): Promise<Answer> => shop.page('POST', '/carts', goods());
  const cartOfAgent = async (): Promise<Answer> => shop.ucp('POST', '/carts', { line_items: items(), attribution });
  /** Does it until it is refused; the refusal. */
  const until = async (work: () => Promise<Answer>): Promise<Answer> => {
    for (let times = 0; times < 400; times += 1) {
      const answer = await work();
      if (answer.status >= 400) return answer;
    }
    throw new Error('nothing was refused');
  };
  /** What is kept, counted anew: a change of who may do what lets the server ask for the tier again. */
  const counted = async (): Promise<number> => {
    for (const agentsNeedGrant of [true, false]) {
      const { body } = await shop.rest('GET', 'portal', '/tool-policy');
      await shop.rest('PUT', 'portal', '/tool-policy', { ...body, agentsNeedGrant });
    }
    const { body } = await shop.rest('GET', 'portal', '/billing');
    return Number(listOf(body, 'quotas').find(({ quota }) => String(quota) === 'cartBytes')?.['used']);
  };
  const rows = async (what: string): Promise<number> =>
    admin.withClient(async (client) =>
      Number((await client.query<{ n: string }>(`select count(*) as n from ${what}`)).rows[0]?.n),
    );
  const buy = async (id: string, token: string): Promise<string> => {
    const said = { email: 'ann@example.com', shippingAddress: address };
    const [option] = listOf(good(await shop.page('PATCH', `/checkouts/${id}`, said, { token })), 'shippingOptions');
    good(await shop.page('PATCH', `/checkouts/${id}`, { shippingOptionId: option?.['id'] }, { token }));
    const invoice = { payment: { handler: 'manual', method: 'invoice' } };
    return String(good(await shop.page('POST', `/checkouts/${id}/complete`, invoice, { token }))['status']);
  };

  test('agents fill their own part of it, in the words of each protocol, and people on pages theirs; what was begun is bought', async () => {
    const made = good(await cart());
    const idempotency = randomUUID();
    const first = good(await shop.page('POST', '/checkouts', goods(), { idempotency }));
    const method = { type: 'shipping', destinations: [home], selected_destination_id: 'home' };
    const buyer = { first_name: 'Ann', last_name: 'Bo', email: 'ann@example.com' };
    const buying = { line_items: items(), buyer, fulfillment: { methods: [method] } };
    const ofAgent = good(await shop.ucp('POST', '/checkout-sessions', buying));
    const ofPlatform = good(await shop.acp('POST', '/checkout_sessions', session()));
    const kept = good(await cart());
    held = [String(kept['id']), String(kept['token'])];

    const flood = await until(cartOfAgent);
    assert.deepEqual(
      [flood.status, String(flood.body['code']), flood.headers.get('retry-after')],
      [429, 'rate_limit_exceeded', '60'],
    );
    assert.match(String(flood.body['content']), /go on with one that was begun, or come back/);
    const called = await shop.tool('create_cart', { cart: { line_items: items(), attribution } });
    const data = called.body['error']?.['data'];
    assert.deepEqual([String(data?.['code']), Number(data?.['retry_after'])], ['rate_limit_exceeded', 60]);
    const bySession = await until(async () => shop.acp('POST', '/checkout_sessions', session()));
    const { type, code } = bySession.body;
    assert.deepEqual(
      [bySession.status, String(type), String(code), bySession.headers.get('retry-after')],
      [429, 'invalid_request', 'rate_limited', '60'],
    );
    assert.equal((await cart()).status, 201, 'people on pages have their own');
    const refused = await until(cart);
    assert.deepEqual(
      [refused.status, String(refused.body['code']), refused.headers.get('retry-after')],
      [429, 'cart_limit', '60'],
    );
    assert.equal((await shop.page('POST', '/checkouts', goods())).status, 429);

    const again = await shop.page('POST', '/checkouts', goods(), { idempotency });
    assert.deepEqual(
      [again.status, String(again.body['id'])],
      [201, String(first['id'])],
      'a repetition takes no room',
    );
    assert.equal(await buy(String(first['id']), String(first['token'])), 'completed');
    const token = String(made['token']);
    good(await shop.page('POST', `/carts/${String(made['id'])}/lines`, { lines: lines() }, { token }));
    const opened = good(await shop.page('POST', '/checkouts', { cartId: made['id'] }, { token }));
    assert.equal(await buy(String(opened['id']), token), 'completed', 'whoever has a cart can buy what is in it');
    const [sending] = listOf(ofAgent['fulfillment'], 'methods');
    const [group] = listOf(sending, 'groups');
    const [option] = listOf(group, 'options');
    const selected = { ...method, groups: [{ id: group?.['id'], selected_option_id: option?.['id'] }] };
    const at = `/checkout-sessions/${String(ofAgent['id'])}`;
    good(await shop.ucp('PUT', at, { ...buying, fulfillment: { methods: [selected] } }));
    const instrument = { id: 'i1', handler_id: 'manual', type: 'invoice', selected: true };
    const bought = good(await shop.ucp('POST', `${at}/complete`, { payment: { instruments: [instrument] } }));
    assert.equal(String(bought['status']), 'completed', JSON.stringify(bought));
    good(await shop.acp('POST', `/checkout_sessions/${String(ofPlatform['id'])}`, { buyer }));

    const studio = await hireAgent(world, 'owner@example.com', 'studio');
    const [site] = listOf(await studio.call('service_list_sites', {}), 'sites');
    const live = { site_id: site?.['id'], mode: 'live', label: 'Pages' };
    const { sdk_key } = await studio.call('service_issue_sdk_key', live);
    const sold = await shop.page('POST', '/carts', goods(), { key: String(sdk_key?.['key']) });
    assert.equal(sold.status, 201, 'what is tried out takes no room of what is sold');

    const other = await openStore(world, 'other@example.com');
    const theirs = { currency: 'EUR', lines: [{ variantId: other.variants.get('Stoneware mug'), quantity: 1 }] };
    const elsewhere = await shop.page('POST', '/carts', theirs, { key: other.key });
    assert.equal(elsewhere.status, 201, 'another organization has its own room');
  });

  test('tells what is kept, and makes room of what nobody touched for an hour; of one cart the newest answers stay', async () => {
    assert.ok((await counted()) > part);
    const [id, token] = held;
    await admin.withClient(async (client) => {
      const moved = (what: string): string => `${what} = ${what} - interval '2 hours'`;
      await client.query(`update checkout.cart set ${moved('updated_at')} where cart_id <> '${id}'`);
      await client.query(`update checkout.session set ${moved('updated_at')}, ${moved('came_at')}`);
      await client.query(`update checkout.request set ${moved('created_at')}`);
      await client.query(left);
    });
    for (let n = 0; n < 60; n += 1) good(await shop.page('POST', `/carts/${id}/lines`, { lines: lines() }, { token }));
    const answered = await rows(ofBought);
    assert.equal(await rows(`checkout.request where scope_id = '${id}'`), 20, 'the newest answers stay');
    const now = await counted();
    assert.ok(now <= 1.4 * part, `room was made: ${now}`);
    const touched = await shop.page('GET', `/carts/${id}`, undefined, { token });
    assert.equal(touched.status, 200, 'what was touched lately stays');
    assert.equal(await rows(`checkout.session where status = 'completed'`), 3, 'what was bought stays');
    assert.ok(answered > 0 && (await rows(ofBought)) === answered, 'and what was answered to whoever bought it');
    good(await cart());
    good(await cartOfAgent());
  });

  test('goes on for whoever asks while the server makes room: what that frees is waited for', async () => {
    const [id, token] = held;
    await admin.withClient(async (client) => client.query(left));
    await admin.withClient(async (client) => {
      // As the server does it, before it commits.
      await client.query('begin');
      await client.query(
        `select pg_advisory_xact_lock(hashtextextended('checkout.room ' || tenant_id, 0)) from checkout.cart limit 1`,
      );
      await client.query(`delete from checkout.cart where updated_at < now() - interval '1 hour'`);
      const asked = shop.page('POST', `/carts/${id}/lines`, { lines: lines() }, { token });
      const waits = `select from pg_locks where locktype = 'advisory' and not granted`;
      while ((await client.query(waits)).rowCount === 0 && !(await settled(asked))) await sleep(10);
      await client.query('commit');
      good(await asked);
    });
  });
});
