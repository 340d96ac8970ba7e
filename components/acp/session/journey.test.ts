import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { type Answer, type Brand, broken, createWorld, type World } from '../fixtures/world.ts';
import { operations } from '../operations.ts';

const berlin = {
  name: 'Ann Bo',
  line_one: 'Weg 1',
  city: 'Berlin',
  state: '',
  country: 'DE',
  postal_code: '10115',
};
const ann = { first_name: 'Ann', last_name: 'Bo', email: 'Ann@Example.com' };
const begun = { currency: 'eur', capabilities: { interventions: { supported: ['3ds'] } } };
const shipped = (option?: string) => ({
  fulfillment_details: { name: 'Ann Bo', address: berlin },
  ...(option === undefined
    ? {}
    : { selected_fulfillment_options: [{ type: 'shipping', option_id: option, item_ids: [] }] }),
});
const paid = (token = 'success_token', more = {}) => ({
  payment_data: {
    handler_id: 'mock_payment_handler',
    instrument: { type: 'card', credential: { type: 'spt', token } },
  },
  ...more,
});
const amount = ({ body }: Answer, type: string): number | undefined =>
  body.totals.find((one) => one.type === type)?.amount;
const codes = ({ body }: Answer): string[] => (body.messages ?? []).map((one) => one.code);
const addsUp = (answer: Answer): void => {
  const of = (type: string) => amount(answer, type) ?? 0;
  assert.equal(of('subtotal'), of('items_base_amount') - of('items_discount'));
  assert.equal(of('total'), of('subtotal') - of('discount') + of('fulfillment') + of('tax'), answer.text);
};

