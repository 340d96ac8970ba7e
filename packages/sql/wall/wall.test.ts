import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { newId } from '@steward/kernel';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { createTenancy, openPool, platformMigrations, sql, type SqlPool, type TenantScope } from '../index.ts';
import { createWall, raiseWall, replaceWall } from './wall.ts';

const schema = `
create schema shop;
grant usage on schema shop to {{app}};
create table shop.rule (says text not null);
grant select, insert, update, delete on shop.rule to {{app}};`;
const trigger =
  'create or replace trigger walled before insert or update or delete on shop.rule for each statement execute function platform.refuse_others();';
const [ours, theirs] = [createWall(Buffer.alloc(32, 1)), createWall(Buffer.alloc(32, 2))];
const refused = /shop\.rule is written by the application alone/;

describe('a table that the application alone writes', () => {
  let folder: string;
  let db: TestDatabase;
  let pool: SqlPool;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-wall-'));
    await mkdir(join(folder, 'migrations'));
    await mkdir(join(folder, 'functions'));
    await writeFile(join(folder, 'migrations', '001-rules.sql'), schema);
    await writeFile(join(folder, 'functions', 'walled.sql'), trigger);
    const shop = { component: 'shop', folder: pathToFileURL(`${folder}/migrations/`) };
    db = await createTestDatabase([platformMigrations, shop]);
    pool = openPool({ url: db.appUrl, size: 2 });
  });
  after(async () => {
    await pool.close();
    await db[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const write = { name: 'rules.write', roles: new Set(['owner']) };
  const scope = (wall = ours): TenantScope => {
    const alice = { type: 'user', id: 'alice' } as const;
    const none = async (): Promise<void> => undefined;
    const openTenant = () => sql`select 'owner' as role`;
    return createTenancy({ pool, wall, openTenant, append: none, publish: none })
      .context({ tenant: newId(), chain: [alice], subject: alice, caller: alice, requestId: 'r', correlationId: 'c' })
      .require(write);
  };
  const add = sql`insert into shop.rule values ('anything goes')`;

  test('is anybody’s until the wall is raised, and the application’s from then on', async () => {
    await pool.query(add);
    await raiseWall(db.appUrl, ours);
    await raiseWall(db.appUrl, ours);
    for (const statement of [add, sql`update shop.rule set says = 'nothing goes'`, sql`delete from shop.rule`])
      await assert.rejects(pool.query(statement), refused);
    await assert.rejects(
      scope().write(async (tx) => tx.query(add)),
      refused,
    );
    await scope().write(async (tx) => {
      await tx.mark();
      await tx.query(add);
    });
    assert.equal((await pool.query(sql`select from shop.rule`)).length, 2);
  });

  test('is not opened by another key, by no mark, or by the mark of another transaction', async () => {
    await assert.rejects(
      scope(theirs).write(async (tx) => {
        await tx.mark();
        await tx.query(add);
      }),
      refused,
    );
    let kept = '';
    await scope().write(async (tx) => {
      await tx.mark();
      const [row] = await tx.query<{ mark: string }>(sql`select current_setting('app.mark') as mark`);
      kept = row?.mark ?? '';
    });
    assert.match(kept, /^[0-9a-f]{64}$/);
    for (const mark of [kept, '', 'ff'])
      await assert.rejects(
        scope().write(async (tx) => {
          await tx.query(sql`select set_config('app.mark', ${mark}, true)`);
          await tx.query(add);
        }),
        refused,
      );
    await assert.rejects(pool.query(sql`select * from platform.wall`), /permission denied/);
    await assert.rejects(pool.query(sql`delete from platform.wall`), /permission denied/);
  });

  test('is marked anew after a savepoint was gone back to', async () => {
    await scope().write(async (tx) => {
      await tx.query(sql`savepoint before`);
      await tx.mark();
      await tx.query(add);
      await tx.query(sql`rollback to savepoint before`);
      await tx.mark();
      await tx.query(add);
    });
  });

  test('keeps its key until whoever owns the database lets another in', async () => {
    await assert.rejects(
      raiseWall(db.appUrl, theirs),
      /SECRET_KEY .* is not the one that this database is served with/,
    );
    await pool.query(sql`select platform.raise_wall(${Buffer.alloc(32, 2)}::bytea)`);
    await raiseWall(db.appUrl, ours);
    await assert.rejects(replaceWall(db.appUrl, theirs), /permission denied/);
    await replaceWall(db.ownerUrl, theirs);
    await raiseWall(db.appUrl, theirs);
    await assert.rejects(raiseWall(db.appUrl, ours), /SECRET_KEY/);
    await replaceWall(db.ownerUrl, ours);
  });
});
