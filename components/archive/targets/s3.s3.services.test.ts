import assert from 'node:assert/strict';
import { GetObjectRetentionCommand } from '@aws-sdk/client-s3';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ArchiveConflict, type ArchiveTarget } from './target.ts';
import { behavesAsArchive, readAll } from './fixtures/behaviour.ts';
import { createBuckets } from './fixtures/buckets.ts';
import { openTarget } from './open.ts';
import { createS3Target } from './s3/target.ts';

const day = 24 * 60 * 60 * 1000;
const buckets = createBuckets();
const { settings } = buckets;
let locked: string;
before(async () => {
  locked = await buckets.create('locked');
});
after(() => buckets.client.destroy());

const open = (bucket: string, prefix = 'common'): Promise<ArchiveTarget> =>
  openTarget(settings(`s3://${bucket}/${prefix}`));
const isDone = (): boolean => true;
const isNotDone = (): boolean => false;

describe('a bucket with Object Lock', () => {
  behavesAsArchive(() => open(locked));

  test('is seen to keep what it is given', async () => {
    await using target = await open(locked, 'probed');
    const { kind, writeOnce, by, tried } = await target.probe();
    assert.deepEqual({ kind, writeOnce, by }, { kind: 's3', writeOnce: true, by: 'object-lock-compliance' });
    for (const name of ['versions', 'lock', 'lockShown', 'shorteningRefused', 'weakeningRefused', 'deletionRefused']) {
      assert.equal(tried[name], true, name);
    }
    assert.equal(tried['readBack'], true);
    for (const name of ['replacingRefused', 'wrongMd5Refused', 'wrongSha256Refused']) {
      assert.equal(typeof tried[name], 'boolean', name);
    }
    assert.deepEqual(await Array.fromAsync(target.list('')), []);
  });

  test('locks each version for as long as it is told, against everyone', async () => {
    await using target = await open(locked, 'kept');
    const version = await target.put('a', Buffer.from('kept'));
    const { Retention } = await buckets.client.send(
      new GetObjectRetentionCommand({ Bucket: locked, Key: 'kept/a', VersionId: version }),
    );
    assert.equal(Retention?.Mode, 'COMPLIANCE');
    const days = ((Retention?.RetainUntilDate?.getTime() ?? 0) - Date.now()) / day;
    assert.ok(days > 1.9 && days < 2.1, `${days} days`);
    await assert.rejects(buckets.remove(locked, 'kept/a', version), { name: 'AccessDenied' });
    await buckets.remove(locked, 'kept/a');
    await assert.rejects(target.expire('a'), /Removing a failed in the archive s3:.*AccessDenied/);
    assert.equal((await target.history('a')).length, 2);
    assert.equal(String(await readAll(target, 'a')), 'kept');
  });

  test('locks what is there already without a lock', async () => {
    await using target = await open(locked, 'copied');
    const { VersionId } = await buckets.put(locked, 'copied/a', 'brought by other means');
    assert.equal(await target.put('a', Buffer.from('brought by other means')), VersionId);
    await assert.rejects(buckets.remove(locked, 'copied/a', VersionId), { name: 'AccessDenied' });
  });

  test('a newer version on top takes nothing’s place, and shows', async () => {
    await using target = await open(locked, 'covered');
    const version = await target.put('a', Buffer.from('genuine'));
    const { VersionId: newer } = await buckets.put(locked, 'covered/a', 'forged!');
    assert.equal(String(await readAll(target, 'a')), 'genuine');
    assert.equal(String(await readAll(target, 'a', newer)), 'forged!');
    assert.deepEqual(await target.history('a'), [
      { version: newer, deleteMarker: false, bytes: 7 },
      { version, deleteMarker: false, bytes: 7 },
    ]);
    assert.equal(await target.put('a', Buffer.from('genuine')), version);
    await assert.rejects(target.put('a', Buffer.from('forged!')), ArchiveConflict);
    assert.equal((await target.history('a')).length, 2);
  });

  test('a delete marker hides nothing, and shows', async () => {
    await using target = await open(locked, 'hidden');
    const version = await target.put('a', Buffer.from('genuine'));
    const { VersionId: marker } = await buckets.remove(locked, 'hidden/a');
    assert.equal(String(await readAll(target, 'a')), 'genuine');
    assert.deepEqual(await Array.fromAsync(target.list('')), ['a']);
    assert.equal(await target.put('a', Buffer.from('genuine')), version);
    assert.deepEqual(await target.history('a'), [
      { version: marker, deleteMarker: true, bytes: 0 },
      { version, deleteMarker: false, bytes: 7 },
    ]);
    assert.equal(await target.read('a', 99, marker), undefined);
  });

  test('a version that never was is nothing', async () => {
    await using target = await open(locked, 'unknown');
    const version = await target.put('a', Buffer.from('x'));
    await target.put('b', Buffer.from('y'));
    assert.equal(await target.read('b', 99, version), undefined);
    assert.equal(await target.read('a', 99, 'no version'), undefined);
  });

  test('an object whose time has come is removed with all that lies on it', async () => {
    await using target = createS3Target({ ...settings(`s3://${locked}/expired`), retentionDays: 1000 / day });
    await target.put('a', Buffer.from('short-lived'));
    await buckets.remove(locked, 'expired/a');
    const expired = (): Promise<boolean> => target.expire('a').then(isDone, isNotDone);
    while (!(await expired())) await setTimeout(100);
    assert.deepEqual(await target.history('a'), []);
    await target.expire('a');
  });

  test('lists more than one page of versions', async () => {
    await using target = createS3Target(settings(`s3://${locked}/paged`), { page: 3 });
    const paths = ['pa', 'pb', 'pc', 'pc.d', 'pe'];
    for (const path of paths) for (let n = 0; n < 4; n += 1) await buckets.put(locked, `paged/${path}`, `${path} ${n}`);
    await buckets.remove(locked, 'paged/pe');
    assert.deepEqual(await Array.fromAsync(target.list('')), paths);
    assert.deepEqual(await Array.fromAsync(target.list('pc')), ['pc', 'pc.d']);
    const history = await target.history('pc');
    assert.equal(history.length, 4);
    assert.equal(String(await readAll(target, 'pc', history[0]?.version)), 'pc 3');
    assert.equal(String(await readAll(target, 'pc')), 'pc 0');
    assert.deepEqual(
      (await target.history('pe')).map(({ deleteMarker }) => deleteMarker),
      [true, false, false, false, false],
    );
  });
});
