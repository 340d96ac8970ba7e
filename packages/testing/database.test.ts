import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { createTestDatabase, templatesVariable, type TestDatabase } from './index.ts';

let folder: string;
let make: () => Promise<TestDatabase>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steward-copies-'));
  await mkdir(join(folder, 'migrations'));
  await writeFile(
    join(folder, 'migrations', '001-tables.sql'),
    'create schema shop; grant usage on schema shop to {{app}};',
  );
  make = async () => {
    const outside = process.env[templatesVariable];
    process.env[templatesVariable] = 'yes';
    const making = createTestDatabase([{ component: 'shop', folder: pathToFileURL(`${folder}/migrations/`) }]);
    process.env[templatesVariable] = outside ?? '';
    return making;
  };
});
after(async () => rm(folder, { recursive: true }));

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return ((await client.query(text)).rows[0] as { answer?: unknown } | undefined)?.answer;
  } finally {
    await client.end();
  }
}

test('a later database of the same migrations has the name of one that is gone, nothing of it, and other passwords', async () => {
  const first = await make();
  await ask(first.ownerUrl, 'create table shop.left_behind ()');
  await first[Symbol.asyncDispose]();
  await using second = await make();
  assert.equal(second.name, first.name);
  assert.equal(await ask(second.appUrl, `select to_regclass('shop.left_behind') as answer`), null);
  assert.equal(await ask(second.appUrl, `select has_schema_privilege('shop', 'usage') as answer`), true);
  for (const url of [first.appUrl, first.ownerUrl])
    await assert.rejects(ask(url, 'select'), (error: pg.DatabaseError) => error.code === '28P01');
  await using beside = await make();
  assert.notEqual(beside.name, second.name);
});

test('whose roles were changed has no later one', async () => {
  const taken: string[] = [];
  for (const change of [
    (name: string) => `alter role ${name}_login set work_mem = '1MB'`,
    (name: string) => `alter role ${name}_login connection limit 1`,
    (name: string) => `create role ${name}_job_other`,
    (name: string) => `grant pg_monitor to ${name}_login`,
    (name: string) => `revoke ${name}_app from ${name}_login`,
  ]) {
    const db = await make();
    assert.ok(!taken.includes(db.name));
    taken.push(db.name);
    await ask(db.adminUrl, change(db.name));
    await db[Symbol.asyncDispose]();
  }
});
