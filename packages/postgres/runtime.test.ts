import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { libraryLinks } from './library-links.ts';
import { installation } from './test-installation.ts';
import { holder, sql, temporaryFolder } from './test-world.ts';

const isRoot = process.getuid?.() === 0;
// root may write everywhere: its stand-in is a user that owns nothing here
const as = isRoot ? { uid: 65_534, gid: 65_534 } : {};

void test('an installation without library links', async (t) => {
  const folder = temporaryFolder(t);
  const installed = installation(folder);
  const links = libraryLinks(installed.native);
  const missing = (): boolean => links.some(({ path }) => lstatSync(path, { throwIfNoEntry: false }) === undefined);
  assert.ok(links.length > 0 && missing());

  await t.test('serves where it cannot be written to, from a copy in the data folder', async (t) => {
    const lib = join(installed.native, 'lib');
    chmodSync(lib, 0o555);
    t.after(() => chmodSync(lib, 0o755));
    const dataDir = temporaryFolder(t);
    chmodSync(dataDir, 0o777);
    const started = await holder(t, dataDir, { program: installed.code('test-holder.ts'), ...as }).next();
    assert.deepEqual(await sql(started.adminUrl ?? '', "SELECT upper('ä')"), [['Ä']]);
    assert.equal(missing(), true);
    assert.equal(readdirSync(dataDir).filter((name) => /^postgresql-18\.[^.]+/.test(name)).length, 1);
  });

  await t.test('gets its links on simultaneous first starts', async () => {
    const program = `
      import { execFileSync } from 'node:child_process';
      const { prepareRuntime } = await import(process.argv[1]);
      const { initdb } = await prepareRuntime('/', undefined);
      console.log(execFileSync(initdb, ['--version'], { encoding: 'utf8' }));`;
    const args = ['--input-type=module', '--eval', program, installed.code('runtime.ts')];
    const answers = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, args)));
    for (const { stdout } of answers) assert.match(stdout, /^initdb \(PostgreSQL\) 18/);
    assert.equal(missing(), false);
  });
});
