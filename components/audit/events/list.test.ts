import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serve, type Site } from '../fixtures/serve.ts';
import { createWorld, sample, type Process, type World } from '../fixtures/world.ts';

describe('reading over REST', () => {
  let world: World;
  let one: Process;
  let site: Site;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    site = await serve(one);
    tenant = await one.tenant({ alice: 'owner', vera: 'viewer' });
    for (let n = 0; n < 12; n += 1) {
      await one.audit.ingest(
        one.as(tenant, 'alice'),
        sample({
          type: n % 2 === 0 ? 'commerce.order.imported' : 'domain.entity.action',
          grammar: n % 2 === 0 ? 'commerce' : 'accounting',
          correlation_id: n < 6 ? 'early' : 'late',
          ...(n % 3 === 0 ? { causal_id: 'parent' } : {}),
        }),
        'snake',
      );
    }
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  const list = async (query: string, in_ = tenant, user = 'alice') =>
    site.call(`/api/audit/events?${query}`, { tenant: in_, user });
  const sequences = (body: Record<string, unknown>): number[] =>
    (body['items'] as { sequence: number }[]).map(({ sequence }) => sequence);

  test('answers the newest first, to every member', async () => {
    const { status, body } = await list('', tenant, 'vera');
    assert.equal(status, 200);
    assert.deepEqual(sequences(body), [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    assert.equal(body['next_cursor'], null);
  });

  test('combines filters with AND', async () => {
    assert.deepEqual(sequences((await list('type=commerce.order.imported&correlation_id=early')).body), [6, 4, 2]);
    assert.deepEqual(sequences((await list('grammar=accounting&causal_id=parent')).body), [11, 5]);
    assert.deepEqual(sequences((await list('correlation_id=nothing')).body), []);
  });

  test('links each event to the one before it', async () => {
    const { body } = await list('');
    const items = body['items'] as { row_hash: string; prev_hash: string }[];
    for (let n = 0; n + 1 < items.length; n += 1) assert.equal(items[n]?.prev_hash, items[n + 1]?.row_hash);
    const chain = (await site.call('/api/audit/chain', { tenant })).body;
    assert.equal(items.at(-1)?.prev_hash, chain['genesis']);
    assert.equal((chain['head'] as { row_hash: string }).row_hash, items[0]?.row_hash);
  });

  test('pages that stay put while events are appended', async () => {
    const other = await one.tenant();
    const context = one.as(other, 'alice');
    for (let n = 0; n < 5; n += 1) await one.audit.ingest(context, sample(), 'snake');
    const first = await list('limit=2', other);
    await one.audit.ingest(context, sample(), 'snake');
    const second = await list(`limit=2&cursor=${String(first.body['next_cursor'])}`, other);
    const third = await list(`limit=2&cursor=${String(second.body['next_cursor'])}`, other);
    assert.deepEqual(
      [first, second, third].flatMap(({ body }) => sequences(body)),
      [6, 5, 4, 3, 2, 1],
    );
    assert.equal(third.body['next_cursor'], null);
  });

  for (const query of [
    'limit=0',
    'limit=501',
    'limit=1.5',
    'limit=x',
    'limit=-1',
    'unknown=1',
    'type=',
    'type=%00',
    `grammar=${'x'.repeat(201)}`,
    'type=a&type=b',
  ]) {
    test(`refuses ?${query.slice(0, 30)}`, async () => {
      const { status, body } = await list(query);
      assert.deepEqual([status, body['code']], [400, 'invalid_request']);
    });
  }

  for (const cursor of ['x', 'czA', 'cy0x', 'czk5OTk5OTk5OTk5OTk5OTk5OTk5', 'MQ', '%00', "'"]) {
    test(`refuses the cursor ${cursor}`, async () => {
      const { status, body } = await list(`cursor=${cursor}`);
      assert.deepEqual([status, body['code']], [400, 'invalid_cursor']);
    });
  }

  test('shows another tenant nothing: neither list nor event nor chain', async () => {
    const other = await one.tenant({ bob: 'owner' });
    assert.equal((await list('', tenant, 'bob')).status, 403);
    assert.equal((await site.call('/api/audit/chain', { tenant, user: 'bob' })).status, 403);
    const { body } = await list('limit=1');
    const id = String((body['items'] as { id: string }[])[0]?.id);
    const there = await site.call(`/api/audit/events/${id}`, { tenant: other, user: 'bob' });
    const nowhere = await site.call('/api/audit/events/01a00000-0000-7000-8000-000000000000', {
      tenant: other,
      user: 'bob',
    });
    assert.deepEqual([there.status, there.body['detail']], [404, nowhere.body['detail']]);
    assert.equal((await site.call('/api/audit/events/not-an-id', { tenant })).status, 404);
  });

  test('lists the grammars with digest and reserved types', async () => {
    const { body } = await site.call('/api/audit/grammars', { tenant });
    const items = body['items'] as { grammar: string; events: { types: string; reserved: boolean }[] }[];
    const commerce = items.find(({ grammar }) => grammar === 'commerce');
    assert.deepEqual(
      commerce?.events.map(({ types, reserved }) => [types, reserved]),
      [['commerce.order.imported', false]],
    );
    for (const name of ['accounting', 'portal', 'identity', 'audit', 'tools', 'studio', 'crm'])
      assert.ok(
        items.some(({ grammar }) => grammar === name),
        name,
      );
  });
});
