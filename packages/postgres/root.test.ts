import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { giveTree } from './create.ts';
import { startEmbedded } from './start.ts';
import { installation } from './test-installation.ts';
import { holder, sql, temporaryFolder } from './test-world.ts';

if (process.getuid?.() === 0) {
  void test('root in a home that nobody else can enter', async (t) => {
    const home = temporaryFolder(t);
    chmodSync(home, 0o700);
    const dataDir = join(home, 'steward', '.data');
    const installed = installation(home);
    let location = '';
    let programs = '';
    t.after(() => {
      if (location === '') return;
      const shared = dirname(dirname(location));
      rmSync(dirname(location), { recursive: true, force: true });
      if (programs.startsWith(`${shared}/`)) rmSync(programs, { recursive: true, force: true });
      if (readdirSync(shared).length === 0) rmdirSync(shared);
    });

    await t.test('gets a server under an account of its own, at a place that this account can reach', async (t) => {
      const first = holder(t, dataDir, { program: installed.code('test-holder.ts') });
      const told = await first.next();
      location = told.location ?? '';
      programs = dirname(dirname(readlinkSync(`/proc/${told.pid}/exe`)));
      const owner = statSync(location);
      assert.notEqual(owner.uid, 0);
      assert.equal(owner.mode & 0o777, 0o700);
      assert.equal(`${location} ${programs}`.includes(home), false);
      await sql(told.adminUrl ?? '', 'CREATE TABLE kept (id int)', 'INSERT INTO kept VALUES (1)');
      assert.equal(statSync(home).mode & 0o777, 0o700);
      await first.kill();
    });

    await t.test('finds its data again on the next start', async () => {
      await using server = await startEmbedded({ dataDir });
      assert.equal(server.created, false);
      assert.equal(server.location, location);
      assert.deepEqual(await sql(server.adminUrl, 'SELECT id FROM kept'), [[1]]);
    });

    await t.test('is told when the data is missing, instead of getting an empty database', async () => {
      renameSync(location, `${location}.away`);
      await assert.rejects(startEmbedded({ dataDir }), { code: 'data_dir_unusable', message: /is missing: bring/ });
      renameSync(`${location}.away`, location);
    });

    await t.test('cannot start a second server through a copy of the data folder', async () => {
      await using server = await startEmbedded({ dataDir });
      const copy = temporaryFolder(t);
      symlinkSync(server.location, join(copy, 'postgres'));
      await assert.rejects(startEmbedded({ dataDir: copy }), { code: 'data_dir_in_use', pid: process.pid });
      assert.deepEqual(await sql(server.adminUrl, 'SELECT 1'), [[1]]);
    });

    await t.test(
      'serves the data folder of another user as that user, and leaves no files of root there',
      async (t) => {
        const theirs = temporaryFolder(t);
        const moved = join(theirs, 'postgres');
        cpSync(location, moved, { recursive: true });
        const them = { uid: 12_345, gid: 12_345 };
        await giveTree(theirs, them);
        await (await startEmbedded({ dataDir: theirs })).stop();
        // The copy of the binaries, made where the checkout cannot be reached, is root's and for everyone to read.
        const own = readdirSync(theirs).filter((name) => !name.startsWith('postgresql-'));
        for (const name of own) assert.equal(lstatSync(join(theirs, name)).uid, them.uid, name);

        // as a copy made by root leaves it
        await giveTree(moved, { uid: 0, gid: 0 });
        await using server = await startEmbedded({ dataDir: theirs });
        assert.equal(statSync(moved).uid, them.uid);
        assert.deepEqual(await sql(server.adminUrl, 'SELECT id FROM kept'), [[1]]);
      },
    );
  });
}
