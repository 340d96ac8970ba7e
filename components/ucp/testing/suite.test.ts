import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { ConfigError } from '@steward/kernel';
import { sql } from '@steward/sql';
import { create } from '../component.ts';
import type { Told } from '../fixtures/told.ts';
import { type Answer, type Brand, createWorld, type Sent, type World } from '../fixtures/world.ts';
import { ucpSettings } from '../settings.ts';

const simulationSecret = 'a secret of tests';

/** As the official suite asks: its words, its headers, and what it leaves out. */
describe('what the official suite asks for', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld({ version: '2026-04-08', conformance: true, simulationSecret });
    brand = await world.brand();
    const id = await brand.goods.variant({ cents: 3500, title: 'Red Rose' });
    await world.admin.query(sql`update catalogue.variant set sku = 'bouquet_roses' where variant_id = ${id}::uuid`);
    await brand.goods.discount(10, '10OFF');
    await brand.goods.served('US');
    await world.admin.query(
      sql`update checkout.shipping_option set name = 'std-ship' where tenant_id = ${brand.tenant}::uuid and shipping_option_id <> ${brand.option}::uuid`,
    );
  });
  after(async () => world[Symbol.asyncDispose]());

  const send = async (method: string, path: string, sent: Sent = {}): Promise<Answer> =>
    brand.send(method, path, {
      ...sent,
      headers: {
        'ucp-agent': 'profile="http://localhost:8285/profiles/shopping-agent.json"',
        'request-signature': 'test',
        'request-id': randomUUID(),
        ...sent.headers,
      },
    });
  const item = { item: { id: 'bouquet_roses', title: 'Wrong' }, quantity: 1 };
  const shipping = {
    type: 'shipping',
    destinations: [{ id: 'dest_1', address_country: 'US' }],
    selected_destination_id: 'dest_1',
    groups: [{ selected_option_id: 'std-ship' }],
  };
  const begun = async (more: object = {}) => {
    const made = await send('POST', '/checkout-sessions', {
      body: { id: randomUUID(), currency: 'USD', line_items: [item], ...more },
    });
    assert.equal(made.status, 201, made.text);
    return made.body;
  };
  const put = async (checkout: Told, more: object) => {
    const line_items = checkout.line_items.map(({ id, item: { id: of }, quantity }) => ({
      id,
      item: { id: of },
      quantity,
    }));
    const answer = await send('PUT', `/checkout-sessions/${checkout.id}`, {
      body: { id: checkout.id, line_items, ...more },
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const paying = (token: string) => ({
    payment: {
      instruments: [
        { id: 'instr_1', handler_id: 'mock_payment_handler', type: 'card', credential: { type: 'token', token } },
      ],
    },
  });
  const complete = async (id: string, token = 'success_token') =>
    send('POST', `/checkout-sessions/${id}/complete`, { body: paying(token) });
  const bought = async () => {
    const checkout = await begun({ fulfillment: { methods: [shipping] } });
    const done = await complete(checkout.id);
    assert.deepEqual([done.status, done.body.status], [200, 'completed'], done.text);
    return done.body;
  };

  test('unsigned, of a profile over plain http, for nobody, with an address of a country alone', async () => {
    const checkout = await begun({ fulfillment: { methods: [shipping] } });
    assert.deepEqual([checkout.line_items[0]?.item.id, checkout.line_items[0]?.item.price], ['bouquet_roses', 3500]);
    assert.equal(checkout.fulfillment.methods[0]?.groups[0]?.selected_option_id, 'std-ship');
    assert.equal((await bought()).order.permalink_url.startsWith('http'), true);
  });

  test('with one kind of discount in totals that add up, and with the number of an invented card, which is kept nowhere', async () => {
    const checkout = await put(await begun({ fulfillment: { methods: [shipping] } }), {
      fulfillment: { methods: [shipping] },
      discounts: { codes: ['10off'] },
    });
    const amounts = Object.fromEntries(checkout.totals.map(({ type, amount }) => [type, amount]));
    assert.equal(amounts['discount'], -350, JSON.stringify(checkout.totals));
    assert.equal(amounts['items_discount'], undefined);
    const rest = checkout.totals.filter(({ type }) => type !== 'total');
    assert.equal(
      rest.reduce((sum, { amount }) => sum + amount, 0),
      amounts['total'],
    );
    const number = '4242424242424242';
    const credential = {
      type: 'card',
      card_number_type: 'fpan',
      number,
      expiry_month: 12,
      expiry_year: 2030,
      cvc: '123',
    };
    const instrument = { id: 'instr_1', handler_id: 'mock_payment_handler', type: 'card', credential };
    const done = await send('POST', `/checkout-sessions/${checkout.id}/complete`, {
      body: { payment: { instruments: [instrument] } },
    });
    assert.deepEqual([done.status, done.body.status], [200, 'completed'], done.text);
    const [kept] = await world.admin.query<{ found: boolean }>(
      sql`select exists (select from checkout.session s where s::text like ${`%${number}%`})
        or exists (select from checkout.request r where r::text like ${`%${number}%`}) as found`,
    );
    assert.deepEqual([done.text.includes(number), kept?.found], [false, false]);
  });

  test('in the release that its header says', async () => {
    const of = async (version: string) =>
      send('POST', '/checkout-sessions', {
        body: { line_items: [item] },
        headers: { 'ucp-agent': `profile="..."; version="${version}"` },
      });
    assert.equal((await of('2026-04-08')).status, 201);
    assert.deepEqual(
      [(await of('2099-01-01')).status, (await of('2099-01-01')).body.code],
      [422, 'version_unsupported'],
    );
    assert.equal((await send('GET', '/.well-known/ucp')).body.ucp.version, '2026-04-08');
  });

  test('as statuses where the protocol has messages', async () => {
    const bare = await complete((await begun()).id);
    assert.equal(bare.status, 400);
    assert.match(bare.text, /Fulfillment address and option must be selected/);
    const checkout = await begun({ fulfillment: { methods: [shipping] } });
    assert.equal((await complete(checkout.id, 'fail_token')).status, 402);
    assert.equal((await complete(checkout.id)).status, 200);
    for (const path of ['complete', 'cancel'])
      assert.equal(
        (await send('POST', `/checkout-sessions/${checkout.id}/${path}`, { body: paying('success_token') })).status,
        409,
      );
    const cancelled = await begun();
    assert.equal((await send('POST', `/checkout-sessions/${cancelled.id}/cancel`)).body.status, 'canceled');
    assert.equal((await send('POST', `/checkout-sessions/${cancelled.id}/cancel`)).status, 409);
    const closed = await send('PUT', `/checkout-sessions/${cancelled.id}`, { body: { line_items: [item] } });
    assert.equal(closed.status, 409);
  });

  test('addresses of invented buyers, which nobody is told otherwise', async () => {
    const asked = { fulfillment: { methods: [{ id: 'method_1', type: 'shipping', line_item_ids: ['x'] }] } };
    const addresses = async (email: string) => {
      const checkout = await begun({ buyer: { fullName: 'John Doe', email } });
      return put(checkout, { buyer: { email }, ...asked });
    };
    const known = await addresses('john.doe@example.com');
    const [method] = known.fulfillment.methods;
    assert.equal(method?.destinations.length, 2);
    for (const email of ['jane.doe@example.com', 'unknown@example.com'])
      assert.equal((await addresses(email)).fulfillment.methods[0]?.destinations, undefined);
    const second = method?.destinations[1]?.id ?? '';
    const chosen = await put(known, {
      buyer: { email: 'john.doe@example.com' },
      fulfillment: { methods: [{ ...asked.fulfillment.methods[0], selected_destination_id: second }] },
    });
    assert.equal(chosen.fulfillment.methods[0]?.groups[0]?.options[0]?.id, 'std-ship');
    const same = {
      id: '',
      street_address: '123 Main St',
      address_locality: 'Springfield',
      address_region: 'IL',
      postal_code: '62704',
      address_country: 'US',
    };
    const again = await put(known, {
      buyer: { email: 'john.doe@example.com' },
      fulfillment: { methods: [{ ...asked.fulfillment.methods[0], destinations: [same] }] },
    });
    assert.deepEqual(
      again.fulfillment.methods[0]?.destinations.map(({ id }) => id),
      [method?.destinations[0]?.id],
      'those that are sent are the only ones, by the ids of those that are known',
    );
    await put(await begun({ buyer: { email: 'new@example.com' } }), {
      fulfillment: {
        methods: [{ ...asked.fulfillment.methods[0], destinations: [{ ...same, street_address: '9 New St' }] }],
      },
    });
    const [kept] = (await addresses('new@example.com')).fulfillment.methods[0]?.destinations ?? [];
    assert.partialDeepStrictEqual(kept, { street_address: '9 New St' }, 'where a test of theirs went before');
  });

  test('to write into orders and to have them shipped, with its secret', async () => {
    const { order } = await bought();
    const at = `/orders/${order.id}`;
    const { body } = await send('GET', at);
    const happened = new Date().toISOString();
    const event = { id: 'evt_1', occurred_at: happened, type: 'shipped', line_items: [], tracking_number: 'TRACK123' };
    const adjustment = { id: 'adj_1', type: 'refund', occurred_at: happened, status: 'pending', amount: 500 };
    const changed = { ...body, fulfillment: { ...body.fulfillment, events: [event] }, adjustments: [adjustment] };
    const put_ = await send('PUT', at, { body: changed });
    assert.deepEqual([put_.status, put_.body.fulfillment.events], [200, [event]], put_.text);
    assert.deepEqual((await send('GET', at)).text, put_.text);
    for (const adjustments of [{ id: 'adj' }, [{ ...adjustment, status: 'INVALID' }]])
      assert.equal((await send('PUT', at, { body: { ...changed, adjustments } })).status, 422);
    const ship = async (secret?: string) =>
      send('POST', `/testing/simulate-shipping/${order.id}`, {
        headers: secret === undefined ? {} : { 'simulation-secret': secret },
      });
    for (const wrong of [undefined, '', 'other']) assert.equal((await ship(wrong)).status, 403);
    const shipped = await ship(simulationSecret);
    assert.deepEqual([shipped.status, shipped.body.fulfillment.events.length], [200, 2], shipped.text);
  });

  test('nowhere else: without the mode, nothing of it is there', async () => {
    const other = await createWorld();
    try {
      const shop = await other.brand();
      const cup = await shop.goods.variant();
      const line_items = [{ item: { id: cup }, quantity: 1 }];
      const buyer = { email: 'john.doe@example.com' };
      const methods = [{ type: 'shipping', line_item_ids: [] }];
      const made = await shop.send('POST', '/checkout-sessions', {
        body: { line_items, buyer, fulfillment: { methods } },
      });
      assert.equal(made.body.fulfillment.methods[0]?.destinations, undefined);
      const anyOrder = randomUUID();
      assert.equal((await shop.send('PUT', `/orders/${anyOrder}`, { body: {} })).status, 405);
      assert.equal((await shop.send('POST', `/testing/simulate-shipping/${anyOrder}`)).status, 404);
      const plain = await shop.send('POST', '/checkout-sessions', {
        body: { line_items },
        agent: 'http://localhost:8285/p',
      });
      assert.equal(plain.status, 401);
    } finally {
      await other[Symbol.asyncDispose]();
    }
    for (const UCP_CONFORMANCE of ['1', 'yes'])
      assert.throws(
        () => ucpSettings.read({ UCP_CONFORMANCE, NODE_ENV: 'production' }, { production: true } as never),
        ConfigError,
      );
  });

  test('nowhere where cards are charged: a live key of the provider stops the start', () => {
    const cards = { account: { apiKey: 'sk_live_1', publishableKey: undefined, live: true } };
    assert.throws(
      () => create({ config: { ucp: { conformance: true }, cards } } as never),
      (error: unknown) => error instanceof ConfigError && /give a test key of Stripe/.test(error.message),
    );
  });
});
