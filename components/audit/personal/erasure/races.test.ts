import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@steward/sql';
import { verifyChains } from '@steward/verification';
import { openTwoSites, order, secret, team, type TwoSites } from '../../fixtures/erasing.ts';
import type { Called, Site } from '../../fixtures/serve.ts';
import type { Process, World } from '../../fixtures/world.ts';

describe('processes that seal and erase at once', () => {
  let sites: TwoSites;
  let world: World;
  let one: Process;
  let site: Site;
  let elsewhere: Site;
  let post: TwoSites['post'];
  let emailOf: TwoSites['emailOf'];
  let erase: TwoSites['erase'];
  before(async () => {
    sites = await openTwoSites();
    ({ world, one, site, elsewhere, post, emailOf, erase } = sites);
  });
  after(async () => sites[Symbol.asyncDispose]());

  test('lets a subject that comes again begin with a new key, in processes that remember the old one too', async () => {
    const tenant = await one.tenant(team);
    const before = await post(tenant, order('c-1'));
    await post(tenant, order('c-1'), elsewhere);
    await erase(tenant, 'c-1');
    const after = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => post(tenant, order('c-1'), n % 2 === 0 ? site : elsewhere)),
    );
    assert.deepEqual(new Set(after.map(({ status }) => status)), new Set([201]));
    assert.deepEqual(await emailOf(tenant, before.body['id']), { $erased: true });
    for (const { body } of after) assert.equal(await emailOf(tenant, body['id']), secret);
    const keys = await world.admin.query<{ alive: boolean }>(sql`
      select wrapped is not null as alive from audit.subject_key where tenant_id = ${tenant} order by 1`);
    assert.deepEqual(keys, [{ alive: false }, { alive: true }]);
  });

  test('at the same time as ingest leaves each event erased or under a key that lives', async () => {
    const tenant = await one.tenant(team);
    const feeding = { going: true };
    const feeders = Array.from({ length: 6 }, async (_, n) => {
      const answers: Called[] = [];
      while (feeding.going) answers.push(await post(tenant, order('busy'), n % 2 === 0 ? site : elsewhere));
      return answers;
    });
    const destroyed: unknown[] = [];
    for (let round = 0; round < 12; round += 1) {
      await sleep(5);
      const { body } = await erase(tenant, 'busy', 'alice', round % 2 === 0 ? site : elsewhere);
      destroyed.push(...(body['key_ids'] as string[]));
    }
    feeding.going = false;
    const posted = (await Promise.all(feeders)).flat();
    assert.deepEqual(new Set(posted.map(({ status }) => status)), new Set([201]));
    assert.ok(destroyed.length > 0);
    const rows = await world.admin.query<{
      type: string;
      key: string | null;
      keys: string | null;
      alive: boolean | null;
    }>(
      sql`
      select e.type, s.key_id as key, e.event::jsonb #>> '{payload,key_ids}' as keys, s.wrapped is not null as alive
      from audit.event e left join audit.subject_key s on s.tenant_id = e.tenant_id
        and s.key_id::text = e.event::jsonb #>> '{payload,customer_email,key}'
      where e.tenant_id = ${tenant} and e.type in ('commerce.order.imported', 'audit.subject.erased') order by e.sequence`,
    );
    const gone = new Set<string>();
    for (const { type, key, keys } of rows) {
      if (type === 'audit.subject.erased') for (const id of JSON.parse(keys ?? '[]') as string[]) gone.add(id);
      else assert.ok(key !== null && !gone.has(key), 'an event stands behind the erasure of its key');
    }
    assert.deepEqual(gone, new Set(destroyed));
    for (const { key, alive } of rows.filter((row) => row.key !== null))
      assert.equal(alive, !gone.has(key ?? ''), 'a value opens if and only if its key was not erased');
  });

  test('gives one key to any number of processes that meet a subject first', async () => {
    const tenant = await one.tenant(team);
    const posted = await Promise.all(
      Array.from({ length: 24 }, async (_, n) => post(tenant, order('first'), n % 2 === 0 ? site : elsewhere)),
    );
    const keys = await world.admin.query(sql`select from audit.subject_key where tenant_id = ${tenant}`);
    assert.equal(keys.length, 1);
    for (const { body } of posted) assert.equal(await emailOf(tenant, body['id'], elsewhere), secret);
  });

  test('leave every chain whole', async () => {
    assert.deepEqual((await verifyChains({ ownerUrl: world.database.ownerUrl })).findings, []);
  });
});
