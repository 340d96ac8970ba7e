import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import pg from 'pg';
import { migrate, openPool, sql, inTransaction, type Row } from '@steward/sql';
import { startEmbedded } from '@steward/postgres';
import { migrations, openOperator, type ConsumerStatus, type Operator } from '../component.ts';
import { createWorld, quick, range, recorder, type World } from '../fixtures/world.ts';

describe('what a cursor has passed over', () => {
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

  const stateOf = async (name: string): Promise<ConsumerStatus | undefined> =>
    (await operator.status()).find(({ consumer }) => consumer === name);
  /** As if all of the outbox had been handed over. */
  const jump = async (name: string): Promise<void> => {
    await world.admin.query(sql`
      update bus.consumer set position = (select last_value from bus.outbox_position_seq) where name = ${name}`);
  };

  test('is told, and handed over in its order before what follows', async () => {
    const [one, two, idle] = [newId(), newId(), newId()];
    const first = world.instance([recorder('jumped'), recorder('sound')]);
    first.bus.start();
    await first.publish(one, range(1, 3));
    for (const name of ['jumped', 'sound']) await world.had(name, one, range(1, 3));
    await first.bus[Symbol.asyncDispose]();
    await first.publish(one, range(4, 53));
    await first.publish(two, range(1, 48));
    await first.publish(idle, [1, 2]);
    await first.publish(two, [0], 'test.other');
    await jump('jumped');
    await first.publish(one, [54]);

    // No look but the round's own, and events of the same tenants in it.
    const instance = world.instance([recorder('jumped'), recorder('sound')], {
      timings: { ...quick, recheck: Infinity },
    });
    instance.bus.start();
    await instance.publish(one, [55]);
    for (const name of ['jumped', 'sound']) {
      await world.had(name, one, range(1, 55));
      await world.had(name, two, range(1, 48));
      await world.had(name, idle, [1, 2]);
    }
    assert.equal((await stateOf('jumped'))?.passedOver, 100);
    assert.equal((await stateOf('sound'))?.passedOver, 0);
    assert.match(await instance.metrics.registry.metrics(), /steward_bus_passed_over\{consumer="jumped"\} 100/);
    await world.until('they go with the others again', async () => (await stateOf('jumped'))?.behind === 0);
    assert.equal(await operator.acknowledge('jumped'), 100n);
    assert.equal((await stateOf('jumped'))?.passedOver, 0);
    await assert.rejects(operator.acknowledge('nobody'), RangeError);
  });

  test('is found where nothing more is published', async () => {
    const [one, two] = [newId(), newId()];
    const instance = world.instance([recorder('watched')], { timings: { ...quick, recheck: 50 } });
    instance.bus.start();
    await instance.publish(one, range(1, 3));
    await world.had('watched', one, range(1, 3));
    // With the consumer in hand, so that no round comes between.
    await inTransaction(world.admin, [], async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(1112888112, hashtext('watched'))`);
      await tx.query(sql`
        with published as (
          insert into bus.outbox (tenant_id, event_id, type, source, subject, data)
          select tenant, gen_random_uuid(), 'test.thing.happened', 'test', '4', '{"number":4}'
          from unnest(${[one, two]}::uuid[]) tenant returning position)
        update bus.consumer set position = (select max(position) from published) where name = 'watched'`);
    });
    await world.had('watched', one, range(1, 4));
    await world.had('watched', two, [4]);
    assert.equal((await stateOf('watched'))?.passedOver, 2);
  });

  test('of a transport, which has no inboxes, is what its cursor was moved over by anybody else', async () => {
    const [tenant, instance] = [newId(), world.instance([])];
    interface Drawn extends Row {
      readonly start_at: bigint;
      readonly generation: number;
      readonly passed: number;
    }
    /** As a transport does: the numbers that it has now. */
    const carry = async (): Promise<{ first: Drawn; numbers: number[] }> =>
      inTransaction(
        instance.pool,
        [sql`select start_at, generation, passed, subject, pos from bus.draw('carrier', null, 0, 0, 5000, 3)`],
        async (tx, [drawn = []]) => {
          const [first, ...rows] = drawn;
          const { start_at: from, generation } = first as Drawn;
          await tx.query(sql`
            select bus.advance('carrier', ${generation}, ${from}, ${(rows.at(-1)?.['pos'] ?? from) as bigint},
              '{}', '{}', '{}', '{}', '{}')`);
          return { first: first as Drawn, numbers: rows.map(({ subject }) => Number(subject)) };
        },
      );
    await instance.pool.query(sql`select bus.enroll('carrier', null)`);
    await instance.publish(tenant, range(1, 8));
    const { first, numbers } = await carry();
    assert.deepEqual(numbers, [1, 2, 3]);
    await jump('carrier');
    const after = await carry();
    assert.deepEqual([after.numbers, after.first.passed], [[4, 5, 6], 5]);
    assert.ok(after.first.generation > first.generation, 'what a process knows is void');
    assert.deepEqual([(await carry()).numbers, (await carry()).numbers], [[7, 8], []]);
    // Of another time, such as after a backup was restored in part: no event has come so far.
    await world.admin.query(sql`update bus.consumer set position = 1000000, checked = 1000000 where name = 'carrier'`);
    await instance.publish(tenant, range(9, 11));
    assert.deepEqual((await carry()).numbers, [9, 10, 11]);
    assert.equal((await stateOf('carrier'))?.passedOver, 8);
    assert.equal(await operator.replay('carrier', { beginning: true }), 11n);
    assert.deepEqual([(await carry()).numbers, (await stateOf('carrier'))?.passedOver], [[1, 2, 3], 8]);
    await jump('carrier');
    assert.deepEqual(await instance.pool.query(sql`select * from bus.look_back_at('{carrier}')`), [
      { name: 'carrier', passed: 8 },
    ]);
    assert.deepEqual((await carry()).numbers, [4, 5, 6]);
    // As a broker tells that comes back without the last two.
    const lost = sql`select bus.compare_stream('carrier', 9, tenant_id, event_id) as lost from bus.outbox where subject = '4'`;
    assert.deepEqual(await world.admin.query(lost), [{ lost: 2 }]);
    assert.deepEqual((await carry()).numbers, [5, 6, 7]);
  });

  test('is not what came while the consumer had other types, was given up, or was replayed', async () => {
    const tenant = newId();
    const failing = recorder('particular', {
      onFailure: 'dead-letter',
      before: (number) => {
        if (number === 2) throw new Error('no');
      },
    });
    const timings = { ...quick, recheck: 20 };
    const instance = world.instance([failing], { timings });
    instance.bus.start();
    await instance.publish(tenant, [7], 'test.other');
    await instance.publish(tenant, range(1, 3));
    await world.had('particular', tenant, [1, 3]);
    await operator.replay('particular', { beginning: true });
    await world.had('particular', tenant, [1, 3, 1, 3]);
    await world.until('it is given up', async () => (await stateOf('particular'))?.deadLetters === 1);
    await instance.bus[Symbol.asyncDispose]();
    const wider = world.instance([{ ...failing, types: [...failing.types, 'test.other'] }], { timings });
    wider.bus.start();
    await wider.publish(tenant, [4]);
    await world.had('particular', tenant, [1, 3, 1, 3, 4]);
    assert.equal((await stateOf('particular'))?.passedOver, 0);
  });
});

test('the outbox is not read on a server that follows another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-standby-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => rm(folder, { recursive: true, force: true }));
  // Root’s server runs under an account of its own, which has to pass.
  await chmod(folder, 0o711);
  const leader = await startEmbedded({ dataDir: folder });
  await migrate({ ownerUrl: leader.adminUrl, appLogins: [], sources: [{ component: 'bus', folder: migrations }] });
  const before = openPool({ url: leader.adminUrl, size: 1 });
  await before.query(sql`select bus.enroll('somebody', null)`);
  const questions = [
    sql`select head from bus.poll('{somebody}')`,
    sql`select start_at from bus.draw('somebody', null, 1, 0, 5000, 500)`,
    sql`select start_at from bus.claim('somebody')`,
    sql`select bus.horizon()`,
    sql`select name from bus.look_back_at('{somebody}')`,
    sql`select from bus.outbox where bus.leads()`,
  ];
  for (const question of questions) await before.query(question);
  await before.close();
  const { location } = leader;
  await leader.stop();
  await writeFile(join(location, 'standby.signal'), '');
  const standby = stack.use(await startEmbedded({ dataDir: folder }));
  const client = new pg.Client({ connectionString: standby.adminUrl });
  await client.connect();
  stack.defer(async () => client.end());
  for (const { text, values } of questions)
    await assert.rejects(client.query(text, [...values]), { code: '25006' }, text);
});
