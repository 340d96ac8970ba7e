import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { createWorld, quick, range, recorder, type Instance, type World } from '../fixtures/world.ts';

describe('kill -9', () => {
  let world: World;
  const children = new Set<ChildProcess>();
  before(async () => (world = await createWorld()));
  afterEach(async () => {
    await Promise.all([...children].map(kill));
    await world.quiet();
  });
  after(async () => world[Symbol.asyncDispose]());

  const start = (...args: string[]): ChildProcess => {
    const child = fork(new URL('../fixtures/process.ts', import.meta.url), [world.db.appUrl, ...args]);
    children.add(child);
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    children.delete(child);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const all = async (consumer: string, tenant: string, many: number): Promise<void> => {
    await world.until(`${many} are had`, async () => (await world.effects(consumer, tenant)).length >= many);
    assert.deepEqual(await world.effects(consumer, tenant), range(1, many));
  };

  test('between commit and delivery loses no event: what was committed comes, once and in order', async () => {
    const tenants = [newId(), newId()];
    const publisher = start('publish', 'none', '', ...tenants);
    const acknowledged = new Map<string, number>();
    publisher.on('message', ({ tenant, through }: { tenant: string; through: number }) => {
      acknowledged.set(tenant, through);
    });
    await world.until('something is committed', async () => (acknowledged.get(tenants[1] ?? '') ?? 0) >= 20);
    await kill(publisher);
    // Its sessions outlive it by a moment, in which what was sent may still be committed.
    await world.until('its sessions have ended', async () => {
      const sessions = sql`select from pg_stat_activity where datname = current_database() and usename like '%\\_login'`;
      return (await world.admin.query(sessions)).length === 0;
    });
    const instance = world.instance([recorder('after-commit')]);
    instance.bus.start();
    for (const tenant of tenants) {
      const [row] = await world.admin.query<{ n: number }>(
        sql`select count(*)::int as n from bus.outbox where tenant_id = ${tenant}`,
      );
      const committed = row?.n ?? 0;
      assert.ok(committed >= (acknowledged.get(tenant) ?? 0), 'what was acknowledged is there');
      await all('after-commit', tenant, committed);
    }
  });

  test('in the middle of a handler undoes its effect; another process has it once, at once', async () => {
    const [tenant, other] = [newId(), newId()];
    const instance = world.instance([]);
    const child = start('consume', 'in-the-middle', '5');
    await once(child, 'message');
    const stalled = once(child, 'message');
    await instance.publish(tenant, range(1, 10));
    await instance.publish(other, range(1, 3));
    assert.deepEqual(await stalled, ['stalled', undefined]);
    const next = world.instance([recorder('in-the-middle')]);
    next.bus.start();
    await all('in-the-middle', other, 3);
    await kill(child);
    await all('in-the-middle', tenant, 10);
  });

  test('is what makes the next process careful: after an orderly end nobody is left behind', async () => {
    const tenant = newId();
    const behind: boolean[] = [];
    const following = (): Instance =>
      world.instance([
        recorder('careful', {
          handle: async (tx, event) => {
            const rows = await tx.query(
              sql`select from bus.behind where tenant_id = ${tenant} and consumer = 'careful'`,
            );
            behind.push(rows.length > 0);
            await tx.query(sql`insert into effects.effect (tenant_id, consumer, event_id, number)
              values (${tenant}, 'careful', ${event.id}, ${Number(event.data['number'])}::int)`);
          },
        }),
      ]);
    for (const number of [1, 2]) {
      const instance = following();
      await instance.publish(tenant, [number]);
      instance.bus.start();
      await world.had('careful', tenant, range(1, number));
      await instance.bus[Symbol.asyncDispose]();
    }
    assert.deepEqual(behind, [false, false]);
    const child = start('consume', 'careful', '');
    const instance = following();
    await instance.publish(tenant, [3]);
    await world.had('careful', tenant, range(1, 3));
    const well = async () => {
      const [row] = await instance.pool.query(sql`select bus.enroll('careful', array['test.thing.happened']) as well`);
      return row?.['well'] === true;
    };
    await world.until('who joins one that lives, which has had all, has nothing to fear', well);
    await kill(child);
    await instance.publish(tenant, [4]);
    await world.age();
    assert.equal(await well(), false);
    instance.bus.start();
    await world.had('careful', tenant, range(1, 4));
    assert.deepEqual(behind, [false, false, true]);
  });

  test('by an event parks its tenant, and none that was in hand with it', async () => {
    const [bad, good] = [newId(), newId()];
    const instance = world.instance([]);
    await instance.publish(good, [1]);
    await instance.publish(bad, [7]);
    await instance.publish(good, [2]);
    let child: ChildProcess | undefined;
    const states = async () =>
      world.admin.query<{ tenant: string; parked: boolean }>(sql`
        select tenant_id as tenant, parked_at is not null as parked from bus.behind where consumer = 'by-an-event'`);
    await world.until('it is parked', async () => {
      if (child === undefined || child.signalCode !== null) {
        if (child !== undefined) children.delete(child);
        // Later than the leases end, so that the next process may take up both at once.
        await sleep(quick.lease);
        child = start('die', 'by-an-event', '7');
      }
      return (await states()).some(({ parked }) => parked);
    });
    await all('by-an-event', good, 2);
    await world.until('nobody else is behind', async () => (await states()).length === 1);
    assert.deepEqual(await states(), [{ tenant: bad, parked: true }]);
  });

  test('again and again, with two processes on one consumer: each effect once, each tenant in order', async () => {
    const tenants = range(1, 3).map(() => newId());
    const instance = world.instance([]);
    const work = new AbortController();
    const published = new Map<string, number>();
    const publishing = Promise.all(
      tenants.map(async (tenant) => {
        for (let number = 1; !work.signal.aborted; number += 3) {
          await instance.publish(tenant, range(number, number + 2));
          published.set(tenant, number + 2);
          await sleep(15);
        }
      }),
    );
    let victims = [start('consume', 'again', ''), start('consume', 'again', '')];
    for (let round = 0; round < 4; round += 1) {
      const had = await world.total('again');
      await world.until('something is had', async () => (await world.total('again')) > had);
      const [victim, survivor] = victims;
      await kill(victim as ChildProcess);
      victims = [survivor as ChildProcess, start('consume', 'again', '')];
    }
    work.abort();
    await publishing;
    await world.until('all are had', async () => {
      const many = [...published.values()].reduce((sum, one) => sum + one, 0);
      return (await world.total('again')) >= many;
    });
    for (const tenant of tenants) {
      assert.deepEqual(await world.effects('again', tenant), range(1, published.get(tenant) ?? 0));
    }
  });
});
