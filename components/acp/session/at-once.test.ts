import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { type Answer, type Brand, createWorld, type World } from '../fixtures/world.ts';

const ann = { first_name: 'Ann', last_name: 'Bo', email: 'ann@example.com' };
const berlin = { name: 'Ann Bo', line_one: 'Weg 1', city: 'Berlin', state: '', country: 'DE', postal_code: '10115' };

describe('of two changes at once, by the Agentic Commerce Protocol', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  /** All have read before the first one changes anything. */
  const atOnce = async (table: 'cart' | 'session', id: string, sent: readonly (() => Promise<Answer>)[]) =>
    world.admin.withClient(async (client) => {
      await client.query('begin');
      const of = table === 'cart' ? 'cart_id' : 'checkout_id';
      await client.query(`select from checkout.${table} where ${of} = $1::uuid for update`, [id]);
      const answers = sent.map(async (one) => one());
      const waiting = sql`
        select count(distinct pid)::int as waiting from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
      while ((await world.admin.query(waiting))[0]?.['waiting'] !== sent.length) await sleep(5);
      await client.query('rollback');
      return Promise.all(answers);
    });

  test('a session keeps both: who buys, where it goes, and what is bought', async () => {
    const [cup, pot] = [await brand.goods.variant(), await brand.goods.variant()];
    const made = await brand.send('POST', '/checkout_sessions', {
      body: { currency: 'eur', capabilities: {}, line_items: [{ id: cup }] },
    });
    const at = `/checkout_sessions/${made.body.id}`;
    const changes = [
      { buyer: ann },
      { fulfillment_details: { name: 'Ann Bo', address: berlin } },
      { line_items: [{ id: pot, quantity: 2 }] },
      { discounts: { codes: ['NONE'] } },
    ];
    const all = await atOnce(
      'session',
      made.body.id,
      changes.map((body) => async () => brand.send('POST', at, { body })),
    );
    for (const one of all) assert.equal(one.status, 200, one.text);
    const { body, text } = await brand.send('GET', at);
    assert.deepEqual(
      [body.buyer?.email, body.line_items.map((one) => [one.item.id, one.quantity])],
      ['ann@example.com', [[pot, 2]]],
      text,
    );
    assert.ok(
      body.messages.some(({ param }) => param?.includes('discounts')),
      text,
    );
    const [kept] = await world.admin.query(
      sql`select email, shipping_address ->> 'line1' as line1 from checkout.session where checkout_id = ${made.body.id}::uuid`,
    );
    assert.deepEqual({ ...kept }, { email: 'ann@example.com', line1: 'Weg 1' });
  });

  test('a purchase that says who buys takes back nothing of the change before it', async () => {
    const cup = await brand.goods.variant({ ships: false });
    const made = await brand.send('POST', '/checkout_sessions', {
      body: { currency: 'eur', capabilities: {}, line_items: [{ id: cup }], buyer: ann },
    });
    const at = `/checkout_sessions/${made.body.id}`;
    const payment_data = {
      handler_id: 'mock_payment_handler',
      instrument: { type: 'card', credential: { type: 'spt', token: 'fail_token' } },
      billing_address: berlin,
    };
    const [changed, paid] = await atOnce('session', made.body.id, [
      async () => brand.send('POST', at, { body: { fulfillment_details: { name: 'Cy', email: 'cy@example.com' } } }),
      async () => brand.send('POST', `${at}/complete`, { body: { payment_data, buyer: { ...ann, last_name: 'Cy' } } }),
    ]);
    assert.deepEqual([changed?.status, paid?.status], [200, 200], `${changed?.text} ${paid?.text}`);
    const { text } = await brand.send('GET', at);
    for (const kept of ['"last_name":"Cy"', '"cy@example.com"']) assert.ok(text.includes(kept), kept + text);
  });

  test('a cart keeps both: who buys, and what is in it', async () => {
    const [cup, pot] = [await brand.goods.variant(), await brand.goods.variant()];
    const made = await brand.send('POST', '/carts', { body: { line_items: [{ id: cup }] } });
    const at = `/carts/${made.body.id}`;
    const all = await atOnce('cart', made.body.id, [
      async () => brand.send('PUT', at, { body: { line_items: [{ id: pot }], buyer: ann } }),
      async () => brand.send('PUT', at, { body: { line_items: [{ id: pot }] } }),
    ]);
    for (const one of all) assert.equal(one.status, 200, one.text);
    assert.equal((await brand.send('GET', at)).body.buyer?.email, ann.email);
  });
});
