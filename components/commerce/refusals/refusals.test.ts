import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLog, createMetrics, fail, newId, Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import { createWorld, submit, type Running, type World } from '../fixtures/world.ts';
import { listRefusals } from './list.ts';
import { createRefusalNotes } from './refusals.ts';

let world: World;
let server: Running;
before(async () => {
  world = await createWorld();
  server = await world.start();
});
after(async () => world[Symbol.asyncDispose]());

describe('why submissions were refused', () => {
  test('is there to read for who builds the page, by kind and count, without a value of anybody', async () => {
    const one = await world.start();
    const shop = await one.shop();
    const headers = { origin: 'https://shop.example' };
    for (let n = 0; n < 3; n += 1) await submit(one, shop, { data: { email: ' ', secret_name: 'Ada' } }, headers);
    await submit(one, shop, { data: { email: 'ada at example' } });
    await submit(one, shop, { data: { email: 'a@b.example', 'Ada Lovelace': { deep: { contactId: 'x' } } } });
    await submit(one, shop, '{"data":');
    await submit(one, shop, 'x=1', { 'content-type': 'application/x-www-form-urlencoded' });
    await submit(one, shop, { data: {} }, { origin: 'https://wrong.example' });
    await submit(one, shop, { data: { email: 'fine@b.example' } });
    await one.stop();
    const { items } = await listRefusals(server.context(shop.context.tenant), { formId: shop.formId, limit: 50 });
    // Kinds that are first seen in one millisecond have no order.
    const kinds = items.map(({ status, code, errors, times }) => [
      status,
      code,
      ...errors.map(({ pointer }) => pointer),
      times,
    ]);
    assert.deepEqual(
      new Set(kinds.map((kind) => JSON.stringify(kind))),
      new Set(
        [
          [400, 'required_fields_missing', '/data/email', 3],
          [400, 'invalid_contact_values', '/data/email', 1],
          [400, 'contact_id_not_accepted', '/data/…/…', 1],
          [400, 'invalid_json', '', 1],
          [415, 'unsupported_media_type', 1],
          [403, 'origin_not_allowed', 1],
        ].map((kind) => JSON.stringify(kind)),
      ),
    );
    const stored = JSON.stringify(
      await world.admin.query(sql`select code, faults from commerce.refusal where form_id = ${shop.formId}::uuid`),
    );
    assert.ok(!/ada|secret/i.test(stored), stored);
    const stranger = await server.tenant();
    for (const formId of [shop.formId, newId()])
      await assert.rejects(
        listRefusals(stranger, { formId, limit: 50 }),
        (error: unknown) => error instanceof Problem && error.code === 'form_not_found',
      );
  });

  test('takes ten rows a minute and form at most, however many and whatever are refused, and keeps the newest', async () => {
    const shop = await server.shop();
    const key = (await server.studio.storefront.keyOf(shop.key)) ?? assert.fail();
    const form = await server.studio.storefront.published(key, shop.formId);
    // A clock that is slow beside the one that ids are made by.
    let now = Date.now() - 3_600_000;
    const notes = createRefusalNotes({
      pool: server.pool,
      // Remembered for good: of what waits to be looked up, only the first thousand are counted.
      storefront: { published: () => form },
      log: createLog('silent'),
      metrics: createMetrics(),
      clock: () => now,
    });
    for (let minute = 0; minute < 25; minute += 1) {
      for (let n = 0; n < 2_000; n += 1)
        notes.note(
          key,
          shop.formId,
          fail('invalid_request', '', { errors: [{ pointer: `/data/f${n % 40}`, code: 'x', detail: '' }] }),
        );
      await notes.flush();
      now += 60_000;
    }
    const [row] = await world.admin.query(sql`
      select count(*)::int as rows, min(times) as least from commerce.refusal where form_id = ${shop.formId}::uuid`);
    assert.deepEqual(row, { rows: 200, least: 50 });
    const { items } = await listRefusals(server.context(shop.context.tenant), { formId: shop.formId, limit: 200 });
    for (const { firstAt, lastAt } of items) assert.ok(firstAt <= lastAt, `last at ${lastAt}, before ${firstAt}`);
  });

  test('is kept for no form that is not the key’s: nobody fills a log by guessing', async () => {
    const shop = await server.shop();
    const other = await server.shop();
    for (const formId of [newId(), other.formId]) await submit(server, { ...shop, formId }, { data: {} });
    await server.commerce[Symbol.asyncDispose]();
    const rows = await world.admin.query(
      sql`select 1 from commerce.refusal where tenant_id = ${shop.context.tenant}::uuid`,
    );
    assert.deepEqual(rows, []);
  });

  test('is kept of forms that are there, however many ids were made up before', async () => {
    const shop = await server.shop();
    const key = (await server.studio.storefront.keyOf(shop.key)) ?? assert.fail();
    const notes = createRefusalNotes({
      pool: server.pool,
      storefront: {
        published: (own, formId) =>
          formId === shop.formId ? server.studio.storefront.published(own, formId) : undefined,
      },
      log: createLog('silent'),
      metrics: createMetrics(),
    });
    for (let n = 0; n < 6_000; n += 1) notes.note(key, newId(), fail('invalid_request', ''));
    notes.note(key, shop.formId, fail('invalid_request', ''));
    await notes.flush();
    const { items } = await listRefusals(server.context(shop.context.tenant), { formId: shop.formId, limit: 50 });
    assert.equal(items.length, 1);
  });
});