describe('the door of a brand for the Agentic Commerce Protocol', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  const create = async (body: object, more: object = {}) =>
    brand.send('POST', '/checkout_sessions', { body: { ...begun, ...body }, ...more });
  const ready = async (item: string, quantity = 1): Promise<Answer> => {
    const made = await create({ line_items: [{ id: item, quantity }], buyer: ann, ...shipped(brand.option) });
    assert.deepEqual([made.status, made.body.status], [201, 'ready_for_payment'], made.text);
    return made;
  };

  test('a session goes from items over an address and a way of shipping to an order, and its answers add up', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const made = await create({ line_items: [{ id: cup, quantity: 2 }] });
    assert.deepEqual(
      [made.status, made.body.status, made.body.currency],
      [201, 'not_ready_for_payment', 'eur'],
      made.text,
    );
    assert.deepEqual(codes(made), ['missing', 'missing']);
    addsUp(made);
    const { id } = made.body;
    const [line] = made.body.line_items;
    assert.deepEqual(line?.item, { id: cup, name: 'Cup (M)', unit_amount: 1000 });
    const addressed = await brand.send('POST', `/checkout_sessions/${id}`, { body: { buyer: ann, ...shipped() } });
    assert.deepEqual(
      addressed.body.fulfillment_options.map((one) => [one.type, one.id]),
      [['shipping', brand.option]],
      addressed.text,
    );
    const chosen = await brand.send('POST', `/checkout_sessions/${id}`, {
      body: { selected_fulfillment_options: [{ type: 'shipping', option_id: brand.option, item_ids: [cup] }] },
    });
    assert.deepEqual(
      [chosen.status, chosen.body.status, chosen.body.messages],
      [200, 'ready_for_payment', []],
      chosen.text,
    );
    assert.equal(chosen.body.buyer?.email, ann.email, 'what is left out stays');
    addsUp(chosen);
    assert.deepEqual([amount(chosen, 'subtotal'), amount(chosen, 'fulfillment')], [2000, 490]);
    const done = await brand.send('POST', `/checkout_sessions/${id}/complete`, { body: paid() });
    assert.deepEqual([done.status, done.body.status], [200, 'completed'], done.text);
    const order = await brand.send('GET', `/orders/${done.body.order.id}`);
    assert.deepEqual(
      [order.status, order.body.checkout_session_id, order.body.status],
      [200, id, 'confirmed'],
      order.text,
    );
    assert.deepEqual(order.body.line_items[0]?.quantity, { ordered: 2, current: 2, fulfilled: 0 });
    assert.equal(amount(order, 'total'), amount(done, 'total'));
    const got = await brand.send('GET', `/checkout_sessions/${id}`);
    assert.deepEqual(got.body.order.line_items, order.body.line_items, 'the session tells its whole order');
    const [events] = await world.admin.query<{ all: string[] }>(sql`
      select array_agg(event::jsonb -> 'payload' ->> 'operation' order by sequence) as all from audit.event
      where tenant_id = ${brand.tenant}::uuid and event::jsonb ->> 'type' = 'acp.checkout.written' and event::jsonb -> 'payload' ->> 'resource_id' = ${id}`);
    assert.deepEqual(events?.all, [
      'create_checkout_session',
      'update_checkout_session',
      'update_checkout_session',
      'complete_checkout_session',
    ]);
  });

  test('a session takes items in each way that the protocol writes them, by ids and SKUs', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    for (const body of [
      { line_items: [{ id: cup, quantity: 3 }] },
      { line_items: [{ item: { id: cup }, quantity: 3 }] },
      { items: [{ id: cup, quantity: 3 }] },
      { line_items: [{ id: cup }, { id: cup, quantity: 2 }] },
    ]) {
      const made = await create(body);
      assert.deepEqual([made.status, made.body.line_items[0]?.quantity], [201, 3], made.text);
    }
    const one = await create({ line_items: [{ id: cup }] });
    assert.equal(one.body.line_items[0]?.quantity, 1);
  });

  test('a session is made of what there is, and says what there is not; of nothing it is not made', async () => {
    const cup = await brand.goods.variant({ cents: 500 });
    const none = await brand.goods.variant({ cents: 500, stock: 0 });
    const some = await create({ line_items: [{ id: cup }, { id: 'nothing-like-it' }, { id: none }] });
    assert.equal(some.status, 201, some.text);
    assert.deepEqual(
      some.body.line_items.map(({ item }) => item.id),
      [cup, none],
    );
    assert.ok(codes(some).includes('not_found') && codes(some).includes('out_of_stock'), some.text);
    const again = await brand.send('GET', `/checkout_sessions/${some.body.id}`);
    assert.deepEqual(codes(again), codes(some), 'it is said until it is changed');
    const gone = await create({ line_items: [{ id: none }] });
    assert.deepEqual([gone.status, gone.body.code], [422, 'out_of_stock'], gone.text);
    const otherwise = await create({ line_items: [{ id: cup }], currency: 'usd' });
    assert.match(otherwise.text, /None of the items is sold in USD: they are sold in EUR\./);
    const unknown = await create({ line_items: [{ id: 'nothing-like-it' }] });
    assert.deepEqual([unknown.status, unknown.body.code], [422, 'not_found']);
  });

  test('a session is not made of more names than are kept, and says so', async () => {
    const cup = await brand.goods.variant({ cents: 500 });
    const unknown = Array.from({ length: 499 }, (_, at) => ({ id: `${at} ${'𝒳'.repeat(120)}` }));
    for (const path of ['/checkout_sessions', '/carts']) {
      const refused = await brand.send('POST', path, {
        body: {
          line_items: [{ id: cup }, ...unknown],
          ...(path === '/carts' ? {} : { currency: 'eur', capabilities: {} }),
        },
      });
      assert.deepEqual([refused.status, refused.body.code], [413, 'request_too_large'], refused.text);
    }
  });

  test('a session counts discounts, tells which codes were rejected, and why', async () => {
    const cup = await brand.goods.variant({ cents: 700 });
    await brand.goods.discount(10, 'TEN');
    const made = await create({ line_items: [{ id: cup, quantity: 3 }], discounts: { codes: ['ten', 'Nope'] } });
    addsUp(made);
    assert.deepEqual(
      made.body.discounts.applied.map((one) => [one.code, one.amount]),
      [['TEN', 210]],
      made.text,
    );
    assert.deepEqual(made.body.discounts.applied[0]?.allocations, [{ path: '$.line_items[0]', amount: 210 }]);
    assert.deepEqual(
      made.body.discounts.rejected.map((one) => [one.code, one.reason]),
      [['Nope', 'discount_code_invalid']],
    );
    assert.equal(amount(made, 'items_discount'), 210);
    const cleared = await brand.send('POST', `/checkout_sessions/${made.body.id}`, {
      body: { discounts: { codes: [] } },
    });
    assert.deepEqual([cleared.body.discounts.applied, amount(cleared, 'total')], [[], 2100], cleared.text);
    const coupon = await brand.send('POST', `/checkout_sessions/${made.body.id}`, { body: { coupons: ['TEN'] } });
    assert.equal(amount(coupon, 'items_discount'), 210, 'the older name of codes');
  });

  test('a session asks for an authentication, and goes on with what came of it', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    for (const [outcome, status] of [
      ['authenticated', 'completed'],
      ['denied', 'ready_for_payment'],
    ] as const) {
      const { id } = (await ready(cup)).body;
      const at = `/checkout_sessions/${id}/complete`;
      const asked = await brand.send('POST', at, { body: paid('action_token') });
      assert.deepEqual([asked.status, asked.body.status], [200, 'authentication_required'], asked.text);
      assert.notEqual(asked.body.authentication_metadata, undefined);
      const without = await brand.send('POST', at, { body: paid('action_token') });
      assert.deepEqual(
        [without.status, without.body.code, without.body.param],
        [400, 'requires_3ds', '$.authentication_result'],
        without.text,
      );
      const done = await brand.send('POST', at, {
        body: paid('action_token', { authentication_result: { outcome } }),
      });
      assert.deepEqual([done.status, done.body.status], [200, status], done.text);
      if (outcome === 'denied') assert.deepEqual(codes(done), ['payment_declined']);
    }
  });

  test('a session is told of a payment that was declined, and may be paid otherwise', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const { id } = (await ready(cup)).body;
    const at = `/checkout_sessions/${id}/complete`;
    const declined = await brand.send('POST', at, { body: paid('fail_token') });
    assert.deepEqual(
      [declined.status, declined.body.status, codes(declined)],
      [200, 'ready_for_payment', ['payment_declined']],
    );
    const unknown = await brand.send('POST', at, {
      body: { payment_data: { ...paid().payment_data, handler_id: 'card' } },
    });
    assert.deepEqual([unknown.status, unknown.body.param], [400, '$.payment_data.handler_id'], unknown.text);
    const { instrument } = paid().payment_data;
    const wallet = await brand.send('POST', at, {
      body: { payment_data: { ...paid().payment_data, instrument: { ...instrument, type: 'wallet' } } },
    });
    assert.deepEqual([wallet.status, wallet.body.param], [400, '$.payment_data.handler_id'], wallet.text);
    const done = await brand.send('POST', at, { body: paid() });
    assert.equal(done.body.status, 'completed');
    for (const [answer, token] of [
      [declined, 'fail_token'],
      [done, 'success_token'],
    ] as const)
      assert.ok(!answer.text.includes(token), 'no answer has what pays');
  });

  test('a session passes over what an agent can that the protocol does not know yet, and answers what both can', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const made = await create({
      line_items: [{ id: cup }],
      capabilities: {
        interventions: { supported: ['telepathy', '3ds'], display_context: 'hologram', later: [1] },
        extensions: ['discount', 'com.example.later'],
        later: { a: 1 },
      },
    });
    assert.deepEqual([made.status, made.body.capabilities.interventions.supported], [201, ['3ds']], made.text);
    for (const interventions of [{ supported: '3ds' }, { supported: [1] }, { max_redirects: -1 }]) {
      const refused = await create({ line_items: [{ id: cup }], capabilities: { interventions } });
      assert.deepEqual([refused.status, refused.body.type], [400, 'invalid_request'], refused.text);
    }
  });

  test('what is told of a sale and why a buyer went is read by its schema, and told to nobody', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const metadata = { text: 'x', number: 1.5, truth: true };
    const affiliate_attribution = { provider: 'impact.example', token: 'secret-touch', later: 1, metadata };
    const made = await create({ line_items: [{ id: cup }], affiliate_attribution });
    assert.equal(made.status, 201, made.text);
    assert.ok(!made.text.includes('secret-touch'));
    for (const wrong of [
      { token: 'x' },
      { provider: 'impact.example' },
      { ...affiliate_attribution, metadata: { a: { b: 1 } } },
      { ...affiliate_attribution, metadata: { a: [1] } },
    ]) {
      const refused = await create({ line_items: [{ id: cup }], affiliate_attribution: wrong });
      assert.equal(refused.status, 400, JSON.stringify(wrong));
      assert.match(refused.body.param ?? '', /^\$\.affiliate_attribution/);
    }
    const at = `/checkout_sessions/${made.body.id}/cancel`;
    for (const intent_trace of [{}, 'x', { reason_code: 'other', metadata: { a: { b: 1 } } }]) {
      const refused = await brand.send('POST', at, { body: { intent_trace } });
      assert.deepEqual([refused.status, refused.body.type], [400, 'invalid_request'], refused.text);
    }
    const ended = await brand.send('POST', at, {
      body: { intent_trace: { reason_code: 'one_of_later', trace_summary: 'too dear', metadata, later: 1 } },
    });
    assert.deepEqual([ended.status, ended.body.status], [200, 'canceled'], ended.text);
  });

  test('no buyer agrees to news that the session did not offer', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const { body } = await ready(cup);
    assert.ok(!('marketing_consent_options' in body));
    const done = await brand.send('POST', `/checkout_sessions/${body.id}/complete`, {
      body: paid('success_token', { marketing_consents: [{ channel: 'email', opted_in: true }] }),
    });
    assert.equal(done.body.status, 'completed', done.text);
    const [kept] = await world.admin.query(
      sql`select marketing_consent as agreed from checkout.session where checkout_id = ${body.id}::uuid`,
    );
    assert.equal(kept?.['agreed'], false);
  });

  test('a session says what it lacks where it is completed too early, and 405 where it cannot be canceled', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const made = await create({ line_items: [{ id: cup }] });
    const early = await brand.send('POST', `/checkout_sessions/${made.body.id}/complete`, { body: paid() });
    assert.deepEqual([early.status, early.body.code, early.body.param], [400, 'missing', '$.buyer.email'], early.text);
    const at = `/checkout_sessions/${made.body.id}/cancel`;
    const ended = await brand.send('POST', at, { body: { intent_trace: { reason_code: 'comparison' } } });
    assert.deepEqual([ended.status, ended.body.status], [200, 'canceled'], ended.text);
    assert.equal((await brand.send('POST', at, {})).status, 405);
    const changed = await brand.send('POST', `/checkout_sessions/${made.body.id}`, { body: { buyer: ann } });
    assert.deepEqual([changed.status, changed.body.code], [409, 'conflict'], changed.text);
  });

  test('a session is done once, whatever the order of members; another meaning under the same key is refused', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const key = randomUUID();
    const one = await brand.send('POST', '/checkout_sessions', {
      key,
      raw: `{"currency":"eur","capabilities":{},"line_items":[{"id":"${cup}","quantity":1.0}]}`,
    });
    const two = await brand.send('POST', '/checkout_sessions', {
      key,
      raw: `{"line_items":[{"quantity":1,"id":"${cup}"}],"capabilities":{},"currency":"eur"}`,
    });
    assert.deepEqual([two.status, two.body.id], [201, one.body.id], two.text);
    assert.equal(two.headers.get('idempotent-replayed'), 'true');
    assert.equal(two.headers.get('idempotency-key'), key);
    const other = await create({ line_items: [{ id: cup, quantity: 2 }] }, { key });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_conflict'], other.text);
    const nothing = await create({ line_items: [{ id: cup }], buyer: null }, { key });
    assert.equal(nothing.status, 422, 'null is not what is left out');
    const none = await create({ line_items: [{ id: cup }] }, { key: null });
    assert.deepEqual([none.status, none.body.code], [400, 'idempotency_key_required']);
    const stranger = await create({ line_items: [{ id: cup, quantity: 2 }] }, { key, agent: 'agent-2' });
    assert.equal(stranger.status, 201, 'keys are those of an agent');
  });

  test('a session is bought once by eight at once under one key, and the last unit by one of ten sessions', async () => {
    const last = await brand.goods.variant({ cents: 1000, stock: 1 });
    const { id } = (await ready(last)).body;
    const key = randomUUID();
    const same = await Promise.all(
      Array.from({ length: 8 }, async () =>
        brand.send('POST', `/checkout_sessions/${id}/complete`, { key, body: paid() }),
      ),
    );
    const done = same.filter(({ body }) => body.code !== 'idempotency_in_flight');
    assert.deepEqual([...new Set(done.map((one) => one.body.status))], ['completed']);
    assert.equal(new Set(done.map((one) => one.body.order.id)).size, 1);
    const cup = await brand.goods.variant({ cents: 1000, stock: 1 });
    const all = await Promise.all(
      (await Promise.all(Array.from({ length: 10 }, async () => ready(cup)))).map(async (made) =>
        brand.send('POST', `/checkout_sessions/${made.body.id}/complete`, { body: paid() }),
      ),
    );
    assert.equal(all.filter((one) => one.body.status === 'completed').length, 1);
    for (const one of all) assert.ok(one.status < 500, one.text);
  });

  test('what one agent has at one brand is nothing to another agent, and nothing at another brand, by every operation', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const other = await world.brand();
    const line_items = [{ id: cup }];
    const bought = await brand.send('POST', `/checkout_sessions/${(await ready(cup)).body.id}/complete`, {
      body: paid(),
    });
    assert.equal(bought.body.status, 'completed', bought.text);
    const mine = {
      carts: (await brand.send('POST', '/carts', { body: { line_items } })).body.id,
      checkout_sessions: (await ready(cup)).body.id,
      orders: bought.body.order.id,
    };
    const asked = async () =>
      Promise.all(Object.entries(mine).map(async ([noun, id]) => (await brand.send('GET', `/${noun}/${id}`)).body));
    const before = await asked();
    const given = {
      update_checkout_session: { buyer: ann },
      complete_checkout_session: paid(),
      update_cart: { line_items },
    };
    let tried = 0;
    for (const { method, path, name, tool } of operations) {
      const [, noun = '', hasId] = path.split('/');
      if (hasId !== ':id') continue;
      const id = mine[noun as keyof typeof mine];
      const body = method === 'GET' ? undefined : (given[name as keyof typeof given] ?? {});
      const none = await brand.send(method, path.replace(':id', randomUUID()), { body });
      assert.deepEqual([none.status, none.body.code], [404, 'not_found'], `${method} ${path}`);
      for (const [at, agent] of [
        [brand, 'agent-2'],
        [other, 'agent-1'],
      ] as const) {
        const answer = await at.send(method, path.replace(':id', id), { body, agent });
        assert.deepEqual([answer.status, answer.text], [404, none.text], `${method} ${path}`);
        if (!tool) continue;
        const args = { meta: { api_version: '2026-04-17' }, id, ...(body === undefined ? {} : { payload: body }) };
        const { result, error } = await at.tool(name, args, { agent });
        assert.deepEqual([result, error?.code, error?.data?.code], [undefined, -32_000, 'not_found'], name);
      }
      tried += 1;
    }
    assert.equal(tried, 8);
    assert.deepEqual(await asked(), before, 'nothing of it was changed by that');
    for (const path of ['/checkout_sessions/nothing', '/carts/nothing', '/orders/x'])
      assert.equal((await brand.send('GET', path)).status, 404, path);
  });

  test('refuses what the protocol does not know, and says where it is', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const cases: readonly [object, string][] = [
      [{ line_items: [{ id: cup, colour: 'red' }] }, '$.line_items[0].colour'],
      [{ line_items: [{ id: cup, quantity: 0 }] }, '$.line_items[0].quantity'],
      [{ line_items: [{ id: cup }], surprise: 1 }, '$.surprise'],
      [{ line_items: [] }, '$.line_items'],
      [{ line_items: [{ id: cup }], metadata: { a: [{ b: 'c\0' }] } }, '$.metadata'],
      [{}, '$.line_items'],
      [{ line_items: [{ id: cup }], currency: 'zzz' }, '$.currency'],
      [{ line_items: [{ id: cup }], buyer: { first_name: 'Ann' } }, '$.buyer.email'],
      [
        { line_items: [{ id: cup }], fulfillment_details: { address: { name: 'x' } } },
        '$.fulfillment_details.address.line_one',
      ],
    ];
    for (const [body, param] of cases) {
      const answer = await create(body);
      assert.deepEqual(
        [answer.status, answer.body.type, answer.body.param],
        [400, 'invalid_request', param],
        answer.text,
      );
    }
    for (const raw of ['{', '[]', 'null', '"x"', '{"a":1,"a":2}'])
      assert.equal((await brand.send('POST', '/checkout_sessions', { raw })).status, 400, raw);
    const option = await brand.send('POST', `/checkout_sessions/${(await ready(cup)).body.id}`, {
      body: { selected_fulfillment_options: [{ type: 'shipping', option_id: randomUUID(), item_ids: [] }] },
    });
    assert.deepEqual(
      [option.status, option.body.param],
      [400, '$.selected_fulfillment_options[0].option_id'],
      option.text,
    );
    const named = await brand.send('POST', `/checkout_sessions/${(await ready(cup)).body.id}`, {
      body: { selected_fulfillment_options: [{ type: 'shipping', option_id: 'express', item_ids: [] }] },
    });
    assert.equal(named.status, 400, named.text);
  });

  test('keeps nothing that pays, and logs nothing of it', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const { id } = (await ready(cup)).body;
    const token = 'tok_never_to_be_seen';
    const answer = await brand.send('POST', `/checkout_sessions/${id}/complete`, { body: paid(token) });
    assert.ok(!answer.text.includes(token));
    assert.ok(!world.logged.join('').includes(token));
    const rows = await world.admin.query<{ all: string }>(sql`
      select s::text as all from checkout.session s where checkout_id = ${id}::uuid
      union all select r::text from checkout.request r where scope_id = ${id}::uuid`);
    assert.ok(!rows.some(({ all }) => all.includes(token)));
  });

  test('of another version, or none, is told which are served; without a key nothing is', async () => {
    for (const [value, code] of [
      ['', 'missing_api_version'],
      ['2025-09-29', 'unsupported_api_version'],
    ] as const) {
      const answer = await brand.send('GET', `/checkout_sessions/${randomUUID()}`, {
        headers: { 'api-version': value },
      });
      assert.deepEqual([answer.status, answer.body.code, answer.body.supported_versions], [400, code, ['2026-04-17']]);
    }
    const nobody = await brand.send('GET', '/carts/x', { headers: { authorization: 'Basic eDp5' } });
    assert.deepEqual([nobody.status, nobody.body.code], [401, 'unauthorized'], nobody.text);
    const echoed = await brand.send('GET', '/carts/x', { headers: { 'request-id': 'r-1' } });
    assert.equal(echoed.headers.get('request-id'), 'r-1');
  });

  test('says faults of its own in the form of the protocol, and nothing of what they are', async () => {
    const answer = await brand.send('GET', '/carts/x', { agent: broken });
    assert.deepEqual(
      [answer.status, answer.body.type, answer.body.code],
      [500, 'processing_error', 'processing_error'],
    );
    const tool = await brand.tool('get_cart', { meta: { api_version: '2026-04-17' }, id: 'x' }, { agent: broken });
    assert.deepEqual([tool.error?.code, tool.error?.data?.code], [-32_000, 'processing_error']);
    assert.ok(!`${answer.text}${JSON.stringify(tool.error)}`.includes('database'));
    assert.equal(world.logged.filter((line) => line.includes('the database is not there')).length, 2);
  });

  test('a session can be without shipping', async () => {
    const book = await brand.goods.variant({ cents: 1000, ships: false });
    const made = await create({ line_items: [{ id: book }], buyer: ann });
    assert.deepEqual(
      [made.body.status, made.body.fulfillment_options.map((one) => one.type)],
      ['ready_for_payment', ['digital']],
      made.text,
    );
    const done = await brand.send('POST', `/checkout_sessions/${made.body.id}/complete`, {
      body: { payment_data: { ...paid().payment_data, billing_address: berlin } },
    });
    assert.equal(done.body.status, 'completed', done.text);
  });

  test('has carts, which are made, replaced and canceled, and then is not there', async () => {
    const cup = await brand.goods.variant({ cents: 700 });
    const made = await brand.send('POST', '/carts', { body: { line_items: [{ id: cup, quantity: 2 }], buyer: ann } });
    assert.deepEqual([made.status, made.body.currency, amount(made, 'total')], [201, 'eur', 1400], made.text);
    const at = `/carts/${made.body.id}`;
    const put = await brand.send('PUT', at, {
      key: null,
      body: { line_items: [{ id: cup, quantity: 3 }, { id: 'no' }] },
    });
    assert.deepEqual([put.status, amount(put, 'total'), codes(put)], [200, 2100, ['not_found']], put.text);
    assert.deepEqual((await brand.send('GET', at)).body, put.body);
    const ended = await brand.send('POST', `${at}/cancel`, { raw: '{}' });
    assert.deepEqual([ended.status, amount(ended, 'total')], [200, 2100], ended.text);
    for (const [method, path] of [
      ['GET', at],
      ['POST', `${at}/cancel`],
    ] as const)
      assert.equal((await brand.send(method, path)).status, 404);
    const late = await brand.send('PUT', at, { body: { line_items: [{ id: cup }] } });
    assert.equal(late.status, 404, late.text);
  });

  test('says of itself what it can, in public and for an hour; ways of paying say what they are', async () => {
    const found = await brand.send('GET', '/.well-known/acp.json', {
      headers: { authorization: '', 'api-version': '' },
    });
    assert.equal(found.status, 200, found.text);
    assert.match(found.headers.get('cache-control') ?? '', /public, max-age=3600/);
    assert.ok(found.body.api_base_url.endsWith(`/acp/${brand.brandId}`));
    const etag = found.headers.get('etag') ?? '';
    assert.equal(
      (await brand.send('GET', '/.well-known/acp.json', { headers: { 'if-none-match': etag } })).status,
      304,
    );
    const cup = await brand.goods.variant({ cents: 100 });
    const made = await brand.send('POST', '/checkout_sessions', { body: { ...begun, line_items: [{ id: cup }] } });
    const [handler] = made.body.capabilities.payment.handlers;
    assert.equal((await fetch(handler?.config_schema ?? '')).status, 200);
    assert.equal((await fetch(`${world.origin}/commerce/acp/${randomUUID()}/.well-known/acp.json`)).status, 404);
  });
});
