import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { sql, inTransaction } from '@steward/sql';
import { openOperator, type Operator } from '../component.ts';
import { createWorld, range, recorder, type World } from '../fixtures/world.ts';

describe('a tenant whose handler fails', () => {
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

  const stateOf = async (consumer: string) => (await operator.status()).find((one) => one.consumer === consumer);

  test('is tried again, has each event once and in order, and goes with all others again', async () => {
    const [bad, good] = [newId(), newId()];
    let failures = 0;
    const instance = world.instance([
      recorder('again', {
        before: (number, tenant) => {
          if (tenant === bad && number === 5 && (failures += 1) < 3) throw new Error('not yet');
        },
      }),
    ]);
    instance.bus.start();
    await Promise.all([instance.publish(bad, range(1, 10)), instance.publish(good, range(1, 10))]);
    await world.had('again', good, range(1, 10));
    await world.had('again', bad, range(1, 10));
    await world.until('nobody is behind', async () => (await stateOf('again'))?.behind === 0);
    await instance.publish(bad, [11]);
    await world.had('again', bad, range(1, 11));
    assert.equal(failures, 3);
    // An attempt is counted after its commit, and what it recorded is seen with it.
    for (const line of [
      'steward_bus_attempts_total{consumer="again",outcome="failed"} 2',
      'steward_bus_attempts_total{consumer="again",outcome="handled"} 21',
      'steward_bus_lag_events{consumer="again"} 0',
    ])
      await world.until(line, async () => (await instance.metrics.registry.metrics()).split('\n').includes(line));
  });

  test('is parked at that event and goes on when an operator says so, while others never waited', async () => {
    const [bad, good] = [newId(), newId()];
    let broken = true;
    const instance = world.instance([
      recorder('parking', {
        before: (number, tenant) => {
          if (tenant === bad && number === 3 && broken) throw Object.assign(new Error('secret'), { code: 'E_BROKEN' });
        },
      }),
    ]);
    instance.bus.start();
    await instance.publish(bad, range(1, 5));
    await world.until('it is parked', async () => (await stateOf('parking'))?.parked === 1);
    await instance.publish(good, range(1, 5));
    await world.had('parking', good, range(1, 5));
    await instance.publish(bad, [6]);
    await sleep(100);
    await world.had('parking', bad, [1, 2]);
    const [stuck] = await operator.stuck({ consumer: 'parking' }, 10);
    assert.deepEqual(
      [stuck?.kind, stuck?.tenant, stuck?.code, stuck?.attempts, stuck?.type],
      ['parked', bad, 'E_BROKEN', 3, 'test.thing.happened'],
    );
    assert.match(await instance.metrics.registry.metrics(), /steward_bus_tenants_parked\{consumer="parking"\} 1/);
    broken = false;
    assert.deepEqual(await operator.retry('parking', { tenant: bad }), { letters: 0, tenants: 1 });
    await world.had('parking', bad, range(1, 6));
    assert.deepEqual(await operator.stuck({ consumer: 'parking' }, 10), []);
  });

  test('goes on without the event, which can be tried again once', async () => {
    const bad = newId();
    let broken = true;
    const instance = world.instance([
      recorder('letting-go', {
        onFailure: 'dead-letter',
        before: (number) => {
          if (number === 3 && broken) throw new TypeError('secret');
        },
      }),
    ]);
    instance.bus.start();
    await instance.publish(bad, range(1, 5));
    await world.had('letting-go', bad, [1, 2, 4, 5]);
    const [letter] = await operator.stuck({ consumer: 'letting-go' }, 10);
    assert.deepEqual([letter?.kind, letter?.tenant, letter?.code, letter?.attempts], ['dead', bad, 'TypeError', 3]);
    assert.match(await instance.metrics.registry.metrics(), /steward_bus_dead_letters\{consumer="letting-go"\} 1/);
    // Tried in vain, it stays.
    await operator.retry('letting-go', { event: letter?.event });
    await world.until('it was tried', async () => (await operator.stuck({}, 10))[0]?.attempts === 4);
    broken = false;
    await operator.retry('letting-go', {});
    await world.had('letting-go', bad, [1, 2, 4, 5, 3]);
    await operator.retry('letting-go', {});
    await sleep(100);
    await world.had('letting-go', bad, [1, 2, 4, 5, 3]);
  });

  test('is tried again for an operator who asks while a try in vain is under way', async () => {
    const tenant = newId();
    const [begun, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    const instance = world.instance([
      recorder('asked-twice', {
        onFailure: 'dead-letter',
        before: async () => {
          calls += 1;
          if (calls === 4) {
            begun.resolve();
            await asked.promise;
          }
          if (calls <= 4) throw new TypeError('not yet');
        },
      }),
    ]);
    instance.bus.start();
    await instance.publish(tenant, [1]);
    await world.until(
      'it was given up',
      async () => (await operator.stuck({ consumer: 'asked-twice' }, 1)).length === 1,
    );
    await operator.retry('asked-twice', {});
    await begun.promise;
    const again = operator.retry('asked-twice', {});
    // Until the try has failed the dead letter is locked; what is asked comes before it is written down that it failed.
    await world.until('the operator waits', async () => {
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await world.admin.query(waiting)).length === 1;
    });
    asked.resolve();
    await again;
    await world.had('asked-twice', tenant, [1]);
    assert.equal(calls, 5);
  });

  test('an error of the database undoes its event only, and so does a commit that is refused', async () => {
    const tenant = newId();
    await world.admin.query(sql`create table effects.late (tenant_id uuid, number int)`);
    await world.admin.query(
      sql`alter table effects.late add constraint late_once unique (number) deferrable initially deferred`,
    );
    await world.admin.query(sql`grant all on effects.late to public`);
    const instance = world.instance([
      recorder('refused', {
        onFailure: 'dead-letter',
        handle: async (tx, event) => {
          const number = Number(event.data['number']);
          await tx.query(sql`insert into effects.effect (tenant_id, consumer, event_id, number)
            values (${event.tenant}, 'refused', ${event.id}, ${number}::int)`);
          if (number === 2) await tx.query(sql`select 1 / 0`);
          // Refused when the transaction commits.
          if (number >= 4)
            await tx.query(sql`insert into effects.late values (${event.tenant}, ${Math.min(number, 5)})`);
        },
      }),
    ]);
    instance.bus.start();
    await instance.publish(tenant, range(1, 7));
    await world.had('refused', tenant, [1, 3, 4, 5]);
    await world.until('three are given up', async () => (await stateOf('refused'))?.deadLetters === 3);
    const codes = (await operator.stuck({ consumer: 'refused' }, 10)).map(({ code }) => code);
    assert.deepEqual(codes, ['sql_22012', 'sql_23505', 'sql_23505']);
  });

  test('a handler that goes on after a failed statement has failed: nothing of it was committed', async () => {
    const tenant = newId();
    const instance = world.instance([
      recorder('careless', {
        onFailure: 'dead-letter',
        handle: async (tx, event) => {
          const number = Number(event.data['number']);
          await tx.query(sql`insert into effects.effect (tenant_id, consumer, event_id, number)
            values (${event.tenant}, 'careless', ${event.id}, ${number}::int)`);
          if (number === 2) await tx.query(sql`select 1 / 0`).catch(() => undefined);
        },
      }),
    ]);
    instance.bus.start();
    await instance.publish(tenant, [1]);
    await world.had('careless', tenant, [1]);
    await instance.publish(tenant, [2]);
    await world.until('it is given up', async () => (await stateOf('careless'))?.deadLetters === 1);
    await instance.publish(tenant, [3]);
    await world.had('careless', tenant, [1, 3]);
    const [letter] = await operator.stuck({ consumer: 'careless' }, 10);
    assert.equal(letter?.code, 'StatementFailed');
  });

  test('one that waits for something else is seen in hand: nobody else is given its events meanwhile', async () => {
    const [tenant, other] = [newId(), newId()];
    const held = Promise.withResolvers<void>();
    const calls: number[] = [];
    const consumer = recorder('waiting', {
      before: async (number, of) => {
        if (of !== tenant) return;
        calls.push(number);
        if (calls.length === 1) await held.promise;
      },
    });
    const instances = [world.instance([consumer]), world.instance([consumer])];
    for (const { bus } of instances) bus.start();
    const [instance] = instances;
    await instance?.publish(other, [1]);
    await world.had('waiting', other, [1]);
    await instance?.publish(tenant, [1, 2]);
    await world.until('it is left behind', async () => (await stateOf('waiting'))?.behind === 1);
    // Both processes take it up again and again, in vain.
    await sleep(500);
    assert.deepEqual(calls, [1]);
    held.resolve();
    await world.had('waiting', tenant, [1, 2]);
    assert.deepEqual(calls, [1, 2]);
  });

  test('slow ones give their slots to others', async () => {
    const slow = range(1, 4).map(() => newId());
    const good = newId();
    const held = Promise.withResolvers<void>();
    const instance = world.instance(
      [recorder('slow', { before: async (_number, tenant) => (slow.includes(tenant) ? held.promise : undefined) })],
      { timings: { backoff: { first: 20, longest: 100 }, attempts: 5, patience: 100, idle: 20, slots: 3 } },
    );
    instance.bus.start();
    await instance.publish(good, [1]);
    await world.had('slow', good, [1]);
    await Promise.all(slow.map(async (tenant) => instance.publish(tenant, [1, 2])));
    await instance.publish(good, [2]);
    await world.had('slow', good, [1, 2]);
    for (const tenant of slow) assert.deepEqual(await world.effects('slow', tenant), []);
    held.resolve();
    for (const tenant of slow) await world.had('slow', tenant, [1, 2]);
  });

  test('a handler that never ends is cut off, and what it does later reaches nothing', async () => {
    const tenant = newId();
    const held = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    let first = true;
    const instance = world.instance(
      [
        recorder('endless', {
          handle: async (tx, event) => {
            const write = async () =>
              tx.query(sql`insert into effects.effect (tenant_id, consumer, event_id, number)
                values (${event.tenant}, 'endless', ${event.id}, ${Number(event.data['number'])}::int)`);
            if (first) {
              first = false;
              await held.promise;
              await write().catch(late.resolve);
            }
            await write();
          },
        }),
      ],
      { timings: { backoff: { first: 20, longest: 100 }, attempts: 5, patience: 50, idle: 20, handler: 200 } },
    );
    instance.bus.start();
    await instance.publish(tenant, [1, 2]);
    await world.had('endless', tenant, [1, 2]);
    held.resolve();
    assert.ok((await late.promise) instanceof Error);
    assert.deepEqual(await world.effects('endless', tenant), [1, 2]);
  });

  test('one whose place the database lost with a crash is had by the process that lives on', async () => {
    const [bad, good] = [newId(), newId()];
    let failed = false;
    const instance = world.instance(
      [
        recorder('set-back', {
          before: (_number, tenant) => {
            if (tenant !== bad || failed) return;
            failed = true;
            throw new TypeError('not yet');
          },
        }),
      ],
      { timings: { idle: 20, backoff: { first: 60_000, longest: 60_000 } } },
    );
    instance.bus.start();
    await instance.publish(good, [1]);
    await world.had('set-back', good, [1]);
    await instance.publish(bad, [1]);
    await world.until('it is left behind', async () => (await stateOf('set-back'))?.behind === 1);
    // As after the crash of a database that had told of more than was on its disk, or a failover to one that had less.
    await inTransaction(world.admin, [], async (tx) => {
      await tx.query(sql`
        update bus.consumer c set position = b.start_at from bus.behind b where c.name = b.consumer and c.name = 'set-back'`);
      await tx.query(sql`delete from bus.behind where consumer = 'set-back'`);
    });
    await instance.publish(good, [2]);
    await world.had('set-back', good, [1, 2]);
    await world.had('set-back', bad, [1]);
  });

  test('an event that ends its process again and again is found out, and only its tenant pays', async () => {
    const [bad, good] = [newId(), newId()];
    const never = Promise.withResolvers<void>();
    // As after kill -9: nothing says that the attempt failed, only its lease ends, and nobody let go of the consumer.
    await world.admin.query(sql`insert into bus.consumer (name, in_hand) values ('deadly', true)`);
    const killers = world.instance([
      recorder('deadly', {
        onFailure: 'dead-letter',
        before: async (number, tenant) => {
          if (tenant === bad && number === 2) await never.promise;
        },
      }),
    ]);
    await killers.publish(bad, range(1, 3));
    await killers.publish(good, range(1, 3));
    await world.age();
    killers.bus.start();
    await world.had('deadly', good, range(1, 3));
    const expire = sql`update bus.behind set next_at = clock_timestamp() where consumer = 'deadly' and tenant_id = ${bad}`;
    const attempts = sql`select attempts from bus.behind where consumer = 'deadly' and tenant_id = ${bad}`;
    await world.until('the first attempt runs', async () => (await world.admin.query(attempts)).length > 0);
    await world.admin.query(sql`update bus.behind set attempts = 3 where consumer = 'deadly' and tenant_id = ${bad}`);
    await world.admin.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`);
    await world.admin.query(expire);
    const next = world.instance([recorder('deadly', { onFailure: 'dead-letter' })]);
    next.bus.start();
    await world.until('it is given up', async () => (await stateOf('deadly'))?.deadLetters === 1);
    const [letter] = await operator.stuck({ consumer: 'deadly' }, 10);
    assert.equal(letter?.code, 'not_survived');
    never.reject(new Error('over'));
    await never.promise.catch(() => undefined);
  });
});
