import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { verifyChains } from '@steward/verification';
import { openTwoSites, order, reason, secret, team, type TwoSites } from '../../fixtures/erasing.ts';
import type { Site } from '../../fixtures/serve.ts';
import type { Process, World } from '../../fixtures/world.ts';

describe('erasing a subject', () => {
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

  test('makes its values unreadable in every process and on every surface, and leaves the chain whole', async () => {
    const tenant = await one.tenant(team);
    const mine = await post(tenant, order('c-1', { idempotency_key: 'erased-key-1' }));
    const kept = await post(tenant, order('c-2'));
    assert.equal(await emailOf(tenant, mine.body['id'], elsewhere), secret);
    const { status, body } = await erase(tenant, 'c-1', 'adam');
    assert.equal(status, 200);
    assert.equal((body['key_ids'] as string[]).length, 1);
    for (const at of [site, elsewhere]) {
      assert.deepEqual(await emailOf(tenant, mine.body['id'], at), { $erased: true });
      assert.equal(await emailOf(tenant, kept.body['id'], at), secret);
    }
    const page = await site.call('/api/audit/events?type=commerce.order.imported', { tenant });
    assert.equal(JSON.stringify(page.body).split('"customer_email":{"$erased":true}').length, 2);
    const graph = await site.call('/graphql', { tenant, body: { query: '{ auditEvents(limit: 9) { payload } }' } });
    assert.equal(graph.body['errors'], undefined);
    assert.ok(JSON.stringify(graph.body).includes('{"$erased":true}'));
    const again = await post(tenant, order('c-1', { idempotency_key: 'erased-key-1' }));
    assert.equal(again.body['id'], mine.body['id']);
    assert.deepEqual((again.body['payload'] as Record<string, unknown>)['customer_email'], { $erased: true });
    assert.deepEqual((await verifyChains({ ownerUrl: world.database.ownerUrl, tenant })).findings, []);
  });

  test('is recorded with the keys and the reason, and without the subject', async () => {
    const tenant = await one.tenant(team);
    await post(tenant, order('someone-42'));
    const { body } = await erase(tenant, 'someone-42');
    const event = await site.call(`/api/audit/events/${String(body['event_id'])}`, { tenant });
    assert.equal(event.body['type'], 'audit.subject.erased');
    assert.deepEqual(event.body['payload'], { key_ids: body['key_ids'], reason });
    assert.ok(!JSON.stringify(event.body).includes('someone-42'));
    const named = await site.call('/api/audit/erasures', {
      tenant,
      body: { subject: 'Someone-42', reason: 'someone-42 asked for it' },
    });
    assert.deepEqual([named.status, named.body['code']], [400, 'invalid_request']);
    const short = await Promise.all(
      ['under article 17', 'for 1, who left'].map(async (why) =>
        site.call('/api/audit/erasures', { tenant, body: { subject: '1', reason: why } }),
      ),
    );
    assert.deepEqual(
      short.map(({ status }) => status),
      [200, 400],
    );
    const rows = await world.admin.query(sql`
      select wrapped, master, erased_at is not null as erased from audit.subject_key where subject = 'someone-42'`);
    assert.deepEqual(rows, [{ wrapped: null, master: null, erased: true }]);
  });

  test('may be repeated, also for whom nothing is known, and records nothing then', async () => {
    const tenant = await one.tenant(team);
    await post(tenant, order('c-1'));
    await erase(tenant, 'c-1');
    for (const subject of ['c-1', 'never seen']) {
      const { status, body } = await erase(tenant, subject);
      assert.deepEqual([status, body], [200, { key_ids: [], event_id: null }]);
    }
    const events = await site.call('/api/audit/events?type=audit.subject.erased', { tenant });
    assert.equal((events.body['items'] as unknown[]).length, 1);
  });

  test('is for owners and admins of this tenant', async () => {
    const [tenant, other] = [await one.tenant(team), await one.tenant({ bob: 'owner' })];
    const { body } = await post(tenant, order('c-1'));
    for (const user of ['vera', 'dora'])
      assert.equal((await erase(tenant, 'c-1', user)).body['code'], 'insufficient_role');
    assert.equal((await erase(tenant, 'c-1', 'bob')).body['code'], 'tenant_forbidden');
    assert.deepEqual((await erase(other, 'c-1', 'bob')).body['key_ids'], []);
    assert.equal(await emailOf(tenant, body['id']), secret);
    const blank = await site.call('/api/audit/erasures', { tenant, body: { subject: '', reason } });
    assert.equal(blank.status, 400);
  });

  test('is undone by no one: not the application, not the owner of the tables', async () => {
    const tenant = await one.tenant(team);
    await post(tenant, order('c-1'));
    for (const attempt of [
      sql`update audit.subject_key set erased_at = null`,
      sql`delete from audit.subject_key`,
      sql`insert into audit.subject_key (tenant_id, key_id, subject, master, wrapped) values (${tenant}, gen_random_uuid(), 'x', 'y', 'z')`,
      sql`update audit.legal_hold set released_at = now(), released_by = 'x'`,
    ])
      await assert.rejects(one.pool.query(attempt), /permission denied/);
    await assert.rejects(
      world.admin.query(sql`update audit.subject_key set subject = 'other'`),
      /append-only: UPDATE is refused/,
    );
    await assert.rejects(world.admin.query(sql`delete from audit.subject_key`), /append-only: DELETE is refused/);
    await assert.rejects(
      one.pool.query(sql`select * from audit.erase_subject_keys('c-1', '{}')`),
      /transaction of a tenant/,
    );
  });
});
