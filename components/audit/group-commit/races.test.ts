import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@steward/sql';
import { verifyChains } from '@steward/verification';
import { createWorld, sample, type World } from '../fixtures/world.ts';

describe('the group commit', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  const sound = async (): Promise<void> => {
    const { findings } = await verifyChains({ ownerUrl: world.database.ownerUrl });
    assert.deepEqual(findings, []);
  };
  const keysOf = async (tenant: string): Promise<string[]> => {
    const rows = await world.admin.query<{ key: string }>(
      sql`select key from audit.idempotency where tenant_id = ${tenant}`,
    );
    return rows.map(({ key }) => key).toSorted();
  };

  test('numbers the events of many callers, tenants and two processes without a gap', async () => {
    const [one, two] = [world.process(), world.process()];
    const tenants = await Promise.all([one.tenant(), one.tenant(), one.tenant()]);
    await Promise.all(
      Array.from({ length: 600 }, async (_, n) => {
        const { audit, as } = n % 2 === 0 ? one : two;
        return audit.ingest(as(tenants[n % 3] ?? '', 'alice'), sample(), 'snake');
      }),
    );
    const rows = await world.admin.query<{ last: bigint; count: bigint }>(
      sql`select max(sequence) as last, count(*) as count from audit.event where tenant_id = any(${tenants}::uuid[]) group by tenant_id`,
    );
    assert.deepEqual(
      rows.map(({ last, count }) => [last, count]),
      [
        [201n, 201n],
        [201n, 201n],
        [201n, 201n],
      ],
    );
    await sound();
  });

  test('makes one event of one key sent to two processes at once', async () => {
    const [one, two] = [world.process(), world.process()];
    const tenant = await one.tenant();
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const { audit, as } = n % 2 === 0 ? one : two;
        return audit.ingest(as(tenant, 'alice'), sample({ idempotency_key: 'one-for-both' }), 'snake');
      }),
    );
    assert.equal(new Set(answers.map(({ event }) => event.sequence)).size, 1);
    assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
  });

  test('lets one event that the database refuses fail its own caller only', async () => {
    const { audit, as, tenant } = world.process();
    const here = await tenant();
    await world.admin.query(sql`alter table audit.event add constraint no_poison check (event not like '%poison%')`);
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, n) =>
        audit.ingest(as(here, 'alice'), sample({ source: n === 7 ? 'poison' : 'fine' }), 'snake'),
      ),
    );
    await world.admin.query(sql`alter table audit.event drop constraint no_poison`);
    assert.deepEqual(
      answers.flatMap(({ status }, n) => (status === 'rejected' ? [n] : [])),
      [7],
    );
    await sound();
  });

  test('holds up nobody else while one head is locked, and appends there once it is free', async () => {
    const { audit, as, tenant, pool } = world.process();
    const [held, open] = [await tenant(), await tenant()];
    const order: string[] = [];
    await world.admin.withClient(async (client) => {
      await client.query('begin');
      await client.query('select from audit.head where tenant_id = $1 for update', [held]);
      const waiting = Promise.all(
        Array.from({ length: 5 }, async () =>
          audit.ingest(as(held, 'alice'), sample(), 'snake').then(() => order.push('held')),
        ),
      );
      for (let n = 0; n < 5; n += 1) {
        await audit.ingest(as(open, 'alice'), sample(), 'snake');
        order.push('open');
      }
      await client.query('commit');
      await waiting;
    });
    assert.deepEqual(order, [...Array<string>(5).fill('open'), ...Array<string>(5).fill('held')]);
    assert.ok(pool);
    await sound();
  });

  test('answers everybody through a storm of terminated connections, and stores each event once', async () => {
    const { audit, as, tenant } = world.process();
    const here = await tenant();
    const over = new AbortController();
    const seen = { answered: 0, atLastCut: -1, cuts: 0 };
    // Every 40 ms, and however slow the machine, not before somebody was answered since the last cut: what a backend
    // cannot finish in the time it is left, nobody can.
    const storm = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await sleep(seen.cuts === 0 ? 0 : 40);
        while (seen.answered === seen.atLastCut && !over.signal.aborted) await sleep(5);
        seen.atLastCut = seen.answered;
        seen.cuts += 1;
        await world.admin.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'steward' and usename like '%_login' and datname = current_database()`);
      }
    };
    const storming = storm();
    const keys: string[] = [];
    let keyless = 0;
    await Promise.all(
      Array.from({ length: 8 }, async (_, caller) => {
        for (let n = 0; n < 100; n += 1) {
          const key = `storm-${caller}-${String(n).padStart(3, '0')}`;
          const keyed = n % 2 === 0;
          await audit.ingest(as(here, 'alice'), sample(keyed ? { idempotency_key: key } : {}), 'snake');
          seen.answered += 1;
          if (keyed) keys.push(key);
          else keyless += 1;
        }
      }),
    );
    over.abort();
    await storming;
    assert.ok(seen.cuts > 4, `only ${seen.cuts} cuts`);
    assert.deepEqual(await keysOf(here), keys.toSorted());
    const [row] = await world.admin.query<{ count: bigint }>(
      sql`select count(*) as count from audit.event where tenant_id = ${here}`,
    );
    assert.equal(Number(row?.count), 1 + keys.length + keyless);
    await sound();
  });

  test('keeps every acknowledged event when processes are killed in the middle, and answers their retries', async () => {
    const tenant = await world.process().tenant();
    const acknowledged = new Map<string, string>();
    for (let life = 0; life < 3; life += 1) {
      const child = fork(
        new URL('../fixtures/feeder.ts', import.meta.url),
        [world.database.appUrl, tenant, world.dataDir, String(life)],
        {
          stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        },
      );
      const enough = Promise.withResolvers<void>();
      child.on('message', (message) => {
        const { key, id } = message as { key: string; id: string };
        acknowledged.set(key, id);
        if (acknowledged.size >= (life + 1) * 150) enough.resolve();
      });
      child.on('exit', () => enough.resolve());
      await enough.promise;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    }
    assert.ok(acknowledged.size >= 450, `only ${acknowledged.size} were acknowledged`);
    const { audit, as } = world.process();
    for (const [key, id] of acknowledged) {
      const { event, replayed } = await audit.ingest(as(tenant, 'alice'), sample({ idempotency_key: key }), 'snake');
      assert.ok(replayed, key);
      assert.equal(event.envelope.id, id);
    }
    await sound();
  });
});
