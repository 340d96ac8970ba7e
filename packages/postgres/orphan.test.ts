import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAlive, processesIn } from './processes.ts';
import { startEmbedded } from './start.ts';
import { holder, sql, temporaryFolder, until } from './test-world.ts';

void test('an interrupted creation is not seen by the next start, and nothing of it stays', async (t) => {
  const dataDir = temporaryFolder(t);
  const stagingFolders = (): string[] => readdirSync(dataDir).filter((name) => name.startsWith('.postgres-creating-'));
  const isCreating = (): boolean => stagingFolders().some((name) => existsSync(join(dataDir, name, 'cluster', 'base')));

  const killed = holder(t, dataDir);
  await until(() => stagingFolders().length > 0);
  await until(isCreating);
  await killed.kill();

  const abort = new AbortController();
  const starting = startEmbedded({ dataDir, signal: abort.signal });
  const [left = ''] = stagingFolders();
  await until(() => stagingFolders().length > 0 && !stagingFolders().includes(left) && isCreating());
  abort.abort(new Error('changed my mind'));
  await assert.rejects(starting, { message: 'changed my mind' });
  assert.deepEqual(stagingFolders(), []);
  assert.deepEqual(await processesIn(dataDir), []);
});

void test('one process at a time has a data folder', async (t) => {
  const dataDir = temporaryFolder(t);
  const starts = [1, 2, 3].map(() => holder(t, dataDir));
  const answers = await Promise.all(starts.map((start) => start.next()));
  const at = answers.findIndex(({ adminUrl }) => adminUrl !== undefined);
  const winner = { process: starts[at], told: answers[at] };
  assert.ok(winner.process && winner.told?.adminUrl && winner.told.pid);

  await t.test('of simultaneous starts one wins, and the others name it in one sentence', () => {
    const losers = answers.filter((_, index) => index !== at);
    for (const loser of losers) {
      assert.equal(loser.code, 'data_dir_in_use');
      assert.equal(loser.holder, winner.process?.child.pid);
      assert.match(loser.message ?? '', new RegExp(`^[^.\n]+ process id ${loser.holder}: [^\n]+\\.$`));
    }
    assert.equal(losers.length, 2);
  });

  await t.test('a signal to the process group does not reach the server', async () => {
    assert.ok(winner.process?.child.pid && winner.told?.adminUrl);
    process.kill(-winner.process.child.pid, 'SIGINT');
    assert.deepEqual(await winner.process.next(), { interrupted: true });
    await sql(winner.told.adminUrl, 'CREATE TABLE kept (id int)', 'INSERT INTO kept VALUES (1)');
  });

  await t.test('the server of a killed process is ended in order by the next start, and its data kept', async () => {
    assert.ok(winner.told?.pid && winner.process);
    await winner.process.kill();
    assert.equal(isAlive(winner.told.pid), true);
    await using server = await startEmbedded({ dataDir });
    assert.equal(isAlive(winner.told.pid), false);
    assert.equal(server.recovered, false);
    assert.deepEqual(await sql(server.adminUrl, 'SELECT id FROM kept'), [[1]]);
  });

  await t.test('backends that outlive a killed server do not block the next start', async () => {
    const killed = holder(t, dataDir);
    const { pid = 0, adminUrl = '' } = await killed.next();
    // a backend that waits for nothing does not notice that its server is gone
    const busy = assert.rejects(sql(adminUrl, 'DO $$ BEGIN LOOP PERFORM 1; END LOOP; END $$'));
    const running = "SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE 'DO %' AND state = 'active'";
    while ((await sql(adminUrl, running))[0]?.[0] !== 1);
    process.kill(pid, 'SIGKILL');
    await killed.kill();
    await using server = await startEmbedded({ dataDir });
    await busy;
    assert.equal(server.recovered, true);
    assert.deepEqual(await sql(server.adminUrl, 'SELECT id FROM kept'), [[1]]);
  });
});
