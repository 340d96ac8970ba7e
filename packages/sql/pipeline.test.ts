import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { openPool, sql, type SqlPool } from './index.ts';

describe('a pipeline', () => {
  let db: TestDatabase;
  let pool: SqlPool;
  before(async () => {
    db = await createTestDatabase([]);
    pool = openPool({ url: db.ownerUrl, size: 1 });
    await pool.query(sql`create table step (n int primary key)`);
  });
  after(async () => {
    await pool.close();
    await db[Symbol.asyncDispose]();
  });

  test('runs statements in the order sent, each a transaction of its own', async () => {
    const outcomes = await pool.pipeline(async (send) =>
      Promise.allSettled([1, 2, 1, 3].map(async (n) => send(sql`insert into step values (${n}) returning n`))),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await pool.query(sql`select n from step order by n`), [{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test('gives up its connection when it is left before everything is answered', async () => {
    const pid = async (): Promise<unknown> => (await pool.query(sql`select pg_backend_pid() as pid`))[0]?.['pid'];
    const before = await pid();
    await pool.pipeline(async (send) => {
      void send(sql`select pg_sleep(30)`).catch(() => undefined);
    });
    assert.notEqual(await pid(), before);
  });
});
