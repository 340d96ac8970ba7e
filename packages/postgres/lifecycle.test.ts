import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAlive } from './processes.ts';
import { startEmbedded } from './start.ts';
import { sql, temporaryFolder } from './test-world.ts';

void test('an embedded server', async (t) => {
  const folder = temporaryFolder(t);
  let dataDir = join(folder, 'not', 'there', 'yet');

  await t.test('is created on the first start and keeps its data over a restart', async () => {
    const first = await startEmbedded({ dataDir });
    assert.equal(first.created, true);
    assert.equal(first.location, join(dataDir, 'postgres'));
    await sql(first.adminUrl, 'CREATE TABLE kept (id int)', 'INSERT INTO kept VALUES (1)');
    await first.stop();
    assert.equal(isAlive(first.pid), false);

    await using second = await startEmbedded({ dataDir });
    assert.deepEqual([second.created, second.recovered], [false, false]);
    assert.deepEqual(await sql(second.adminUrl, 'SELECT id FROM kept'), [[1]]);
    assert.equal(second.adminUrl, first.adminUrl);
  });

  await t.test('orders text by its bytes, checks its pages, loses no commit and tells the time in UTC', async () => {
    await using server = await startEmbedded({ dataDir });
    const ordered = await sql(
      server.adminUrl,
      `SELECT string_agg(w, '' ORDER BY w) FROM unnest('{b,é,A,a,Z}'::text[]) w`,
    );
    assert.deepEqual(ordered, [['AZabé']]);
    const names = ['server_encoding', 'data_checksums', 'fsync', 'synchronous_commit', 'full_page_writes', 'TimeZone'];
    const values = await sql(server.adminUrl, `SELECT ${names.map((name) => `current_setting('${name}')`).join()}`);
    assert.deepEqual(values, [['UTF8', 'on', 'on', 'on', 'on', 'UTC']]);
  });

  await t.test('listens on its own socket only and asks for the password that only its user can read', async () => {
    await using server = await startEmbedded({ dataDir });
    assert.deepEqual(await sql(server.adminUrl, 'SHOW listen_addresses'), [['']]);
    assert.equal(statSync(join(server.location, 'steward.password')).mode & 0o777, 0o600);
    assert.equal(statSync(server.location).mode & 0o777, 0o700);
    const wrong = new URL(server.adminUrl);
    wrong.password = 'guess';
    await assert.rejects(sql(wrong.href, 'SELECT 1'), { code: '28P01' });
  });

  await t.test('refuses a second start while it runs, and a stop twice is a stop once', async () => {
    const server = await startEmbedded({ dataDir });
    await assert.rejects(startEmbedded({ dataDir }), { code: 'data_dir_in_use', pid: process.pid });
    assert.deepEqual(await sql(server.adminUrl, 'SELECT 1'), [[1]]);
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
  });

  await t.test('says that it was killed, and recovers every commit on the next start', async () => {
    const killed = await startEmbedded({ dataDir });
    await sql(killed.adminUrl, 'INSERT INTO kept VALUES (2)');
    process.kill(killed.pid, 'SIGKILL');
    assert.match(await killed.died, new RegExp(`process id ${killed.pid}.*SIGKILL`));
    await killed.stop();

    await using server = await startEmbedded({ dataDir });
    assert.equal(server.recovered, true);
    assert.deepEqual(await sql(server.adminUrl, 'SELECT id FROM kept ORDER BY id'), [[1], [2]]);
  });

  await t.test('starts where its process id was given to somebody else', async () => {
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(dataDir, 'postgres')}\n`);
    await using server = await startEmbedded({ dataDir });
    assert.deepEqual(await sql(server.adminUrl, 'SELECT 1'), [[1]]);
  });

  await t.test('leaves nothing running and the folder free when its start is aborted', async () => {
    for (const moment of ['before', 'while']) {
      const abort = new AbortController();
      if (moment === 'before') abort.abort(new Error('changed my mind'));
      const starting = startEmbedded({ dataDir, signal: abort.signal });
      abort.abort(new Error('changed my mind'));
      await assert.rejects(starting, { message: 'changed my mind' });
    }
    assert.equal(readdirSync(join(dataDir, 'postgres')).includes('postmaster.pid'), false);
    await (await startEmbedded({ dataDir })).stop();
  });

  await t.test('is served over the loopback where its path is too long for a socket', async () => {
    const long = join(folder, 'x'.repeat(100));
    renameSync(dataDir, long);
    dataDir = long;
    await using server = await startEmbedded({ dataDir });
    assert.equal(new URL(server.adminUrl).hostname, '127.0.0.1');
    assert.deepEqual(await sql(server.adminUrl, 'SHOW listen_addresses'), [['127.0.0.1']]);
  });

  await t.test('tells why PostgreSQL gave up', async () => {
    const settings = join(dataDir, 'postgres', 'postgresql.conf');
    const before = readFileSync(settings);
    appendFileSync(settings, '\nmax_connections = many\n');
    await assert.rejects(startEmbedded({ dataDir }), {
      code: 'start_failed',
      message: /configuration file.*postgres\.log/,
    });
    writeFileSync(settings, before);
  });

  await t.test('refuses the data of another major version', async () => {
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '16\n');
    await assert.rejects(startEmbedded({ dataDir }), { code: 'wrong_version', message: /PostgreSQL 16.*DATABASE_URL/ });
  });
});

void test('a folder that holds something else than a database is left as it is', async (t) => {
  const dataDir = temporaryFolder(t);
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres', 'diary.txt'), 'dear diary');
  await assert.rejects(startEmbedded({ dataDir }), { code: 'data_dir_unusable', message: /in the way/ });
  assert.deepEqual(readdirSync(join(dataDir, 'postgres')), ['diary.txt']);
});
