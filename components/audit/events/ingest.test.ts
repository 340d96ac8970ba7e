import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serve, type Called, type Site } from '../fixtures/serve.ts';
import { createWorld, sample, type Process, type World } from '../fixtures/world.ts';

describe('ingesting over REST', () => {
  let world: World;
  let one: Process;
  let site: Site;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    site = await serve(one);
    tenant = await one.tenant({ alice: 'owner', carl: 'accountant', vera: 'viewer' });
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  const post = async (
    body: unknown,
    options: { user?: string; headers?: Record<string, string> } = {},
  ): Promise<Called> => site.call('/api/audit/events', { tenant, body, ...options });
  const sequence = async (): Promise<unknown> =>
    ((await site.call('/api/audit/chain', { tenant })).body['head'] as Record<string, unknown>)['sequence'];

  test('answers 201 with the stored event, its place and its hashes', async () => {
    const { status, body } = await post(
      sample({ dimensional_tags: { region: 'eu' }, causal_id: 'c-1', correlation_id: 'w-1', source_event_id: 'evt_1' }),
    );
    assert.equal(status, 201);
    assert.deepEqual(body['ingested_by'], { principal_type: 'user', principal_id: 'alice' });
    assert.deepEqual(body['payload'], { order_id: '1001', total: 12.5 });
    assert.equal(body['occurred_at'], '2026-03-01T08:00:00.000Z');
    assert.equal(body['sequence'], 2);
    assert.match(String(body['row_hash']), /^[0-9a-f]{64}$/);
    assert.match(String(body['grammar_digest']), /^[0-9a-f]{64}$/);
    assert.match(String(body['received_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(body['source_system'], undefined);
    const read = await site.call(`/api/audit/events/${String(body['id'])}`, { tenant });
    assert.deepEqual(read.body, body);
  });

  test('answers a repeated key with the stored event and appends nothing', async () => {
    const first = await post(sample({ idempotency_key: 'key-00001' }));
    const before = await sequence();
    const again = await post(sample({ idempotency_key: 'key-00001', payload: { order_id: 'another' } }));
    assert.equal(again.status, 201);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.deepEqual(again.body, first.body);
    assert.equal(await sequence(), before);
  });

  test('answers nothing of what another principal stored under the same key', async () => {
    const key = 'key-of-alice';
    const first = await post(sample({ idempotency_key: key, payload: { order_id: 'of alice alone' } }));
    assert.equal(first.status, 201);
    const before = await sequence();
    const theirs = await post(sample({ idempotency_key: key }), { user: 'carl' });
    assert.deepEqual([theirs.status, theirs.body['code']], [409, 'idempotency_conflict']);
    assert.doesNotMatch(JSON.stringify(theirs.body), /of alice|row_hash/);
    assert.equal(theirs.headers.get('idempotent-replayed'), null);
    assert.equal(await sequence(), before);
    assert.deepEqual((await post(sample({ idempotency_key: key }))).body, first.body);
  });

  test('makes one event of fifty parallel calls with one key', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => post(sample({ idempotency_key: 'fifty-at-once' }))),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(answers.map(({ body }) => body['id'])).size, 1);
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
  });

  test('keeps one key apart for two tenants', async () => {
    const other = await one.tenant();
    const here = await post(sample({ idempotency_key: 'same-key-twice' }));
    const there = await site.call('/api/audit/events', {
      tenant: other,
      body: sample({ idempotency_key: 'same-key-twice' }),
    });
    assert.notEqual(here.body['id'], there.body['id']);
    assert.equal(there.headers.get('idempotent-replayed'), null);
  });

  test('refuses strangers, missing tenants and roles that may not record', async () => {
    const anonymous = await fetch(`${site.url}/api/audit/events`, { method: 'POST', body: '{}' });
    assert.equal(anonymous.status, 401);
    const nowhere = await site.call('/api/audit/events', { body: sample() });
    assert.deepEqual([nowhere.status, nowhere.body['code']], [400, 'tenant_required']);
    const stranger = await post(sample(), { user: 'mallory' });
    assert.deepEqual([stranger.status, stranger.body['code']], [403, 'tenant_forbidden']);
    const unknown = await site.call('/api/audit/events', {
      tenant: '01a00000-0000-7000-8000-000000000000',
      body: sample(),
    });
    assert.deepEqual([unknown.status, unknown.body['detail']], [403, stranger.body['detail']]);
    const viewer = await post(sample(), { user: 'vera' });
    assert.deepEqual([viewer.status, viewer.body['code']], [403, 'insufficient_role']);
  });

  test('lets one refused caller of a batch harm no other', async () => {
    const users = ['alice', 'mallory', 'alice', 'vera', 'alice', 'mallory'];
    const answers = await Promise.all(users.map(async (user) => post(sample(), { user })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 403, 201, 403, 201, 403],
    );
  });

  test('lets only a platform service speak for the system', async () => {
    const claim = sample({ principal_chain: [{ principal_type: 'system', principal_id: 'scheduler' }] });
    assert.equal((await post(claim, { user: 'service' })).status, 201);
    const refused = await post(claim);
    assert.equal(refused.status, 400);
    assert.equal((refused.body['errors'] as { pointer: string }[])[0]?.pointer, '/principal_chain/0/principal_type');
  });

  test('keeps what is odd but allowed byte for byte', async () => {
    const payload = {
      order_id: 'x',
      odd: '\0\u2028\u007f<\\"',
      empty: {},
      list: [null, -0, 1e15, 5e-324],
      __proto__x: 1,
    };
    const { status, body } = await post(sample({ payload, type: 'commerce.order.noted', dimensional_tags: {} }));
    assert.equal(status, 201);
    assert.deepEqual(body['payload'], { ...payload, list: [null, 0, 1e15, 5e-324] });
    const read = await site.call(`/api/audit/events/${String(body['id'])}`, { tenant });
    assert.deepEqual(read.body['payload'], body['payload']);
  });

  test('refuses a body that is not JSON by its type', async () => {
    const { status } = await post('type=a', { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    assert.equal(status, 415);
  });
});
