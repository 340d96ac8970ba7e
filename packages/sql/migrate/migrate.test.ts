import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ConfigError } from '@steward/kernel';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { migrate, openPool, requireBoundLogin, requireCurrent, sql } from '../index.ts';

describe('migrations', () => {
  let folder: string;
  let db: TestDatabase;
  const source = () => [{ component: 'shop', folder: pathToFileURL(`${folder}/`) }];
  const run = async (): Promise<number> => migrate({ ownerUrl: db.ownerUrl, appLogins: [], sources: source() });
  const put = async (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

  before(async () => {
    db = await createTestDatabase([]);
  });
  after(async () => db[Symbol.asyncDispose]());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-migrate-'));
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    await admin.query(sql`drop schema if exists shop cascade`);
    await admin.query(sql`delete from platform.migration`);
    await put(
      '001-tables.sql',
      'create schema shop; create table shop.a (x int); grant usage on schema shop to {{app}};',
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

  test('are refused when the history in the database differs', async () => {
    await run();
    await put('001-tables.sql', 'create schema shop;');
    await refuses(run(), /changed after it was applied/);
    await rm(join(folder, '001-tables.sql'));
    await refuses(run(), /does not know/);
  });

  test('leave nothing behind when one fails, and are tried again', async () => {
    await run();
    await put('002-broken.sql', 'create table shop.b (x int); select 1/0;');
    await assert.rejects(run(), /002-broken\.sql failed: division by zero/);
    await put('002-broken.sql', 'create table shop.b (x int);');
    assert.equal(await run(), 1);
  });

  test('are required to be current where no owner login is configured', async () => {
    await refuses(requireCurrent(db.appUrl, source()), /lacks 1 migrations: set DATABASE_OWNER_URL/);
    await run();
    await requireCurrent(db.appUrl, source());
  });

  test('a numbering gap is refused', async () => {
    await put('003-gap.sql', 'select 1');
    await assert.rejects(run(), /expected number 2/);
  });

  test('an application login that row-level security would not bind is refused', async () => {
    await requireBoundLogin(db.appUrl);
    await run();
    await refuses(requireBoundLogin(db.ownerUrl), /owns tables/);
    await refuses(requireBoundLogin(db.adminUrl), /is a superuser/);
  });
});
