import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { byDoor, createWorld, faults, refused, type World } from '../fixtures/world.ts';
import { createSite } from '../sites/create.ts';
import type { Site } from '../sites/site.ts';
import { updateSite } from '../sites/update.ts';
import { issueKey } from './issue.ts';
import { mostKeys } from './key.ts';
import { listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';
import { rotateKey } from './rotate.ts';
import { isKeyText, keyHash } from './text.ts';

describe('publishable keys', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  async function shop(): Promise<{ context: TenantContext; site: Site }> {
    const context = await world.tenant();
    const site = await createSite(
      context,
      {
        name: 'Shop',
        origins: ['https://a.example', 'https://b.example'],
      },
      world.studio.deps,
    );
    return { context, site };
  }

  test('are shown once: nothing that is stored or listed holds one', async () => {
    const { context, site } = await shop();
    const issued = await issueKey(context, { siteId: site.id, mode: 'test', label: 'Checkout' }, world.studio.deps);
    const key = issued.key ?? '';
    assert.ok(isKeyText(key));
    assert.deepEqual([issued.prefix, issued.lastFour], ['pk_test_', key.slice(-4)]);
    const { items } = await listKeys(context, { siteId: site.id, limit: 50 });
    const { key: _key, ...view } = issued;
    assert.deepEqual(items, [view]);
    const [row] = await world.admin.query<{ all: string; key_hash: Buffer }>(
      sql`select k::text as all, key_hash from studio.sdk_key k where key_id = ${issued.id}::uuid`,
    );
    assert.deepEqual(row?.key_hash, keyHash(key));
    assert.ok(!row.all.includes(key.slice(8, 38)));
    const [events] = await world.admin.query<{ all: string }>(
      sql`select string_agg(e::text, ' ') as all from audit.event e where tenant_id = ${context.tenant}::uuid`,
    );
    assert.ok(!events?.all.includes(key.slice(8, 38)));
    assert.ok(!events?.all.includes('Checkout'), 'labels are what people typed');
  });

  test('open no page that their site does not', async () => {
    const { context, site } = await shop();
    const { deps } = world.studio;
    const foreign = await refused(issueKey(context, { siteId: site.id, origins: ['https://c.example'] }, deps));
    assert.deepEqual([foreign.status, faults(foreign)], [400, { '/origins': 'origin_not_of_site' }]);
    const wrong = await refused(issueKey(context, { siteId: site.id, origins: ['b.example'] }, deps));
    assert.deepEqual(faults(wrong), { '/origins/0': 'invalid_origin' });
    assert.deepEqual((await issueKey(context, { siteId: site.id, origins: ['https://B.example/'] }, deps)).origins, [
      'https://b.example',
    ]);
  });

  test('go over to a successor, and the old one ends when it was said', async () => {
    const { context, site } = await shop();
    const { deps } = world.studio;
    const old = await issueKey(context, { siteId: site.id, label: 'Web', origins: ['https://a.example'] }, deps);
    const next = await rotateKey(context, { siteId: site.id, keyId: old.id }, deps);
    assert.deepEqual(
      [next.label, next.mode, next.origins, next.replaces, next.status],
      ['Web', 'live', ['https://a.example'], old.id, 'active'],
    );
    assert.notEqual(next.key, old.key);
    const { items } = await listKeys(context, { siteId: site.id, limit: 50 });
    assert.deepEqual(
      items.map(({ id, status }) => [id, status]),
      [
        [old.id, 'ending'],
        [next.id, 'active'],
      ],
    );
    const [hours] = await world.admin.query<{ left: number }>(sql`
      select round(extract(epoch from expires_at - clock_timestamp()) / 3600)::int as left
      from studio.sdk_key where key_id = ${old.id}::uuid`);
    assert.equal(hours?.left, 24);
    assert.equal((await refused(rotateKey(context, { siteId: site.id, keyId: old.id }, deps))).code, 'sdk_key_ended');
    const last = await rotateKey(context, { siteId: site.id, keyId: next.id, overlapHours: 0 }, deps);
    assert.equal((await listKeys(context, { siteId: site.id, limit: 50 })).items[1]?.status, 'expired');
    assert.equal((await revokeKey(context, { siteId: site.id, keyId: last.id }, deps)).status, 'revoked');
    assert.equal(
      (await revokeKey(context, { siteId: site.id, keyId: last.id }, deps)).status,
      'revoked',
      'once more is success',
    );
    assert.equal((await refused(rotateKey(context, { siteId: site.id, keyId: last.id }, deps))).code, 'sdk_key_ended');
    for (const overlapHours of [-1, 721, 0.5, Number.NaN]) {
      const wrong = { siteId: site.id, keyId: last.id, overlapHours };
      assert.deepEqual(Object.keys(faults(await refused(byDoor(rotateKey)(context, wrong, deps)))), ['/overlapHours']);
    }
    assert.deepEqual(await world.events(context.tenant), [
      'studio.site.created',
      'studio.sdk_key.issued',
      'studio.sdk_key.rotated',
      'studio.sdk_key.rotated',
      'studio.sdk_key.revoked',
    ]);
  });

  test('are not made for a disabled site, nor beyond their number', async () => {
    const { context, site } = await shop();
    const { deps } = world.studio;
    const made = [];
    for (let count = 0; count < mostKeys; count += 1) made.push(await issueKey(context, { siteId: site.id }, deps));
    assert.equal((await refused(issueKey(context, { siteId: site.id }, deps))).code, 'sdk_key_limit');
    await revokeKey(context, { siteId: site.id, keyId: made[0]?.id ?? '' }, deps);
    await issueKey(context, { siteId: site.id }, deps);
    const last = made.at(-1)?.id ?? '';
    await updateSite(context, { siteId: site.id, status: 'disabled' }, deps);
    assert.equal((await refused(issueKey(context, { siteId: site.id }, deps))).code, 'site_disabled');
    assert.equal((await refused(rotateKey(context, { siteId: site.id, keyId: last }, deps))).code, 'site_disabled');
    assert.equal((await revokeKey(context, { siteId: site.id, keyId: last }, deps)).status, 'revoked');
  });

  test('of another site or tenant are not found', async () => {
    const mine = await shop();
    const theirs = await shop();
    const { deps } = world.studio;
    const key = await issueKey(theirs.context, { siteId: theirs.site.id }, deps);
    for (const [site, id] of [
      [mine.site.id, key.id],
      [theirs.site.id, key.id],
      [mine.site.id, newId()],
    ] as const) {
      assert.equal((await refused(revokeKey(mine.context, { siteId: site, keyId: id }, deps))).code, 'not_found');
      assert.equal((await refused(rotateKey(mine.context, { siteId: site, keyId: id }, deps))).code, 'not_found');
    }
    assert.equal((await refused(listKeys(mine.context, { siteId: theirs.site.id, limit: 5 }))).code, 'not_found');
    assert.equal((await refused(issueKey(mine.context, { siteId: theirs.site.id }, deps))).code, 'not_found');
  });

  test('two rotations at once make one successor', async () => {
    const { context, site } = await shop();
    const { deps } = world.studio;
    const old = await issueKey(context, { siteId: site.id }, deps);
    const both = await Promise.allSettled(
      [1, 2, 3, 4].map(async () => rotateKey(context, { siteId: site.id, keyId: old.id }, deps)),
    );
    assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await listKeys(context, { siteId: site.id, limit: 50 })).items.length, 2);
  });

  test('a rotation and a revocation at once leave no key that is good and was meant to be none', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { context, site } = await shop();
      const { deps, storefront } = world.studio;
      const old = await issueKey(context, { siteId: site.id }, deps);
      const [rotated] = await Promise.allSettled([
        rotateKey(context, { siteId: site.id, keyId: old.id }, deps),
        revokeKey(context, { siteId: site.id, keyId: old.id }, deps),
      ]);
      assert.equal(await storefront.keyOf(old.key ?? ''), undefined, 'the old one is revoked either way');
      const { items } = await listKeys(context, { siteId: site.id, limit: 50 });
      assert.equal(items[0]?.status, 'revoked');
      assert.equal(items.length, rotated.status === 'fulfilled' ? 2 : 1);
      if (rotated.status === 'rejected') assert.equal((rotated.reason as { code?: string }).code, 'sdk_key_ended');
    }
  });
});
