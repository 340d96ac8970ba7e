import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { serve, type Called, type Site } from '../../fixtures/serve.ts';
import { createWorld, sample, type Process, type World } from '../../fixtures/world.ts';

describe('a legal hold', () => {
  let world: World;
  let one: Process;
  let site: Site;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    site = await serve(one);
    tenant = await one.tenant({ alice: 'owner', adam: 'admin', vera: 'viewer' });
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  const hold = async (method: string, body?: unknown, user = 'alice', of = tenant): Promise<Called> =>
    site.call('/api/audit/hold', { tenant: of, user, method, ...(body === undefined ? {} : { body }) });
  const erase = async (subject: string, of = tenant): Promise<Called> =>
    site.call('/api/audit/erasures', { tenant: of, body: { subject, reason: 'requested' } });
  const types = async (): Promise<unknown[]> => {
    const { body } = await site.call('/api/audit/events?grammar=audit', { tenant });
    return (body['items'] as { type: string }[]).map(({ type }) => type);
  };

  test('refuses erasure while it stands, is kept when placed again, and is recorded', async () => {
    await site.call('/api/audit/events', {
      tenant,
      body: sample({ payload: { order_id: '1', customer_id: 'c-1', customer_name: 'Ada' } }),
    });
    assert.deepEqual((await hold('GET')).body, { hold: null });
    const placed = await hold('PUT', { reason: 'case 17' }, 'adam');
    assert.equal(placed.status, 200);
    const standing = placed.body['hold'] as Record<string, unknown>;
    assert.deepEqual([standing['reason'], standing['placed_by']], ['case 17', 'user:adam']);
    assert.deepEqual((await hold('PUT', { reason: 'another' })).body, placed.body);
    assert.deepEqual((await hold('GET', undefined, 'vera')).body, placed.body);
    const refused = await erase('c-1');
    assert.deepEqual([refused.status, refused.body['code']], [409, 'legal_hold']);
    assert.deepEqual((await hold('DELETE')).body, { hold: null });
    assert.deepEqual((await hold('DELETE')).body, { hold: null });
    assert.equal(((await erase('c-1')).body['key_ids'] as unknown[]).length, 1);
    assert.deepEqual(await types(), [
      'audit.subject.erased',
      'audit.hold.released',
      'audit.hold.placed',
      'audit.chain.opened',
    ]);
  });

  test('is placed and released by owners and admins only, on their own tenant', async () => {
    const other = await one.tenant({ bob: 'owner' });
    assert.equal((await hold('PUT', { reason: 'x' }, 'vera')).body['code'], 'insufficient_role');
    assert.equal((await hold('DELETE', undefined, 'vera')).body['code'], 'insufficient_role');
    assert.equal((await hold('PUT', { reason: 'x' }, 'bob')).body['code'], 'tenant_forbidden');
    assert.equal((await hold('PUT', { reason: '' })).status, 400);
    await hold('PUT', { reason: 'of bob' }, 'bob', other);
    assert.deepEqual((await hold('GET')).body, { hold: null });
  });

  test('is placed and released by people, and by no service or other machine', async () => {
    const at = await one.tenant();
    const machine = async (method: string, body?: unknown): Promise<unknown> =>
      (await hold(method, body, 'service', at)).body['code'];
    assert.equal(await machine('PUT', { reason: 'x' }), 'not_human');
    assert.deepEqual((await hold('GET', undefined, 'alice', at)).body, { hold: null });
    const placed = await hold('PUT', { reason: 'x' }, 'alice', at);
    assert.equal(await machine('DELETE'), 'not_human');
    assert.deepEqual((await hold('GET', undefined, 'alice', at)).body, placed.body);
  });

  test('that was placed is never overtaken by an erasure under way', async () => {
    for (let round = 0; round < 8; round += 1) {
      const at = await one.tenant();
      const subjects = ['a', 'b', 'c', 'd'];
      for (const subject of subjects)
        await site.call('/api/audit/events', {
          tenant: at,
          body: sample({ payload: { order_id: '1', customer_id: subject, customer_name: 'Ada' } }),
        });
      await Promise.all([
        ...subjects.map(async (subject) => erase(subject, at)),
        hold('PUT', { reason: 'x' }, 'alice', at),
      ]);
      const { body } = await site.call('/api/audit/events?grammar=audit', { tenant: at });
      const [last] = body['items'] as { type: string }[];
      assert.equal(last?.type, 'audit.hold.placed');
      const alive = await world.admin.query(sql`
        select from audit.subject_key where tenant_id = ${at} and wrapped is not null`);
      const erased = (body['items'] as { type: string }[]).filter(({ type }) => type === 'audit.subject.erased');
      assert.equal(alive.length + erased.length, subjects.length);
    }
  });

  test('placed twice at once stands once', async () => {
    const at = await one.tenant();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => hold('PUT', { reason: `r-${n}` }, 'alice', at)),
    );
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  });
});
