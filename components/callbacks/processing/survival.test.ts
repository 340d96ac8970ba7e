import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded, type EmbeddedServer } from '@steward/postgres';
import { Problem } from '@steward/kernel';
import { openPool, sql, type SqlPool, type Statement } from '@steward/sql';
import { clusterVariable } from '@steward/testing';
import { stripeEvent } from '../fixtures/world.ts';

const times = Number(process.env['LONG_RUNS'] ?? 1);
/** 10,000 of them by `npm run test:long`. */
const count = times === 1 ? 160 : 500 * times;
const kinds = 20;
const things = Math.ceil(count / 12);

/** The same each time: what fails is seen again by its seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Prepared {
  readonly appUrl: string;
  readonly adminUrl: string;
  readonly tenants: readonly [string, string];
  readonly connections: readonly [string, string];
}

describe('what providers report', { timeout: 300_000 * times }, () => {
  const stack = new AsyncDisposableStack();
  let dataDir: string;
  let database: EmbeddedServer;
  let prepared: Prepared;
  let admin: SqlPool;
  let child: ChildProcess;
  let port = 0;

  const program = (...args: string[]): ChildProcess =>
    fork(new URL('../fixtures/survivor.ts', import.meta.url), args, {
      env: { ...process.env, [clusterVariable]: database.adminUrl },
    });
  const serve = async (): Promise<void> => {
    child = program('serve', prepared.appUrl, dataDir);
    [port] = (await once(child, 'message')) as [number];
  };
  const killServer = async (): Promise<void> => {
    if (child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const killDatabase = async (): Promise<void> => {
    process.kill(database.pid, 'SIGKILL');
    await database.died;
    await database.stop();
    database = await startEmbedded({ dataDir });
  };

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'steward-callbacks-'));
    await chmod(dataDir, 0o711);
    database = await startEmbedded({ dataDir });
    stack.defer(async () => {
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    await using first = openPool({ url: database.adminUrl, size: 1 });
    // A server that is killed loses nothing of it: the machine does not end.
    await first.query(sql`alter system set fsync = off`);
    await first.query(sql`select pg_reload_conf()`);
    [prepared] = (await once(program('prepare', '', dataDir), 'message')) as [Prepared];
    admin = stack.use(openPool({ url: prepared.adminUrl, size: 2 }));
    await serve();
    stack.defer(async () => killServer());
  });
  after(async () => stack.disposeAsync());

  /** As a provider does: until it is taken. */
  const send = async (body: string, connection: string): Promise<void> => {
    for (;;) {
      const taken = await fetch(`http://127.0.0.1:${port}/${connection}`, { method: 'POST', body }).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (taken) return;
      await sleep(50);
    }
  };
  const all = async (bodies: readonly string[], connection: string, most: number, sent = async (_n: number) => {}) => {
    let next = 0;
    const sender = async (): Promise<void> => {
      while (next < bodies.length) {
        const n = next++;
        await Promise.all([send(bodies[n] ?? '', connection), sent(n)]);
      }
    };
    await Promise.all(Array.from({ length: most }, sender));
  };
  /** The database is killed too, and workers hold the same rows in another order. */
  const untilDone = async (statement: Statement): Promise<void> => {
    for (;;) {
      try {
        await admin.query(statement);
        return;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        await sleep(50);
      }
    }
  };
  /** What waits for a lease or for another try need not wait for it here. */
  const settled = async (tenant: string): Promise<void> => {
    for (;;) {
      const [row] = await admin.query<{ left: number }>(sql`
        select count(*)::int as left from callbacks.delivery where tenant_id = ${tenant}::uuid and status = 'waiting'`);
      if (row?.left === 0) return;
      await untilDone(
        sql`update callbacks.delivery set next_at = clock_timestamp() where tenant_id = ${tenant}::uuid and status = 'waiting' and begun = 0`,
      );
      await sleep(100);
    }
  };
  /** Leases end at once, of whoever was killed and of whoever lives. */
  const endLeases = async (): Promise<void> =>
    untilDone(sql`update callbacks.delivery set next_at = clock_timestamp() where status = 'waiting' and begun > 0`);
  const stateOf = async (tenant: string) => ({
    deliveries: await admin.query(sql`
      select event_id, status, became::text as became from callbacks.delivery where tenant_id = ${tenant}::uuid order by event_id, status`),
    effects: await admin.query(sql`
      select event_id, resource, amount from callbacks_fixture.effect where tenant_id = ${tenant}::uuid order by event_id, number`),
    states: await admin.query(sql`
      select name, version, value from callbacks_fixture.state where tenant_id = ${tenant}::uuid order by name`),
    log: await admin.query(sql`
      select event::json ->> 'sourceEventId' as source, type, count(*)::int as events from audit.event
      where tenant_id = ${tenant}::uuid and type in ('callbacks.delivery.applied', 'callbacks.delivery.ignored') group by 1, 2 order by 1, 2`),
  });

  test(`${count} events of ${kinds} kinds come to the same in any order, twice, with server and database killed, as in order and in peace`, async () => {
    const seed = 20_261_127;
    const draw = random(seed);
    const ordered = Array.from({ length: count }, (_one, n) =>
      stripeEvent(`evt_${String(n).padStart(5, '0')}`, {
        type: `thing.${n % kinds}`,
        created: 1_790_000_000 + n,
        amount: n,
        data: { object: { id: `ob_${Math.floor(draw() * things)}` } },
      }),
    );
    const [disturbed, calm] = prepared.tenants;
    const shuffled = [...ordered, ...ordered.filter(() => draw() < 0.2)]
      .map((body) => ({ body, at: draw() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ body }) => body);
    const kills = new Map<number, () => Promise<void>>();
    for (const [part, kill] of [
      [0.2, killServer],
      [0.5, killDatabase],
      [0.75, killServer],
    ] as const)
      kills.set(Math.floor(shuffled.length * part), kill);
    await all(shuffled, prepared.connections[0], 8, async (n) => {
      const kill = kills.get(n);
      // As if a worker were too slow: another takes what it is still at.
      if (n % 10 === 0) await endLeases();
      if (kill === undefined) return;
      await kill();
      if (kill === killServer) await serve();
      await endLeases();
    });
    await settled(disturbed);
    await all(ordered, prepared.connections[1], 1);
    await settled(calm);
    const [one, other] = [await stateOf(disturbed), await stateOf(calm)];
    assert.deepEqual(one, other, `seed ${seed}`);
    assert.equal(one.deliveries.length, count);
    assert.equal(one.log.length, count);
    assert.ok(one.deliveries.every(({ status }) => status === 'applied' || status === 'ignored'));
    assert.ok(one.states.length > 0 && one.effects.length > count / 2);
  });
});
