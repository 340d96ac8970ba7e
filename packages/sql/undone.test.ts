import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Problem } from '@steward/kernel';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { inTransaction, openPool, sql, type SqlPool, type Statement } from './index.ts';

describe('what the database undoes for the sake of others', () => {
  let db: TestDatabase;
  let pool: SqlPool;
  before(async () => {
    db = await createTestDatabase([]);
    pool = openPool({ url: db.ownerUrl, size: 1 });
    await pool.query(sql`
      create function fails(state text) returns void language plpgsql as
      $body$ begin raise exception 'others were first' using errcode = state; end $body$`);
  });
  after(async () => {
    await pool.close();
    await db[Symbol.asyncDispose]();
  });

  for (const state of ['40P01', '40001']) {
    const failing = (): Statement => sql`select fails(${state})`;
    const refusal = { code: 'unavailable', status: 503, headers: { 'retry-after': '2' } };

    test(`is tried again, and refused with when to ask again where that does not help (${state})`, async () => {
      const pid = async (): Promise<unknown> => (await pool.query(sql`select pg_backend_pid() as pid`))[0]?.['pid'];
      const before = await pid();
      let tries = 0;
      const work = async (failures: number) =>
        inTransaction(pool, [], async (tx) => {
          tries += 1;
          if (tries <= failures) await tx.query(failing());
          return tries;
        });
      assert.equal(await work(2), 3);
      tries = 0;
      await assert.rejects(work(Infinity), (error) => error instanceof Problem && match(error, refusal));
      assert.equal(await pid(), before, 'the connection is as good as before');
    });

    test(`is refused so of statements of their own (${state})`, async () => {
      for (const ask of [
        async () => pool.query(failing()),
        async () => pool.read(failing()),
        async () => pool.pipeline(async (send) => send(failing())),
      ])
        await assert.rejects(ask(), (error) => error instanceof Problem && match(error, refusal));
    });
  }

  const match = ({ code, status, headers }: Problem, expected: object): boolean => {
    assert.deepEqual({ code, status, headers }, expected);
    return true;
  };
});
