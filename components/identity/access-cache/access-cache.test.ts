import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '@steward/access';
import { Client } from 'pg';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { callerNamed } from '../fixtures/caller.ts';
import { anything, createWorld, type Process, type World } from '../fixtures/world.ts';
import { createAccessCache } from './cache.ts';

const user = (id: string) => ({ type: 'user', id }) as const;
const alice = callerNamed('alice');

/** What portal's visibility will do: the caller's role, cached. */
const roleCache = (process: Process) => {
  let loads = 0;
  const get = process.identity.cached(
    async (caller, tenant) => {
      loads += 1;
      const found = await process.identity.memberships.tenantsOf(caller.subject);
      return found.find((one) => one.tenant === tenant);
    },
    () => Infinity,
  );
  return {
    role: async (tenant: string, caller: Caller = alice) => (await get(caller, tenant))?.role,
    get,
    get loads() {
      return loads;
    },
  };
};

async function eventually<T>(expected: T, read: () => Promise<T>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await read()) === expected) return;
    await sleep(50);
  }
  assert.equal(await read(), expected);
}

describe('what somebody may do', () => {
  let world: World;
  let here: Process;
  let there: Process;
  before(async () => {
    world = await createWorld();
    here = await world.process({ start: true });
    there = await world.process({ start: true });
  });
  after(async () => world[Symbol.asyncDispose]());

  const demote = async (process: Process, tenant: string): Promise<void> => {
    await process
      .as(tenant, 'zoe')
      .require(anything)
      .write(async (tx) => process.identity.memberships.set(tx, user('alice'), 'viewer'));
  };

  it('is answered from memory, without a promise, until it changes', async () => {
    const tenant = await here.tenant({ zoe: 'owner', alice: 'admin' });
    const cache = roleCache(here);
    assert.equal(await cache.role(tenant), 'admin');
    assert.deepEqual(cache.get(alice, tenant), { tenant, role: 'admin' });
    assert.equal(cache.loads, 1);
  });

  it('has changed for the next request in the same process, and soon in every other', async () => {
    const tenant = await here.tenant({ zoe: 'owner', alice: 'admin' });
    const [own, other] = [roleCache(here), roleCache(there)];
    assert.deepEqual([await own.role(tenant), await other.role(tenant)], ['admin', 'admin']);
    await demote(here, tenant);
    assert.equal(await own.role(tenant), 'viewer');
    await eventually('viewer', async () => other.role(tenant));
  });

  it('stays as it was when the change is undone', async () => {
    const tenant = await here.tenant({ zoe: 'owner', alice: 'admin' });
    const cache = roleCache(here);
    await cache.role(tenant);
    const undone = here
      .as(tenant, 'zoe')
      .require(anything)
      .write(async (tx) => {
        await here.identity.memberships.remove(tx, user('alice'));
        throw new Error('undone');
      });
    await assert.rejects(undone, /undone/);
    assert.deepEqual([await cache.role(tenant), cache.loads], ['admin', 1]);
  });

  it('reaches others also when an older transaction commits after a younger one', async () => {
    const tenant = await here.tenant({ zoe: 'owner', alice: 'admin' });
    const second = await here.tenant({ zoe: 'owner', alice: 'admin' });
    const other = roleCache(there);
    assert.deepEqual([await other.role(tenant), await other.role(second)], ['admin', 'admin']);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: changed, resolve: change } = Promise.withResolvers<void>();
    const slow = here
      .as(tenant, 'zoe')
      .require(anything)
      .write(async (tx) => {
        await here.identity.memberships.set(tx, user('alice'), 'viewer');
        change();
        await released;
      });
    await changed;
    await demote(here, second);
    await eventually('viewer', async () => other.role(second));
    assert.equal(await other.role(tenant), 'admin');
    release();
    await slow;
    await eventually('viewer', async () => other.role(tenant));
  });

  it('is another for each agent, and strangers are asked for each time', async () => {
    const tenant = await here.tenant({ zoe: 'owner', alice: 'admin' });
    const cache = roleCache(here);
    await cache.role(tenant);
    await cache.role(tenant, callerNamed('alice', 'bot'));
    await cache.role(tenant, callerNamed('alice', 'bot'));
    assert.equal(cache.loads, 2);
    await cache.role(tenant, callerNamed('mallory'));
    await cache.role(tenant, callerNamed('mallory'));
    assert.equal(cache.loads, 4);
  });

  it('is read from the database each time while changes cannot be seen', async () => {
    const blind = await world.process();
    const tenant = await here.tenant({ zoe: 'owner', alice: 'admin' });
    const cache = roleCache(blind);
    await cache.role(tenant);
    await cache.role(tenant);
    assert.equal(cache.loads, 2);
  });

  it('is read from the database each time once changes could not be seen for a while', async () => {
    const failing = await world.process({ start: true });
    const tenant = await here.tenant({ zoe: 'owner', alice: 'admin' });
    const cache = roleCache(failing);
    await cache.role(tenant);
    await cache.role(tenant);
    assert.equal(cache.loads, 1);
    await failing.identity[Symbol.asyncDispose]();
    await eventually(true, async () => {
      const before = cache.loads;
      await cache.role(tenant);
      return cache.loads > before;
    });
    await demote(here, tenant);
    assert.equal(await cache.role(tenant), 'viewer');
  });

  it('is read once for many who ask at once, and a failure is not kept', async () => {
    let loads = 0;
    const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
    const cache = createAccessCache({
      load: async () => {
        loads += 1;
        if (loads === 1) throw new Error('database away');
        return answered;
      },
      validUntil: () => Infinity,
      current: () => true,
      clock: Date.now,
    });
    await assert.rejects(Promise.resolve(cache.get(alice, 't')), /away/);
    const asked = [1, 2, 3].map(async () => cache.get(alice, 't'));
    answer('admin');
    assert.deepEqual([await Promise.all(asked), loads], [['admin', 'admin', 'admin'], 2]);
  });

  it('that was read before a change is not kept after it', async () => {
    let stored = 'admin';
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const cache = createAccessCache({
      load: async () => {
        const read = stored;
        await answered;
        return read;
      },
      validUntil: () => Infinity,
      current: () => true,
      clock: Date.now,
    });
    const early = cache.get(alice, 't');
    stored = 'viewer';
    cache.forget('t');
    const late = cache.get(alice, 't');
    answer();
    assert.deepEqual([await early, await late, cache.get(alice, 't')], ['admin', 'viewer', 'viewer']);
  });

  it('is kept no longer than it is valid, and for a bounded number of callers', async () => {
    let now = 1_000;
    let loads = 0;
    const cache = createAccessCache({
      load: async (_caller, tenant) => {
        loads += 1;
        return tenant;
      },
      validUntil: () => 2_000,
      current: () => true,
      clock: () => now,
      capacity: 2,
    });
    for (const tenant of ['a', 'b', 'c']) await cache.get(alice, tenant);
    assert.deepEqual([cache.get(alice, 'b'), cache.get(alice, 'c'), loads], ['b', 'c', 3]);
    await cache.get(alice, 'a');
    assert.equal(loads, 4);
    now = 2_000;
    await cache.get(alice, 'a');
    assert.equal(loads, 5);
  });

  it('leaves no trail that grows: old changes are pruned, young ones kept', async () => {
    const insert = `insert into identity.standing_change (tenant_id, changed_at) values ($1, now() - $2::interval)`;
    const [old, young] = [newId(), newId()];
    const database = new Client({ connectionString: world.database.adminUrl });
    await database.connect();
    try {
      await database.query(insert, [old, '11 minutes']);
      await database.query(insert, [young, '9 minutes']);
      await here.pool.query(sql`select identity.prune_standing_changes()`);
      const { rows } = await database.query(
        'select tenant_id from identity.standing_change where tenant_id = any ($1)',
        [[old, young]],
      );
      assert.deepEqual(rows, [{ tenant_id: young }]);
    } finally {
      await database.end();
    }
  });
});
