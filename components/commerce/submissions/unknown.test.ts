import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { createDatabaseProxy, type DatabaseProxy } from '@steward/testing';
import { createWorld, faults, startCommerce, submit, type Running, type Shop, type World } from '../fixtures/world.ts';
import { getSubmission } from './get.ts';
import { listSubmissions } from './list.ts';
import { firstIdAt } from './submission.ts';

let world: World;
let proxy: DatabaseProxy;
let server: Running;
before(async () => {
  world = await createWorld();
  proxy = await createDatabaseProxy(world.db.appUrl);
  server = await startCommerce(proxy.through(world.db.appUrl), world.dataDir);
});
after(async () => {
  await server.stop();
  await proxy[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const marks = async (shop: Shop): Promise<[string, string | undefined][]> =>
  (await listSubmissions(shop.context, { formId: shop.formId, limit: 50 })).items.map(
    ({ submissionId, possibleDuplicateOf }) => [submissionId, possibleDuplicateOf],
  );

describe('a submission whose answer was lost with the connection', () => {
  for (const [kind, form] of [
    ['of a form that makes contacts', {}],
    ['of a form that shares its commit', { fields: [{ name: 'n', label: 'N', type: 'text', required: false }] }],
  ] as const)
    test(`${kind}: nobody knows of it, and one that comes again is kept and marked`, async () => {
      const shop = await server.shop(form as Parameters<Running['shop']>[0]);
      const data = { email: 'ada@example.com', n: '1' };
      await submit(server, shop, { data: { email: 'first@example.com' } });
      proxy.loseCommit();
      const lost = await submit(server, shop, { data });
      assert.deepEqual([lost.status, ...faults(lost)], [503, 'outcome_unknown']);
      assert.match(String(lost.body['detail']), /may have been done/);
      assert.equal(lost.headers.get('retry-after'), null);
      const [stored, first] = (await marks(shop)).map(([id]) => id);

      const { body: again } = await submit(server, shop, { data });
      const { body: other } = await submit(server, shop, { data: { ...data, n: '2' } });
      assert.deepEqual(await marks(shop), [
        [other['submissionId'], undefined],
        [again['submissionId'], stored],
        [stored, undefined],
        [first, undefined],
      ]);
      assert.equal(
        (await getSubmission(shop.context, { submissionId: String(again['submissionId']) })).possibleDuplicateOf,
        stored,
        'the one by itself says so too',
      );
      // Ten minutes later it is no longer the same.
      const then = firstIdAt(new Date(Date.now() - 601_000).toISOString());
      await world.admin.query(
        sql`update commerce.submission set submission_id = ${then} where submission_id = ${stored}`,
      );
      assert.deepEqual(
        (await marks(shop)).filter(([, of]) => of !== undefined),
        [],
      );
    });

  test('is not what the database refused before a commit: that is not stored', async () => {
    const shop = await server.shop();
    proxy.stall();
    proxy.cut();
    proxy.lead('postgres://nobody@127.0.0.1:1/none');
    proxy.resume();
    const refused = await submit(server, shop, { data: { email: 'ada@example.com' } });
    assert.deepEqual([refused.status, ...faults(refused)], [503, 'unavailable']);
    proxy.lead(world.db.appUrl);
    assert.deepEqual(await marks(shop), []);
  });
});
