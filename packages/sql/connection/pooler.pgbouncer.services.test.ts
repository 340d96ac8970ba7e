import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConfigError, Problem } from '@steward/kernel';
import { createTestDatabase, poolerVersion, startPooler, type TestDatabase } from '@steward/testing';
import { connectTo, openPool, requireBoundLogin, sql, statement, inTransaction } from '../index.ts';

const program = process.env['PGBOUNCER_PATH'] ?? '';
const { version, able } = poolerVersion(program);

describe(`behind PgBouncer ${version}, which gives each transaction a connection`, () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase([]);
  });
  after(async () => db[Symbol.asyncDispose]());
  const start = async (login: string, more: string) => startPooler(program, login, `default_pool_size = 2\n${more}`);

  const refused = (about: RegExp) => (error: unknown) => error instanceof ConfigError && about.test(error.message);

  test('without prepared statements of each client’s own a start is refused in one sentence, again and again', async () => {
    await using pooler = await start(db.appUrl, able ? 'max_prepared_statements = 0' : '');
    for (let n = 0; n < 3; n += 1)
      await assert.rejects(requireBoundLogin(pooler.url), refused(/use PgBouncer 1\.21 or newer/));
    await using pool = openPool({ url: pooler.url });
    await assert.rejects(
      pool.query(sql`select 1`),
      (error: unknown) => error instanceof Problem && error.code === 'unavailable',
    );
  });

  test('the owner’s login is refused: migrating takes a session of its own', async () => {
    await using pooler = await start(db.ownerUrl, '');
    await assert.rejects(
      connectTo(pooler.url, { applicationName: 'test' }),
      refused(/DATABASE_OWNER_URL leads to a pooler/),
    );
  });

  if (!able) return;

  test('more clients than it has connections read, write and share plans, with time-outs of the login', async () => {
    const login = new URL(db.appUrl).username;
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const prepared = 'max_prepared_statements = 250';
    {
      await using pooler = await start(db.appUrl, prepared);
      await assert.rejects(
        requireBoundLogin(pooler.url),
        refused(/lacks statement_timeout, lock_timeout, idle_in_transaction_session_timeout/),
      );
    }
    for (const setting of ["statement_timeout = '15s'", "lock_timeout = '10s'", "timezone = 'UTC'", 'jit = off'])
      await admin.query(statement(`alter role ${login} set ${setting}`));
    await admin.query(statement(`alter role ${login} set idle_in_transaction_session_timeout = '30s'`));
    await admin.query(statement('create table kept (n int)'));
    await admin.query(statement(`grant all on kept to ${login}`));
    await using pooler = await start(db.appUrl, prepared);
    await requireBoundLogin(pooler.url);
    await using one = openPool({ url: pooler.url, size: 6 });
    await using other = openPool({ url: pooler.url, size: 6 });
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) =>
        inTransaction(
          n % 2 === 0 ? one : other,
          [sql`select set_config('app.tenant_id', ${String(n)}, true)`],
          async (tx) => {
            await tx.query(sql`insert into kept values (${n}::int)`);
            const [row] = await tx.query(sql`select current_setting('app.tenant_id') as tenant`);
            assert.equal(row?.['tenant'], String(n));
          },
        ),
      ),
    );
    const [row] = await one.read(
      sql`select count(*)::int as n, current_setting('statement_timeout') as most from kept`,
    );
    assert.deepEqual(row, { n: 60, most: '15s' });
    // More than a connection keeps: closing them is the pooler's to pass on.
    for (let n = 0; n < 450; n += 1) await one.query(statement(`select ${n}`));
    assert.deepEqual(
      await one.pipeline(async (send) => Promise.all([1, 2, 3].map(async (n) => send(sql`select ${n}::int as n`)))),
      [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]],
    );
  });
});
