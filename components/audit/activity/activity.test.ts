import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type World } from '../fixtures/world.ts';
import { readActivity } from './read.ts';

describe('the counts of what was done', () => {
  let world: World;
  let now = Date.now();
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  const denial = { tool: 'service_pay_bill', code: 'not_visible', surface: 'public' };

  test('are by day and agent, and count every refused call, also those that are summed up', async () => {
    const one = world.process({ clock: () => now });
    const tenant = await one.tenant({ alice: 'owner', vera: 'viewer' });
    const alice = one.as(tenant, 'alice');
    const before = (await readActivity(alice, 1)).reduce((sum, { events }) => sum + events, 0);
    for (let n = 0; n < 75; n += 1) await one.audit.recordDenied(one.as(tenant, 'vera'), denial);
    now += 60_000;
    await one.audit.recordDenied(one.as(tenant, 'vera'), denial);
    const counts = await readActivity(alice, 30);
    // 60 recorded, one sum of 15, and one more.
    assert.equal(counts.reduce((sum, { events }) => sum + events, 0) - before, 62);
    assert.equal(
      counts.reduce((sum, { denied }) => sum + denied, 0),
      76,
    );
    assert.ok(counts.every(({ agent }) => agent === null));
    const [latest] = counts;
    assert.match(latest?.day ?? '', /^\d{4}-\d\d-\d\d$/);
    assert.ok(Math.abs(Date.parse(latest?.lastAt ?? '') - Date.now()) < 600_000);
  });

  test('are of the day on which it happened, whenever the log heard of it', async () => {
    const one = world.process();
    const tenant = await one.tenant({ alice: 'owner', vera: 'viewer' });
    const day = 86_400_000;
    for (const days of [2, 40]) {
      await one.audit.recordDenied({ ...one.as(tenant, 'vera'), happenedAt: Date.now() - days * day }, denial);
    }
    const denied = (await readActivity(one.as(tenant, 'alice'), 30)).filter((counted) => counted.denied > 0);
    const twoDaysAgo = new Date(Date.now() - 2 * day).toISOString().slice(0, 10);
    assert.deepEqual(
      denied.map((counted) => [counted.day, counted.denied, counted.lastAt.slice(0, 10)]),
      [[twoDaysAgo, 1, twoDaysAgo]],
    );
  });

  test('are of the tenant alone', async () => {
    const one = world.process();
    const [mine, other] = [await one.tenant({ alice: 'owner' }), await one.tenant({ bob: 'owner' })];
    await one.audit.recordDenied(one.as(other, 'bob'), denial);
    const counts = await readActivity(one.as(mine, 'alice'), 92);
    assert.equal(
      counts.reduce((sum, { denied }) => sum + denied, 0),
      0,
    );
  });
});
