import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Problem } from '@steward/kernel';
import { createDatabaseProxy, createTestDatabase, type DatabaseProxy, type TestDatabase } from '@steward/testing';
import { mostPrepared } from '../query-all.ts';
import { connectTo, openPool, sql, statement, inTransaction, type SqlPool } from '../index.ts';
import { hostsOf } from './hosts.ts';

const unavailable = (error: unknown): boolean => error instanceof Problem && error.code === 'unavailable';
const count = async (pool: SqlPool): Promise<number> =>
  Number((await pool.query(sql`select count(*)::int as n from pg_prepared_statements`))[0]?.['n']);

describe('connections to the database', () => {
  let db: TestDatabase;
  let proxy: DatabaseProxy;
  before(async () => {
    db = await createTestDatabase([]);
    proxy = await createDatabaseProxy(db.ownerUrl);
  });
  after(async () => {
    await proxy[Symbol.asyncDispose]();
    await db[Symbol.asyncDispose]();
  });

  test('keep what is sent again and again prepared, and no more than so many statements in all', async () => {
    await using pool = openPool({ url: db.ownerUrl, size: 1 });
    const parsed = async (): Promise<unknown> =>
      (
        await pool.query(
          sql`select prepare_time::text as at from pg_prepared_statements where statement like '%again and again%' order by 1`,
        )
      )[0]?.['at'];
    await pool.query(sql`select 'again and again'`);
    const first = await parsed();
    for (let n = 0; n < mostPrepared * 2; n += 1) {
      await pool.query(statement(`select ${n}`));
      if (n % 50 === 0) await pool.query(sql`select 'again and again'`);
      // What fails in the round trip that closes the oldest ones leaves both sides agreed on what there is.
      if (n % 20 === 0)
        await assert.rejects(pool.queryAll([statement(`select ${n} as a`), statement(`select ${n} / 0`)]));
    }
    assert.equal(await parsed(), first);
    assert.ok((await count(pool)) <= mostPrepared);
    for (let n = 0; n < mostPrepared * 2; n += 1) await pool.query(statement(`select ${n} as a`));
    // More in one round trip than are kept: the next one sees to it.
    await pool.queryAll(Array.from({ length: mostPrepared + 20 }, (_, n) => statement(`select ${n} as b`)));
    assert.ok((await count(pool)) <= mostPrepared);
    await pool.pipeline(async (send) =>
      Promise.all(Array.from({ length: mostPrepared * 2 }, async (_, n) => send(statement(`select ${n} as c`)))),
    );
    assert.ok((await count(pool)) <= mostPrepared);
  });

  test('to which nothing comes any more are given up by a deadline, and those of their time with them', async () => {
    await using pool = openPool({ url: proxy.through(db.ownerUrl), size: 3, statementMilliseconds: 200 });
    await Promise.all([1, 2, 3].map(async () => pool.query(sql`select pg_sleep(0.05)`)));
    assert.deepEqual(pool.counts, { held: 0, waiting: 0, idle: 3, lent: 0 });
    proxy.stall();
    const writing = inTransaction(pool, [], async (tx) => tx.query(sql`select 1`));
    await assert.rejects(writing, unavailable);
    assert.deepEqual(pool.counts, { held: 0, waiting: 0, idle: 0, lent: 0 });
    proxy.resume();
    assert.deepEqual(await pool.read(sql`select 2 as n`), [{ n: 2 }]);
  });

  test('that the server has not got are waited for, by whoever is over its limit', async () => {
    const name = new URL(db.appUrl).username;
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    await admin.query(statement(`alter role ${name} connection limit 2`));
    await using pool = openPool({ url: db.appUrl, size: 6 });
    const rows = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => pool.query(sql`select pg_sleep(0.05), ${n}::int as n`)),
    );
    assert.deepEqual(
      rows.map(([row]) => row?.['n']),
      Array.from({ length: 12 }, (_, n) => n),
    );
    await admin.query(statement(`alter role ${name} connection limit -1`));
  });

  test('are fresh after one met a transaction that the server had ended or may not write in', async () => {
    await using pool = openPool({ url: db.ownerUrl, size: 1 });
    await pool.query(sql`create table kept (n int)`);
    let tries = 0;
    await inTransaction(pool, [], async (tx) => {
      tries += 1;
      if (tries === 1) await tx.query(sql`set transaction read only`);
      await tx.query(sql`insert into kept values (${tries})`);
    });
    tries = 0;
    await inTransaction(pool, [], async (tx) => {
      tries += 1;
      if (tries === 1) {
        await tx.query(sql`set local idle_in_transaction_session_timeout = 20`);
        await new Promise((resolve) => setTimeout(resolve, 120));
      }
      await tx.query(sql`insert into kept values (${tries * 10})`);
    });
    assert.deepEqual(await pool.query(sql`select n from kept order by n`), [{ n: 2 }, { n: 20 }]);
  });

  test('of which the answer to a write is lost leave it unknown; what may run twice goes on', async () => {
    await using pool = openPool({ url: proxy.through(db.ownerUrl), size: 1 });
    await pool.query(sql`create table written (n int)`);
    const unknown = { code: 'outcome_unknown', status: 503 };
    proxy.loseCommit('INSERT 0 1');
    await assert.rejects(pool.query(sql`insert into written values (1)`), unknown);
    proxy.loseCommit('INSERT 0 1');
    await assert.rejects(
      pool.pipeline(async (send) => send(sql`insert into written values (2)`)),
      unknown,
    );
    proxy.loseCommit('SELECT 2');
    assert.deepEqual(await pool.read(sql`select n from written order by n`), [{ n: 1 }, { n: 2 }]);
    proxy.cut();
    proxy.lead('postgres://127.0.0.1:1/none');
    await pool.read(sql`select 1`).catch(() => undefined);
    await assert.rejects(pool.query(sql`insert into written values (3)`), unavailable);
    proxy.lead(db.ownerUrl);
  });

  test('of a command wait as long as the server is at work, and no longer', async () => {
    const client = await connectTo(proxy.through(db.ownerUrl), { applicationName: 'test', silence: 300 });
    await client.query('select pg_sleep(0.5)');
    proxy.stall();
    proxy.lead('postgres://127.0.0.1:1/none');
    await assert.rejects(client.query('select 1'), /terminated/);
    proxy.lead(db.ownerUrl);
    proxy.resume();
  });

  test('say of a statement beyond its time, and of a lock that others hold, that nothing was done and what to do', async () => {
    await using pool = openPool({ url: db.ownerUrl, size: 2, statementMilliseconds: 100 });
    await pool.query(sql`create table slow (n int)`);
    const slowly = inTransaction(pool, [], async (tx) => {
      await tx.query(sql`insert into slow values (1)`);
      return tx.query(sql`select pg_sleep(30)`);
    });
    const late = { code: 'deadline_exceeded', status: 503, message: /nothing was done.*fewer lines/ };
    await assert.rejects(slowly, late);
    await assert.rejects(pool.read(sql`select pg_sleep(30)`), late);
    await assert.rejects(pool.queryAll([sql`insert into slow values (2)`, sql`select pg_sleep(30)`]), late);
    assert.deepEqual(await pool.query(sql`select n from slow`), []);
    await pool.query(sql`create table locked (n int)`);
    await inTransaction(pool, [], async (tx) => {
      await tx.query(sql`lock table locked`);
      const waiting = inTransaction(pool, [], async (other) => {
        await other.query(sql`set local lock_timeout = 10`);
        return other.query(sql`lock table locked`);
      });
      await assert.rejects(waiting, { code: 'unavailable', status: 503, message: /Another request holds/ });
    });
  });

  test('wait for the disk as the server says, whatever the login was told, which anybody with it can', async () => {
    const name = new URL(db.ownerUrl).username;
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    await admin.query(statement(`alter role ${name} set synchronous_commit = off`));
    try {
      await using pool = openPool({ url: db.ownerUrl, size: 1 });
      const said = await pool.query(sql`select current_setting('synchronous_commit') as value`);
      assert.deepEqual(said, [{ value: 'on' }]);
    } finally {
      await admin.query(statement(`alter role ${name} reset synchronous_commit`));
    }
  });

  test('have time-outs of the server’s own against machines that are gone, and compile no statement, whatever the server’s defaults', async () => {
    await using pool = openPool({ url: db.ownerUrl, size: 1 });
    const rows =
      await pool.query(sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone, current_setting('jit') as jit`);
    assert.deepEqual(rows, [{ statement: '15s', lock: '10s', idle: '30s', zone: 'UTC', jit: 'off' }]);
  });
});

test('an address names several servers, as libpq reads it', () => {
  assert.deepEqual(
    hostsOf('postgres://u:p%40@one,two:5433,[::1]:5434/db?target_session_attrs=read-write&sslmode=require'),
    [
      'postgres://u:p%40@one/db?sslmode=require',
      'postgres://u:p%40@two:5433/db?sslmode=require',
      'postgres://u:p%40@[::1]:5434/db?sslmode=require',
    ],
  );
  assert.deepEqual(hostsOf('postgres:///db?host=%2Frun'), ['postgres:///db?host=%2Frun']);
  for (const bad of ['mysql://one/db', 'postgres://one,,two/db', 'postgres://one:x/db'])
    assert.throws(() => hostsOf(bad), /must be postgres:/, bad);
  assert.throws(() => hostsOf('postgres://one/db?target_session_attrs=standby'), /takes writes/);
});
