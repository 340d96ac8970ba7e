import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { openOperator, type Operator } from '../component.ts';
import { createWorld, range, recorder, type World } from '../fixtures/world.ts';

describe('an operator', () => {
  let world: World;
  let operator: Operator;
  before(async () => {
    world = await createWorld();
    operator = openOperator(world.db.ownerUrl);
  });
  afterEach(async () => world.quiet());
  after(async () => {
    await operator[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const eventOf = async (tenant: string, number: number): Promise<string> => {
    const [row] = await world.admin.query<{ event_id: string }>(
      sql`select event_id from bus.outbox where tenant_id = ${tenant} and subject = ${String(number)}`,
    );
    return row?.event_id ?? '';
  };

  test('replays for everybody from an event on, in order, and what follows comes once', async () => {
    const [one, two] = [newId(), newId()];
    const instance = world.instance([recorder('everybody')]);
    instance.bus.start();
    await instance.publish(one, range(1, 4));
    await instance.publish(two, range(1, 4));
    await world.had('everybody', one, range(1, 4));
    await world.had('everybody', two, range(1, 4));
    assert.equal(await operator.replay('everybody', { event: await eventOf(one, 3) }), 6n);
    await instance.publish(one, [5]);
    await world.had('everybody', one, [1, 2, 3, 4, 3, 4, 5]);
    await world.had('everybody', two, [1, 2, 3, 4, 1, 2, 3, 4]);
  });

  test('replays for one tenant, and nobody else notices', async () => {
    const [one, two] = [newId(), newId()];
    const instance = world.instance([recorder('single')]);
    instance.bus.start();
    await instance.publish(one, range(1, 3));
    await instance.publish(two, range(1, 3));
    await world.had('single', one, range(1, 3));
    await world.had('single', two, range(1, 3));
    assert.equal(await operator.replay('single', { beginning: true }, one), 3n);
    await instance.publish(two, [4]);
    await world.had('single', two, range(1, 4));
    await world.had('single', one, [1, 2, 3, 1, 2, 3]);
    await world.until(
      'it goes with the others again',
      async () => (await operator.status()).find(({ consumer }) => consumer === 'single')?.behind === 0,
    );
    await instance.publish(one, [4]);
    await world.had('single', one, [1, 2, 3, 1, 2, 3, 4]);
  });

  test('replays for a process that has not heard of it: what that has seen is void', async () => {
    const tenant = newId();
    const instance = world.instance([recorder('unheard')]);
    instance.bus.start();
    await instance.publish(tenant, range(1, 3));
    await world.had('unheard', tenant, range(1, 3));
    await instance.bus[Symbol.asyncDispose]();
    const drawn = async (): Promise<number> => {
      const [row] = await world.admin.query<{ events: number }>(sql`
        select count(event_id)::int as events
        from bus.draw('unheard', null, 1, (select last_value from bus.outbox_position_seq), 5000, 500)`);
      return row?.events ?? -1;
    };
    assert.equal(await drawn(), 0);
    await operator.replay('unheard', { beginning: true });
    assert.equal(await drawn(), 3);
  });

  test('replays while events flow: nothing is missed, and each tenant stays in order', async () => {
    const tenants = range(1, 4).map(() => newId());
    const instance = world.instance([recorder('flowing')]);
    const other = world.instance([recorder('flowing')]);
    instance.bus.start();
    other.bus.start();
    const publishing = Promise.all(
      tenants.map(async (tenant) => {
        for (const number of range(1, 60)) await instance.publish(tenant, [number]);
      }),
    );
    await world.until('it has begun', async () =>
      (await operator.status()).some(({ consumer }) => consumer === 'flowing'),
    );
    await sleep(100);
    await operator.replay('flowing', { beginning: true });
    await sleep(50);
    await operator.replay('flowing', { beginning: true }, tenants[0]);
    await publishing;
    for (const tenant of tenants) {
      await world.until('the last is had', async () => (await world.effects('flowing', tenant)).at(-1) === 60);
      const effects = await world.effects('flowing', tenant);
      // From each beginning on, the next number follows.
      const starts = effects.filter((number, index) => index === 0 || number !== (effects[index - 1] ?? 0) + 1);
      assert.ok(starts.length <= 3 && starts.every((number) => number === 1), JSON.stringify(effects));
    }
  });

  test('replays from a moment: everything from then on, and no more than a minute before', async () => {
    const tenant = newId();
    const instance = world.instance([recorder('moment')]);
    await instance.publish(tenant, range(1, 200));
    await world.admin.query(sql`
      update bus.outbox set occurred_at = timestamptz '2026-01-01T00:00:00Z' + make_interval(mins => subject::int)
      where tenant_id = ${tenant}`);
    instance.bus.start();
    await world.had('moment', tenant, range(1, 200));
    assert.equal(await operator.replay('moment', { time: '2026-01-01T03:00:00Z' }), 21n);
    await world.had('moment', tenant, [...range(1, 200), ...range(180, 200)]);
    assert.equal(await operator.replay('moment', { time: '2027-01-01T00:00:00Z' }), 0n);
    await assert.rejects(operator.replay('nobody', { beginning: true }), RangeError);
    await assert.rejects(operator.replay('moment', { event: newId() }), RangeError);
  });

  test('prunes what everybody has had, and nothing that somebody needs', async () => {
    await world.admin.query(sql`delete from bus.consumer`);
    await world.admin.query(sql`delete from bus.behind`);
    const [one, bad] = [newId(), newId()];
    let broken = true;
    const follow = recorder('pruning', {
      before: (_number, tenant) => {
        if (broken && tenant === bad) throw new Error('no');
      },
    });
    const instance = world.instance([follow]);
    instance.bus.start();
    await instance.publish(one, range(1, 5));
    await instance.publish(bad, [1]);
    await world.had('pruning', one, range(1, 5));
    await world.until('one is parked', async () => (await operator.status())[0]?.parked === 1);
    const later = new Date(Date.now() + 60_000).toISOString();
    await assert.rejects(operator.prune(later), (error: Error) => error.message.includes(`pruning (tenant ${bad})`));
    const count = sql`select count(*)::int as n from bus.outbox where tenant_id in (${one}, ${bad})`;
    assert.deepEqual(await world.admin.query(count), [{ n: 6 }]);
    broken = false;
    await operator.retry('pruning', {});
    await world.had('pruning', bad, [1]);
    await world.until('it goes with the others', async () => (await operator.status())[0]?.behind === 0);
    // A consumer of which no server has heard for long.
    await world.admin.query(sql`select bus.enroll('gone', null)`);
    await assert.rejects(operator.prune(later), /gone \(its cursor\)/);
    await operator.forget('gone');
    await assert.rejects(operator.forget('gone'), RangeError);
    assert.equal(await operator.prune('2026-01-01T00:00:00.000Z'), 0);
    assert.equal(await operator.prune(later), 6);
    await instance.publish(one, [6]);
    await world.had('pruning', one, range(1, 6));
    assert.equal(await operator.replay('pruning', { beginning: true }), 1n);
    await world.had('pruning', one, [1, 2, 3, 4, 5, 6, 6]);
  });

  test('cannot stop a consumer that a server has by forgetting it: it begins anew, and nothing it needs is pruned', async () => {
    const tenant = newId();
    const instance = world.instance([recorder('forgotten')]);
    instance.bus.start();
    await instance.publish(tenant, [1, 2]);
    await world.had('forgotten', tenant, [1, 2]);
    const generation = async (): Promise<unknown> =>
      (await world.admin.query(sql`select generation from bus.consumer where name = 'forgotten'`))[0]?.['generation'];
    const before = await generation();
    await operator.forget('forgotten');
    await instance.publish(tenant, [3]);
    await world.had('forgotten', tenant, [1, 2, 1, 2, 3]);
    assert.ok((await operator.status()).some(({ consumer }) => consumer === 'forgotten'));
    assert.notEqual(await generation(), before, 'what other processes know of the one before is void');
    await instance.publish(tenant, [4]);
    await world.had('forgotten', tenant, [1, 2, 1, 2, 3, 4]);
  });

  test('is told that a consumer is unknown, rather than that it has nothing to retry', async () => {
    await assert.rejects(operator.retry('nobody', {}), RangeError);
  });

  test('is the owner: the application cannot replay, prune or forget', async () => {
    const instance = world.instance([]);
    for (const statement of [
      sql`select bus.prune(0, 1)`,
      sql`select bus.replay('x', 0, null)`,
      sql`select bus.forget('x')`,
      sql`select * from bus.stuck(null, null, 1)`,
      sql`delete from bus.outbox`,
      sql`update bus.outbox set data = '{}'`,
      sql`select * from bus.consumer`,
    ]) {
      await assert.rejects(instance.pool.query(statement), { code: '42501' });
    }
    await instance.publish(newId(), [1]);
    assert.deepEqual(await instance.pool.query(sql`select event_id from bus.outbox`), [], 'no tenant, no rows');
  });
});
