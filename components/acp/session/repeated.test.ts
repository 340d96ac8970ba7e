import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { type Answer, type Brand, createWorld, type World } from '../fixtures/world.ts';

const berlin = { name: 'Ann', line_one: 'Weg 1', city: 'Berlin', state: '', country: 'DE', postal_code: '10115' };
const begun = { currency: 'eur', capabilities: {}, buyer: { email: 'ann@example.com' } };
const paid = {
  payment_data: {
    handler_id: 'mock_payment_handler',
    instrument: { type: 'card', credential: { type: 'spt', token: 'success_token' } },
    billing_address: berlin,
  },
};
const unbilled = { payment_data: { ...paid.payment_data, billing_address: undefined } };
const meta = (key: string) => ({ api_version: '2026-04-17', idempotency_key: key });
const many = async <T>(count: number, one: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, async (_, at) => one(at)));

describe('a request that is repeated under its key', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  const session = async (): Promise<string> => {
    const item = await brand.goods.variant({ cents: 1000, ships: false });
    const made = await brand.send('POST', '/checkout_sessions', { body: { ...begun, line_items: [{ id: item }] } });
    assert.equal(made.body.status, 'ready_for_payment', made.text);
    return made.body.id;
  };
  const inFlight = (answer: Answer): boolean => {
    if (answer.status !== 409) return false;
    assert.deepEqual(
      [answer.body.type, answer.body.code, answer.headers.get('retry-after')],
      ['invalid_request', 'idempotency_in_flight', '1'],
      answer.text,
    );
    return true;
  };

  test('is refused by both transports while the first one is under way, and answered alike once it is done', async () => {
    const made = await brand.send('POST', '/checkout_sessions', {
      body: {
        ...begun,
        line_items: [{ id: await brand.goods.variant({ cents: 1000 }) }],
        fulfillment_details: { name: 'Ann', address: berlin },
        selected_fulfillment_options: [{ type: 'shipping', option_id: brand.option, item_ids: [] }],
      },
    });
    const { id } = made.body;
    const key = randomUUID();
    const at = `/checkout_sessions/${id}/complete`;
    const { first, rivals, called } = await world.admin.withClient(async (client) => {
      await client.query('begin');
      await client.query('select from checkout.session where checkout_id = $1::uuid for update', [id]);
      const asked = { key, body: unbilled };
      const sent = brand.send('POST', at, asked);
      await entered(world);
      const others = await many(19, async () => brand.send('POST', at, asked));
      const tool = await brand.tool('complete_checkout_session', { meta: meta(key), id, payload: unbilled });
      await client.query('rollback');
      return { first: sent, rivals: others, called: tool };
    });
    assert.ok(rivals.every(inFlight));
    assert.deepEqual(
      [called.error?.code, called.error?.data?.code, called.headers.get('retry-after')],
      [-32_000, 'idempotency_in_flight', '1'],
    );
    const bought = await first;
    assert.deepEqual([bought.status, bought.body.status], [200, 'completed'], bought.text);
    const again = await many(20, async () => brand.send('POST', at, { key, body: unbilled }));
    for (const one of again) {
      assert.deepEqual([one.status, one.text], [200, bought.text]);
      assert.equal(one.headers.get('idempotent-replayed'), 'true');
    }
  });

  test('has one effect of twenty at once, each answered with it or told to wait', async () => {
    const id = await session();
    const item = await brand.goods.variant({ cents: 1000, ships: false, stock: 1 });
    for (const [path, body] of [
      [`/checkout_sessions/${id}/complete`, paid],
      ['/checkout_sessions', { ...begun, line_items: [{ id: item }] }],
      ['/carts', { line_items: [{ id: item }] }],
    ] as const) {
      const key = randomUUID();
      const answers = await many(20, async () => brand.send('POST', path, { key, body }));
      const told = answers.filter((one) => !inFlight(one));
      assert.ok(told.length > 0);
      for (const one of told) assert.ok(one.status < 300, one.text);
      assert.equal(new Set(told.map((one) => one.body.order?.id ?? one.body.id)).size, 1, path);
    }
  });

  test('is answered as before where the goods are gone since then, and changes nothing', async () => {
    const item = await brand.goods.variant({ cents: 1000, ships: false, stock: 1 });
    const asked = { key: randomUUID(), body: { ...begun, line_items: [{ id: item }] } };
    const made = await brand.send('POST', '/checkout_sessions', asked);
    const change = { key: randomUUID(), body: { line_items: [{ id: item }] } };
    const changed = await brand.send('POST', `/checkout_sessions/${made.body.id}`, change);
    const rival = await brand.send('POST', '/checkout_sessions', { body: asked.body });
    const bought = await brand.send('POST', `/checkout_sessions/${rival.body.id}/complete`, { body: paid });
    assert.equal(bought.body.status, 'completed', bought.text);
    const again = await brand.send('POST', '/checkout_sessions', asked);
    assert.deepEqual([again.status, again.text], [201, made.text]);
    const twice = await brand.send('POST', `/checkout_sessions/${made.body.id}`, change);
    assert.deepEqual([twice.status, twice.text], [200, changed.text]);
    const other = await brand.send('POST', '/checkout_sessions', { ...asked, body: { ...asked.body, buyer: null } });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_conflict']);
  });
});

/** Somebody waits for what this transaction holds. */
async function entered(world: World): Promise<void> {
  for (;;) {
    const [row] = await world.admin.query<{ waits: boolean }>(sql`
      select exists (select from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()) as waits`);
    if (row?.waits === true) return;
    await sleep(5);
  }
}
