import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, undeclared } from '@steward/kernel';
import { sql } from '@steward/sql';
import type { BusEvent } from '../component.ts';
import { anything, createWorld, numbered, range, recorder, type World } from '../fixtures/world.ts';

describe('delivery', () => {
  let world: World;
  before(async () => (world = await createWorld()));
  after(async () => world[Symbol.asyncDispose]());
  afterEach(async () => world.quiet());

  test('has nothing to look for in an outbox that never had an event', async () => {
    const instance = world.instance([recorder('looking')]);
    const ends = sql`select head from bus.poll('{}')`;
    assert.deepEqual(await instance.pool.query(ends), [{ head: 0n }]);
    await instance.publish(newId(), [1]);
    assert.deepEqual(await instance.pool.query(ends), [{ head: 1n }]);
  });

  test('hands each event once, in the order of its tenant, to every consumer that wants its type', async () => {
    const seen: BusEvent[] = [];
    const one = recorder('each-one');
    const instance = world.instance([
      one,
      recorder('each-other', {
        types: ['test.other'],
        handle: async (_tx, event) => void seen.push(event),
      }),
    ]);
    instance.bus.start();
    const tenants = [newId(), newId(), newId()];
    await Promise.all(
      tenants.map(async (tenant) => {
        for (const number of range(1, 40)) await instance.publish(tenant, [number]);
        await instance.publish(tenant, range(41, 60));
        await instance.publish(tenant, [7], 'test.other');
      }),
    );
    await world.until('all are had', async () => (await world.total('each-one')) >= 180 && seen.length === 3);
    for (const tenant of tenants) assert.deepEqual(await world.effects('each-one', tenant), range(1, 60));
    assert.deepEqual(new Set(seen.map(({ tenant }) => tenant)), new Set(tenants));
    const [event] = seen;
    assert.equal(event?.type, 'test.other');
    assert.deepEqual(event?.data, { number: 7 });
    assert.match(event?.sequence ?? '', /^\d{20}$/);
    assert.match(event?.occurredAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('a consumer that gathers has the first event at once, and what follows soon in one transaction', async () => {
    const tenant = newId();
    const transactions: { number: unknown; at: unknown }[] = [];
    const instance = world.instance([
      {
        name: 'gathering',
        types: ['test.thing.happened'],
        onFailure: 'park',
        gathers: 1_500,
        handle: async (tx, { data }) => {
          const [row] = await tx.query(sql`select pg_current_xact_id()::text as at`);
          transactions.push({ number: data['number'], at: row?.['at'] });
        },
      },
    ]);
    instance.bus.start();
    await instance.publish(tenant, [1]);
    await world.until('the first is had', async () => transactions.length === 1);
    for (const number of range(2, 4)) await instance.publish(tenant, [number]);
    await world.until('all are had', async () => transactions.length === 4);
    assert.deepEqual(
      transactions.map(({ number }) => number),
      range(1, 4),
    );
    assert.equal(new Set(transactions.map(({ at }) => at)).size, 2);
  });

  test('what a handler publishes and records is caused by its event', async () => {
    const tenant = newId();
    const instance = world.instance([
      {
        name: 'causing',
        types: ['test.cause'],
        onFailure: 'park',
        handle: async (tx) => void tx.publish(undeclared({ type: 'test.effect', source: 'test', data: {} })),
      },
    ]);
    instance.bus.start();
    const workflow = newId();
    const causes = await instance
      .context(tenant)
      .require(anything)
      .write(async (tx) =>
        range(1, 2).map((n) => tx.publish({ ...numbered(n, 'test.cause'), correlationId: `${workflow}-${n}` })),
      );
    const effects = sql`select correlation_id, causation_id from bus.outbox where tenant_id = ${tenant}
      and type = 'test.effect' order by position`;
    await world.until('both have an effect', async () => (await world.admin.query(effects)).length === 2);
    assert.deepEqual(
      await world.admin.query(effects),
      causes.map((id, index) => ({ correlation_id: `${workflow}-${index + 1}`, causation_id: id })),
    );
  });

  test('nothing is passed over while publishers commit in another order than they began', async () => {
    const [tenant, other] = [newId(), newId()];
    const instance = world.instance([recorder('crossing')]);
    instance.bus.start();
    const held = Promise.withResolvers<void>();
    const drawn = Promise.withResolvers<void>();
    const slow = instance
      .context(tenant)
      .require(anything)
      .write(async (tx) => {
        await instance.bus.publish(tx, [{ ...numbered(1), id: newId() }]);
        // What is published travels with the next statement.
        await tx.query(sql`select 1`);
        drawn.resolve();
        await held.promise;
      });
    await drawn.promise;
    await instance.publish(tenant, [2]);
    await instance.publish(other, [3]);
    await sleep(150);
    const early = [...(await world.effects('crossing', tenant)), ...(await world.effects('crossing', other))];
    held.resolve();
    await slow;
    assert.deepEqual(early, [], 'events above an uncommitted one are not final');
    await world.until('all are had', async () => (await world.effects('crossing', other)).length === 1);
    await world.until('all are had', async () => (await world.effects('crossing', tenant)).length === 2);
    assert.deepEqual(await world.effects('crossing', tenant), [1, 2]);
  });

  test('a publisher that gives up holds nothing', async () => {
    const tenant = newId();
    const instance = world.instance([recorder('given-up')]);
    instance.bus.start();
    await assert.rejects(
      instance
        .context(tenant)
        .require(anything)
        .write(async (tx) => {
          await instance.bus.publish(tx, [{ ...numbered(1), id: newId() }]);
          await tx.query(sql`select 1`);
          throw new Error('no');
        }),
    );
    await instance.publish(tenant, [2]);
    await world.until('the other is had', async () => (await world.effects('given-up', tenant)).length > 0);
    assert.deepEqual(await world.effects('given-up', tenant), [2]);
  });

  test('a long transaction that has published nothing holds nobody', async () => {
    const tenant = newId();
    const instance = world.instance([recorder('long')]);
    instance.bus.start();
    await world.admin.withClient(async (client) => {
      await client.query('begin');
      await client.query('create temporary table busy (a int)');
      await client.query('insert into busy values (1)');
      const [held] = (await client.query<{ xid: string }>('select pg_current_xact_id_if_assigned() as xid')).rows;
      assert.ok(held?.xid !== null, 'it is one that writes');
      await instance.publish(tenant, [1]);
      await world.until('it is had', async () => (await world.effects('long', tenant)).length === 1);
      await client.query('rollback');
    });
  });

  test('transactions that waited for one another keep their order, whoever began first', async () => {
    const tenant = newId();
    const instance = world.instance([recorder('waited')]);
    instance.bus.start();
    await world.admin.query(sql`create table if not exists effects.counter (n int)`);
    await world.admin.query(sql`insert into effects.counter values (0)`);
    await world.admin.query(sql`grant all on effects.counter to public`);
    const began = Promise.withResolvers<void>();
    const firstHas = Promise.withResolvers<void>();
    const next = sql`update effects.counter set n = n + 1 returning n`;
    // The second has an older transaction id, and waits for the first.
    const second = instance
      .context(tenant)
      .require(anything)
      .write(async (tx) => {
        await tx.query(sql`select pg_current_xact_id()`);
        began.resolve();
        await firstHas.promise;
        const [row] = await tx.query<{ n: number }>(next);
        tx.publish(numbered(row?.n ?? 0));
      });
    await began.promise;
    await instance
      .context(tenant)
      .require(anything)
      .write(async (tx) => {
        const [row] = await tx.query<{ n: number }>(next);
        firstHas.resolve();
        await sleep(50);
        tx.publish(numbered(row?.n ?? 0));
      });
    await second;
    await world.until('both are had', async () => (await world.effects('waited', tenant)).length === 2);
    assert.deepEqual(await world.effects('waited', tenant), [1, 2]);
  });

  test('readers are refused where rows could be older than the marks', async () => {
    await assert.rejects(
      world.admin.withClient(async (client) => {
        await client.query('begin isolation level repeatable read');
        try {
          await client.query('select bus.horizon()');
        } finally {
          await client.query('rollback');
        }
      }),
      /read committed/,
    );
  });

  test('several processes on one consumer have each event once between them, in order', async () => {
    const tenants = range(1, 6).map(() => newId());
    const consumer = recorder('between');
    const instances = [world.instance([consumer]), world.instance([consumer]), world.instance([consumer])];
    for (const { bus } of instances) bus.start();
    await Promise.all(
      tenants.map(async (tenant, index) => {
        for (const number of range(1, 30)) await instances[(index + number) % 3]?.publish(tenant, [number]);
      }),
    );
    const had = async () => (await Promise.all(tenants.map(async (tenant) => world.effects('between', tenant)))).flat();
    await world.until('all are had', async () => (await had()).length >= 180);
    await sleep(200);
    for (const tenant of tenants) assert.deepEqual(await world.effects('between', tenant), range(1, 30));
  });
});
