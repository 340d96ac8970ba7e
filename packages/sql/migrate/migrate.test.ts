import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ConfigError } from '@steward/kernel';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { jobRole, migrate, openPool, requireBoundLogin, requireCurrent, sql } from '../index.ts';

describe('migrations', () => {
  let folder: string;
  let db: TestDatabase;
  const source = () => [{ component: 'shop', folder: pathToFileURL(`${folder}/migrations/`) }];
  const run = async (): Promise<number> => migrate({ ownerUrl: db.ownerUrl, appLogins: [], sources: source() });
  const put = async (name: string, text: string): Promise<void> => writeFile(join(folder, 'migrations', name), text);
  const putFunction = async (name: string, text: string): Promise<void> =>
    writeFile(join(folder, 'functions', name), text);

  before(async () => {
    db = await createTestDatabase([]);
  });
  after(async () => db[Symbol.asyncDispose]());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-migrate-'));
    await mkdir(join(folder, 'migrations'));
    await mkdir(join(folder, 'functions'));
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    await admin.query(sql`drop schema if exists shop cascade`);
    await admin.query(sql`delete from platform.migration`);
    await admin.query(sql`delete from platform.function`);
    await put(
      '001-tables.sql',
      'create schema shop; create table shop.a (x int); grant usage on schema shop to {{app}}, {{job:clerk}}; grant select on shop.a to {{job:clerk}};',
    );
    return async () => rm(folder, { recursive: true });
  });

  const refuses = async (work: Promise<unknown>, about: RegExp): Promise<void> => {
    await assert.rejects(work, (error: unknown) => error instanceof ConfigError && about.test(error.message));
  };

  test('are applied once, by however many processes start at once', async () => {
    const applied = await Promise.all([run(), run(), run(), run()]);
    assert.deepEqual(applied.toSorted(), [0, 0, 0, 1]);
    await put('002-more.sql', 'create table shop.b (x int);');
    assert.equal(await run(), 1);
    assert.equal(await run(), 0);
  });

  test('of a database that no release made are refused with what to do', async () => {
    await run();
    // Several migrations were folded into the first before it was released.
    await put('002-more.sql', 'create table shop.b (x int);');
    await run();
    await rm(join(folder, 'migrations', '002-more.sql'));
    await put('001-tables.sql', 'create schema shop;');
    const begin = /never released \(its shop\/001-tables\.sql differs\) and cannot be upgraded: export .* begin anew/;
    await refuses(run(), begin);
    await refuses(requireCurrent(db.appUrl, source()), begin);
  });

  test('leave nothing behind when one fails, and are tried again', async () => {
    await run();
    await put('002-broken.sql', 'create table shop.b (x int); select 1/0;');
    await assert.rejects(run(), /002-broken\.sql failed: division by zero/);
    await put('002-broken.sql', 'create table shop.b (x int);');
    assert.equal(await run(), 1);
  });

  test('are required to be current where no owner login is configured', async () => {
    await refuses(
      requireCurrent(db.appUrl, source()),
      /lacks 1 migrations and 0 files of functions: set DATABASE_OWNER_URL/,
    );
    await run();
    await requireCurrent(db.appUrl, source());
  });

  test('a numbering gap is refused', async () => {
    await put('003-gap.sql', 'select 1');
    await assert.rejects(run(), /expected number 2/);
  });

  const counts = (answer: number): string => `
    create or replace function shop.count_all() returns int
    language sql security definer set search_path = shop, pg_temp as $$ select shop.helper() + ${answer} $$;
    alter function shop.count_all() owner to {{job:clerk}};
    revoke execute on function shop.count_all() from public;
    grant execute on function shop.count_all() to {{app}};
    create or replace trigger kept before delete on shop.a for each statement execute function shop.helped();`;
  const helper = `
    create or replace function shop.helper() returns int language sql as $$ select count(*)::int from shop.a $$;
    create or replace function shop.helped() returns trigger language plpgsql as $$ begin return null; end $$;`;

  async function counted(): Promise<unknown> {
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const [row] = await admin.query(sql`
      select shop.count_all() as answer, proowner::regrole::text as owner,
        has_schema_privilege(proowner, 'shop', 'create') as creates, has_function_privilege(${`${db.name}_app`}, p.oid, 'execute') as called
      from pg_proc p where oid = 'shop.count_all'::regproc`);
    return { ...row };
  }
  const owned = () => ({ owner: jobRole(db.name, 'clerk'), creates: false, called: true });

  test('come with the functions beside them, which are applied again when their file changes and keep owner and grants', async () => {
    // By name the first one needs what the second one makes.
    await putFunction('another.sql', helper);
    await putFunction('count.sql', counts(1));
    assert.equal(await run(), 3);
    assert.deepEqual(await counted(), { answer: 1, ...owned() });
    assert.equal(await run(), 0);
    await putFunction('count.sql', counts(2));
    await refuses(requireCurrent(db.appUrl, source()), /lacks 0 migrations and 1 files of functions/);
    assert.equal(await run(), 1);
    assert.deepEqual(await counted(), { answer: 2, ...owned() });
    await requireCurrent(db.appUrl, source());
  });

  test('and functions are applied together or not at all', async () => {
    await run();
    await put('002-more.sql', 'create table shop.b (x int);');
    await putFunction('another.sql', 'create or replace function shop.f() returns');
    await assert.rejects(run(), /functions shop\/another\.sql failed: syntax error/);
    await putFunction('another.sql', 'create or replace function shop.f() returns int language sql as $$ select 1 $$;');
    assert.equal(await run(), 2);
  });

  test('drop functions, whose file is then forgotten', async () => {
    await putFunction('another.sql', helper);
    await run();
    await rm(join(folder, 'functions', 'another.sql'));
    await put('002-no-helper.sql', 'drop function shop.helper(), shop.helped();');
    assert.equal(await run(), 1);
    await putFunction('another.sql', helper);
    assert.equal(await run(), 1);
  });

  describe('that a newer version applied', () => {
    test('are not missed, and its functions are left alone', async () => {
      await putFunction('another.sql', helper);
      await putFunction('count.sql', counts(2));
      await put('002-more.sql', 'create table shop.b (x int);');
      await run();
      // The version before had neither the second migration nor these words of the function.
      await rm(join(folder, 'migrations', '002-more.sql'));
      await putFunction('count.sql', counts(1));
      assert.equal(await run(), 0);
      await requireCurrent(db.appUrl, source());
      assert.deepEqual(await counted(), { answer: 2, ...owned() });
    });

    test('are told by the release that applied functions, too', async () => {
      await putFunction('another.sql', helper);
      await putFunction('count.sql', counts(2));
      await run();
      await using admin = openPool({ url: db.adminUrl, size: 1 });
      for (const [release, answer] of [
        ['0.0.99', 1],
        ['999.0.0-dev', 1],
      ] as const) {
        await admin.query(sql`update platform.function set release = ${release} where name = 'another.sql'`);
        await putFunction('count.sql', counts(release === '0.0.99' ? 1 : 3));
        await run();
        assert.deepEqual(await counted(), { answer, ...owned() }, release);
      }
      await requireCurrent(db.appUrl, source());
    });

    test('are refused where they lack one that this version needs', async () => {
      await put('002-more.sql', 'create table shop.b (x int);');
      await run();
      await using admin = openPool({ url: db.adminUrl, size: 1 });
      await admin.query(sql`update platform.migration set component = 'elsewhere' where number = 2`);
      await refuses(run(), /a newer version has brought it up, and it lacks shop\/002-more\.sql/);
    });
  });

  test('of a database from before 0.1.0 are refused with what to do', async () => {
    await using old = await createTestDatabase([]);
    await using admin = openPool({ url: old.adminUrl, size: 1 });
    await admin.query(sql`drop table platform.function`);
    const begin = /made before 0\.1\.0 and cannot be upgraded: export .* begin anew/;
    await refuses(migrate({ ownerUrl: old.ownerUrl, appLogins: [], sources: source() }), begin);
    await refuses(requireCurrent(old.appUrl, source()), begin);
  });

  test('an application login that row-level security would not bind is refused', async () => {
    await requireBoundLogin(db.appUrl);
    await run();
    await refuses(requireBoundLogin(db.ownerUrl), /owns tables/);
    await refuses(requireBoundLogin(db.adminUrl), /is a superuser/);
  });
});
