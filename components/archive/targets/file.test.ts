import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { ArchiveConflict, type ArchiveTarget } from './target.ts';
import { behavesAsArchive, readAll } from './fixtures/behaviour.ts';
import { openTarget } from './open.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steward-archive-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const open = (name: string, immutable = false): Promise<ArchiveTarget> =>
  openTarget({
    address: `file:${join(folder, name)}`,
    immutable,
    accept: 'write-once',
    retentionDays: 1,
    s3: { endpoint: undefined, region: 'us-east-1', credentials: undefined },
  });

/** A process that puts `bytes` bytes at a/big, started by a shell that first does `before`. */
function child(name: string, bytes: number, before = ':'): ReturnType<typeof spawn> {
  const script = join(import.meta.dirname, '../fixtures/archive-writer.ts');
  return spawn(
    'sh',
    ['-c', `${before}; exec "$0" "$@"`, process.execPath, script, join(folder, name), 'a/big', `${bytes}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}

describe('an archive in a folder', () => {
  behavesAsArchive(() => open('common'));

  test('says what it was seen to enforce', async () => {
    await using target = await open('probed');
    const powers = await target.probe();
    assert.deepEqual(powers, {
      kind: 'file',
      writeOnce: true,
      by: 'link',
      tried: { nameTakenOnce: true, readBack: true, readOnly: true },
    });
    assert.deepEqual(await readdir(join(folder, 'probed', '.tmp')), []);
  });

  // Of Linux: a file system that says that what was just made is not there.
  if (process.platform === 'linux')
    test('refuses a place where no folder can be made, at once', async () => {
      await using target = await openTarget({
        address: 'file:/proc/steward/archive',
        immutable: false,
        accept: 'write-once',
        retentionDays: 1,
        s3: { endpoint: undefined, region: 'us-east-1', credentials: undefined },
      });
      await assert.rejects(target.probe(), /No folder can be made at \/proc\/steward/);
    });

  test('gives objects and folders no rights they do not need', async () => {
    await using target = await open('modes');
    const source = join(folder, 'modes-source');
    await writeFile(source, 'rows', { mode: 0o666 });
    await target.put('t/2026/03/01.manifest.json', Buffer.from('{}'));
    await target.put('t/2026/03/01.jsonl', { file: source });
    const mode = async (path: string): Promise<number> => (await lstat(join(folder, 'modes', path))).mode & 0o777;
    assert.equal(await mode('t/2026/03/01.manifest.json'), 0o444);
    assert.equal(await mode('t/2026/03/01.jsonl'), 0o444);
    assert.equal((await mode('t/2026')) & 0o027, 0);
    assert.equal((await mode('.tmp')) & 0o077, 0);
  });

  test('makes a file on the same file system the object itself, without a copy', async () => {
    await using target = await open('linked');
    const source = join(folder, 'linked-source');
    await writeFile(source, 'rows');
    await target.put('rows', { file: source });
    assert.equal((await lstat(join(folder, 'linked/rows'))).ino, (await lstat(source)).ino);
  });

  test('refuses a source, and an object, that is a symbolic link', async () => {
    await using target = await open('symbolic');
    await target.put('real', Buffer.from('same'));
    await symlink(join(folder, 'symbolic/real'), join(folder, 'symbolic/alias'));
    await assert.rejects(target.put('alias', Buffer.from('same')), ArchiveConflict);
    await assert.rejects(target.put('other', { file: join(folder, 'symbolic/alias') }), { code: 'ELOOP' });
    assert.deepEqual(await target.history('other'), []);
  });

  test('a process killed while it writes leaves nothing under a final name, and the next run stores it', async () => {
    const writer = child('killed', 400_000_000);
    await once(writer.stdout!, 'data');
    const temporary = join(folder, 'killed/.tmp');
    while ((await readdir(temporary).catch(() => [])).length === 0) await new Promise(setImmediate);
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    await using target = await open('killed');
    assert.deepEqual(await Array.fromAsync(target.list('')), []);
    await target.put('a/big', Buffer.from('whole'));
    assert.equal(String(await readAll(target, 'a/big')), 'whole');
  });

  test('a disk that takes no more is said with its mend, leaves nothing, and the next run stores it', async () => {
    const starved = child('starved', 4_000_000, 'ulimit -f 8');
    const [said] = await Promise.all([text(starved.stdout!), once(starved, 'exit')]);
    assert.match(said, /Storing a\/big failed in the archive file:.*raise the limit \(EFBIG\)/);
    assert.deepEqual(await readdir(join(folder, 'starved')), ['.tmp']);
    assert.deepEqual(await readdir(join(folder, 'starved/.tmp')), []);
    const fed = child('starved', 4_000_000);
    assert.match(await text(fed.stdout!), /stored/);
    await using target = await open('starved');
    assert.equal((await readAll(target, 'a/big'))?.length, 4_000_000);
  });

  test('what a crash left is removed once it is old; what another process may still write is not', async () => {
    const temporary = join(folder, 'swept/.tmp');
    await mkdir(temporary, { recursive: true });
    const [old, fresh, foreign] = ['0'.repeat(24), '1'.repeat(24), 'notes.txt'].map((name) => join(temporary, name));
    for (const file of [old, fresh, foreign]) await writeFile(file!, 'half');
    await using target = await open('swept');
    for (const file of [old, foreign]) await utimes(file!, 0, 0);
    await target.put('a', Buffer.from('x'));
    assert.deepEqual((await readdir(temporary)).toSorted(), ['1'.repeat(24), 'notes.txt']);
  });

  test('the immutable bit is set where it can be, and what is said about it is true', async () => {
    await using target = await open('immutable', true);
    const source = join(folder, 'immutable-source');
    await writeFile(source, 'rows');
    const powers = await target.probe();
    await target.put('a/rows', { file: source });
    await target.put('a/rows', Buffer.from('rows'));
    await unlink(source);
    const removed = await unlink(join(folder, 'immutable/a/rows')).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'EPERM',
    );
    assert.equal(powers.tried['immutable'], !removed);
    assert.equal(powers.by, removed ? 'link' : 'link+immutable');
    await target.expire('a/rows');
    assert.equal(await target.read('a/rows', 9), undefined);
    assert.deepEqual(await readdir(join(folder, 'immutable/.tmp')), []);
  });

  test('stores on after somebody removed the folder under it', async () => {
    await using target = await open('removed');
    await target.put('a/b', Buffer.from('x'));
    await rm(join(folder, 'removed'), { recursive: true });
    await target.put('a/b', Buffer.from('x'));
    assert.equal(String(await readAll(target, 'a/b')), 'x');
  });

  test('names the address where a file stands in the way', async () => {
    await writeFile(join(folder, 'occupied'), '');
    await using target = await open('occupied');
    await assert.rejects(target.probe(), /occupied/);
  });

  test('forgets an object whose time has come, and does not mind that it is gone', async () => {
    await using target = await open('expired');
    await target.put('a/b', Buffer.from('x'));
    await target.expire('a/b');
    await target.expire('a/b');
    assert.deepEqual(await Array.fromAsync(target.list('')), []);
  });

  test('an address that names no place is refused with how to write one', async () => {
    for (const address of ['file:relative', '/tmp/x', 'ftp://x', 's3://']) {
      const settings = { address, immutable: false, accept: 'anything', retentionDays: 1 } as const;
      const s3 = { endpoint: undefined, region: 'us-east-1', credentials: undefined };
      await assert.rejects(openTarget({ ...settings, s3 }), /give file:\/absolute\/folder or s3:\/\/bucket\/prefix/);
    }
  });
});
