import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createLog, newId, Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import type { SiteKey } from '@steward/studio';
import { ask, createWorld, submit, type Running, type World } from '../fixtures/world.ts';
import { createFormCounts } from './counts.ts';
import { countForms } from './list.ts';

describe('how often forms are read, begun, refused and submitted', () => {
  let world: World;
  let server: Running;
  before(async () => {
    world = await createWorld();
    server = await world.start();
  });
  after(async () => world[Symbol.asyncDispose]());

  const today = (): string => new Date().toISOString().slice(0, 10);
  const yesterday = (): string => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const refused = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

  test('is added to the day of the form by each process as it stops, and says nothing of anybody', async () => {
    const one = await world.start();
    const shop = await one.shop();
    const read = async (formId: string): Promise<void> =>
      void (await ask(one, `/storefront/v1/forms/${formId}/schema`, { key: shop.key }));
    for (let n = 0; n < 3; n += 1) await read(shop.formId);
    await read(newId());
    const start = async (formId: string, key = shop.key, headers = {}): Promise<number> =>
      (await ask(one, `/storefront/v1/forms/${formId}/start`, { method: 'POST', key, headers })).status;
    assert.deepEqual([await start(shop.formId), await start(shop.formId)], [204, 204]);
    assert.deepEqual([await start(newId()), await start(shop.formId, 'pk_live_none')], [404, 401]);
    assert.equal(await start(shop.formId, shop.key, { origin: 'https://elsewhere.example' }), 403);
    await submit(one, shop, { data: { email: 'ann@example.com' } });
    await submit(one, shop, { data: { email: ' ' } });
    await submit(one, { ...shop, formId: newId() }, { data: {} });
    await one.stop();
    const period = { from: yesterday(), to: today() };
    const context = server.context(shop.context.tenant);
    const count = async (given: object) => (await countForms(context, { mode: 'live', ...period, ...given })).items;
    const sums = (await count({ formId: shop.formId })).map(({ reads, starts, refused: no, submitted }) => [
      reads,
      starts,
      no,
      submitted,
    ]);
    assert.deepEqual(sums, [[3, 2, 1, 1]]);
    assert.deepEqual(await count({}), await count({ formId: shop.formId }), 'forms that are not there are not counted');
    assert.deepEqual(await count({ mode: 'test' }), []);
    const stored = await world.admin.query(sql`select f::text as row from commerce.form_day f`);
    assert.doesNotMatch(JSON.stringify(stored), /ann/);
    const stranger = await server.tenant();
    assert.deepEqual((await countForms(stranger, { mode: 'live', ...period })).items, []);
    await assert.rejects(
      countForms(stranger, { mode: 'live', ...period, formId: shop.formId }),
      refused('form_not_found'),
    );
    for (const [from, to] of [
      [today(), yesterday()],
      ['2024-01-01', '2026-01-01'],
    ] as const)
      await assert.rejects(countForms(stranger, { mode: 'live', from, to }), refused('invalid_request'));
  });

  test('is of the day on which it happened, not of that on which it was written', async () => {
    const shop = await server.shop();
    const key = await server.studio.storefront.keyOf(shop.key);
    assert.ok(key);
    let now = Date.parse('2026-03-01T23:59:58Z');
    const { pool, studio } = server;
    const counts = createFormCounts({
      pool,
      storefront: studio.storefront,
      log: createLog('silent'),
      happenedAt: () => now,
    });
    counts.note(key, shop.formId, 'reads');
    now = Date.parse('2026-03-02T00:00:01Z');
    counts.note(key, shop.formId, 'reads');
    await counts.flush();
    const days = await world.admin.query(
      sql`select day::text, reads::int from commerce.form_day where form_id = ${shop.formId}::uuid order by day`,
    );
    assert.deepEqual(days, [
      { day: '2026-03-01', reads: 1 },
      { day: '2026-03-02', reads: 1 },
    ]);
  });

  test('waits for no database at the door, and of two processes both count', async () => {
    const shop = await server.shop();
    const key = await server.studio.storefront.keyOf(shop.key);
    assert.ok(key);
    const made = () =>
      createFormCounts({ pool: server.pool, storefront: server.studio.storefront, log: createLog('silent') });
    const both = [made(), made()];
    for (const counts of both) for (let n = 0; n < 50_000; n += 1) counts.note(key, shop.formId, 'reads');
    await Promise.all(both.map(async (counts) => counts.flush()));
    await Promise.all(both.map(async (counts) => counts.flush()));
    const [row] = await world.admin.query(
      sql`select sum(reads)::int as reads from commerce.form_day where form_id = ${shop.formId}::uuid`,
    );
    assert.deepEqual(row, { reads: 100_000 });
  });

  test('is lost neither to ids that were made up, nor to another tenant’s many forms, nor to one that cannot be written', async () => {
    const [shop, other, third] = [await server.shop(), await server.shop(), await server.shop()];
    const keys = await Promise.all(
      [shop, other, third].map(async (one) => (await server.studio.storefront.keyOf(one.key)) ?? assert.fail()),
    );
    const [own, theirs, last] = keys as [SiteKey, SiteKey, SiteKey];
    const is = new Set([shop.formId, other.formId, third.formId]);
    const pool = {
      ...server.pool,
      queryAll: async (all: Parameters<typeof server.pool.queryAll>[0]) => {
        if (all[0]?.values[0] === own.tenant) throw new Error('no connection');
        return server.pool.queryAll(all);
      },
    };
    const counts = createFormCounts({
      pool,
      storefront: {
        published: async (key, formId) =>
          is.has(formId) ? server.studio.storefront.published(key, formId) : undefined,
      },
      log: createLog('silent'),
    });
    for (let n = 0; n < 6_000; n += 1) {
      // No more at once than a flood has under way.
      if (n % 500 === 0) await setImmediate();
      counts.note(own, newId(), 'refused');
    }
    await setImmediate();
    counts.note(own, shop.formId, 'refused');
    for (let n = 0; n < 6_000; n += 1) counts.note(own, newId(), 'reads');
    counts.note(theirs, other.formId, 'reads');
    counts.note(last, third.formId, 'refused');
    await assert.rejects(counts.flush(), /no connection/);
    const counted = async ({ formId }: { readonly formId: string }) =>
      world.admin.query(sql`select reads::int, refused::int from commerce.form_day where form_id = ${formId}::uuid`);
    assert.deepEqual(await counted(other), []);
    await assert.rejects(counts.flush(), /no connection/);
    assert.deepEqual(await counted(other), [{ reads: 1, refused: 0 }]);
    assert.deepEqual(await counted(third), [{ reads: 0, refused: 1 }]);
  });
});
