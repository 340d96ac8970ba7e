import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@steward/kernel';
import { type EmbeddedServer, startEmbedded } from '@steward/postgres';
import { openPool, sql, type SqlPool, inTransaction } from '../index.ts';

const unknown = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'outcome_unknown' && error.status === 503;

describe('a commit that the standby it waits for does not confirm', () => {
  let folder: string;
  let server: EmbeddedServer;
  let admin: SqlPool;
  let pool: SqlPool;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-unconfirmed-'));
    server = await startEmbedded({ dataDir: folder });
    admin = openPool({ url: server.adminUrl, size: 1 });
    pool = openPool({ url: server.adminUrl, size: 2 });
    await admin.query(sql`create table kept (what text)`);
    await admin.query(sql`alter system set synchronous_standby_names = 'absent'`);
    await admin.query(sql`select pg_reload_conf()`);
    // The checkpointer tells the others, once it has read the configuration.
    for (let waits = false; !waits;) {
      const { done } = writing(pool.query(sql`insert into kept values ('before')`));
      waits = (await Promise.race([done.then(() => 'done'), waiting()])) !== 'done';
      if (waits) await release('pg_cancel_backend');
      await done;
    }
  });
  after(async () => {
    await pool?.close();
    await admin?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const writing = (write: Promise<unknown>): { readonly done: Promise<unknown> } => ({
    done: write.catch(() => undefined),
  });
  const waiting = async (): Promise<number> => {
    for (;;) {
      const [row] = await admin.read<{ pid: number }>(
        sql`select pid from pg_stat_activity where wait_event = 'SyncRep'`,
      );
      if (row !== undefined) return row.pid;
      await sleep(10);
    }
  };
  const release = async (how: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> => {
    const pid = await waiting();
    await admin.read(
      how === 'pg_cancel_backend'
        ? sql`select pg_cancel_backend(${pid}::int)`
        : sql`select pg_terminate_backend(${pid}::int)`,
    );
  };
  const stored = async (what: string): Promise<number> =>
    Number((await admin.read(sql`select count(*)::int as n from kept where what = ${what}`))[0]?.['n']);

  const ways: readonly [string, (what: string, other?: SqlPool) => Promise<unknown>][] = [
    [
      'of a transaction',
      async (what, by = pool) => inTransaction(by, [], async (tx) => tx.query(sql`insert into kept values (${what})`)),
    ],
    [
      'of a transaction whose statements travel with it',
      async (what, by = pool) =>
        inTransaction(by, [], async (tx) => tx.later(sql`insert into kept values (${what})`), { unseen: true }),
    ],
    [
      'of statements in one round trip',
      async (what, by = pool) => by.queryAll([sql`insert into kept values (${what})`, sql`select 1`]),
    ],
    [
      'of a pipeline',
      async (what, by = pool) => by.pipeline(async (send) => send(sql`insert into kept values (${what})`)),
    ],
  ];
  for (const [of, write] of ways) {
    for (const how of ['pg_cancel_backend', 'pg_terminate_backend'] as const)
      test(`${of} is neither done nor failed where the server is told ${how}`, async () => {
        const what = `${of} ${how}`;
        let told = 0;
        const answered = assert.rejects(
          write(what).then(() => (told += 1)),
          unknown,
        );
        await release(how);
        await answered;
        assert.equal(told, 0);
        assert.equal(await stored(what), 1);
        // The next one on a connection is judged by itself.
        assert.deepEqual(await pool.queryAll([sql`select 1 as n`]), [[{ n: 1 }]]);
      });

    test(`${of} is neither done nor failed where we wait no longer`, async () => {
      await using brief = openPool({ url: server.adminUrl, size: 1, statementMilliseconds: 1_000 });
      await assert.rejects(write(`${of} late`, brief), unknown);
      // The server waits on by itself.
      await release('pg_cancel_backend');
      while ((await stored(`${of} late`)) === 0) await sleep(10);
    });
  }
});
