import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { statement } from '@steward/sql';
import { able, type Answer, type Brand, createWorld, usual, type World } from '../fixtures/world.ts';
import type { Told } from '../fixtures/told.ts';

const bill = (street: string) => ({ street_address: street, address_locality: 'Berlin', address_country: 'DE' });
const paid = (token: string, street = 'Weg 1') => ({
  payment: {
    instruments: [
      {
        id: 'i',
        handler_id: 'mock_payment_handler',
        type: 'card',
        credential: { type: 'token', token },
        billing_address: bill(street),
      },
    ],
  },
});
const buyer = { email: 'ann@example.com' };

describe('a request of an agent that is repeated under its key', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  const one = async (): Promise<{ line_items: object[] }> => ({
    line_items: [{ item: { id: await brand.goods.variant({ ships: false }) }, quantity: 1 }],
  });
  /** As clients of the protocol of tools do: each request of theirs has an id of its own. */
  const call = async (name: string, args: object, key: string): Promise<{ status: number; told: Told }> => {
    const meta = { 'ucp-agent': { profile: usual }, 'idempotency-key': key };
    const answer = await fetch(`${world.origin}/commerce/ucp/${brand.brandId}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: randomUUID(),
        method: 'tools/call',
        params: { name, arguments: { meta, ...args } },
      }),
    });
    const body = (await answer.json()) as { result?: { structuredContent: Told }; error?: { data: Told } };
    return { status: answer.status, told: body.result?.structuredContent ?? body.error?.data ?? assert.fail() };
  };

  test('is answered alike over both transports, each request of tools under an id of its own', async () => {
    const wanted = { ...(await one()), buyer };
    const key = randomUUID();
    const made = await call('create_checkout', { checkout: wanted }, key);
    assert.equal(made.status, 200);
    assert.deepEqual(await call('create_checkout', { checkout: wanted }, key), made);
    const byRest = await brand.send('POST', '/checkout-sessions', { key, body: wanted });
    assert.deepEqual([byRest.status, byRest.body], [201, made.told]);
    const other = await call('create_checkout', { checkout: { ...wanted, buyer: {} } }, key);
    assert.deepEqual([other.status, other.told.code], [409, 'idempotency_conflict']);
    const { id } = made.told;
    const bought = randomUUID();
    const done = await call('complete_checkout', { id, checkout: paid('success_token') }, bought);
    assert.equal(done.told.status, 'completed', JSON.stringify(done.told));
    assert.deepEqual(await call('complete_checkout', { id, checkout: paid('success_token') }, bought), done);
    const stranger = await call('complete_checkout', { id, checkout: paid('fail_token') }, bought);
    assert.deepEqual([stranger.status, stranger.told.code], [409, 'idempotency_conflict']);
    assert.deepEqual(world.refused.slice(-2), ['idempotency_key_reused', 'idempotency_key_reused'], 'the log is told');
  });

  test('is answered as before where what it names is not sold under that name any more', async () => {
    const { line_items } = await one();
    const called = async (sku: string): Promise<void> => {
      await world.admin.query(
        statement('update catalogue.variant set sku = $3 where tenant_id = $1::uuid and variant_id = $2::uuid', [
          brand.tenant,
          (line_items[0] as { item: { id: string } }).item.id,
          sku,
        ]),
      );
    };
    await called('CUP');
    const body = { line_items: [{ item: { id: 'CUP' }, quantity: 1 }] };
    const checkout = await brand.send('POST', '/checkout-sessions', { body });
    const cart = await brand.send('POST', '/carts', { body });
    const asked: [method: string, path: string, key: string, answer: Answer][] = [];
    for (const [method, path] of [
      ['POST', '/checkout-sessions'],
      ['PUT', `/checkout-sessions/${checkout.body.id}`],
      ['POST', '/carts'],
      ['PUT', `/carts/${cart.body.id}`],
    ] as const) {
      const key = randomUUID();
      asked.push([method, path, key, await brand.send(method, path, { body, key })]);
    }
    await called('MUG');
    for (const [method, path, key, kept] of asked) {
      const again = await brand.send(method, path, { body, key });
      assert.deepEqual([again.status, again.text], [kept.status, kept.text], `${method} ${path}`);
    }
    // Whose keys these are is proved first.
    world.profile('https://other.example/p', able('2026-08-25'));
    const [method, path, key] = asked[3] ?? assert.fail();
    const foreign = await brand.send(method, path, { body, key, agent: 'https://other.example/p' });
    assert.equal(foreign.body.ucp.status, 'error', foreign.text);
  });

  test('changes nothing, whatever was said since then', async () => {
    const { line_items } = await one();
    const consenting = (granted: boolean) => ({
      ...buyer,
      consent: { 'dev.ucp.consent.marketing': { granted, source: 'platform', description: { plain: 'News' } } },
    });
    const made = await brand.send('POST', '/checkout-sessions', { body: { line_items, buyer } });
    const at = `/checkout-sessions/${made.body.id}`;
    const key = randomUUID();
    const body = { ...paid('fail_token'), buyer: consenting(true) };
    const declined = await brand.send('POST', `${at}/complete`, { key, body });
    assert.equal(declined.body.status, 'ready_for_complete', declined.text);
    const kept = async (): Promise<unknown> =>
      world.admin.query(
        statement('select version, marketing_consent from checkout.session where checkout_id = $1::uuid', [
          made.body.id,
        ]),
      );
    const [agreed] = (await kept()) as { marketing_consent: boolean }[];
    assert.equal(agreed?.marketing_consent, true);
    await brand.send('PUT', at, { body: { line_items, buyer: consenting(false) } });
    const since = await kept();
    const again = await brand.send('POST', `${at}/complete`, { key, body });
    assert.deepEqual([again.status, again.text], [declined.status, declined.text]);
    assert.deepEqual(await kept(), since);
  });
});
