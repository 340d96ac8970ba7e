import assert from 'node:assert/strict';
import { GetObjectRetentionCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { ArchiveConflict, type ArchiveTarget } from '../target.ts';
import { behavesAsArchive, readAll } from './fixtures/behaviour.ts';
import { createBuckets } from './fixtures/buckets.ts';
import { startFaultyProxy, type Fault, type FaultyProxy } from './fixtures/faulty-proxy.ts';
import { openTarget } from './open.ts';
import { createS3Target } from './s3/target.ts';

const buckets = createBuckets();
const { s3 } = buckets;
const minute = 60 * 1000;
const day = 24 * 60 * minute;
let folder: string;
let locked: string;
let versioned: string;
let plain: string;
let proxy: FaultyProxy;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steward-s3-'));
  [locked, versioned, plain] = await Promise.all([
    buckets.create('locked'),
    buckets.create('versioned'),
    buckets.create('plain'),
  ]);
  proxy = await startFaultyProxy(s3.endpoint ?? '');
});
after(async () => {
  await proxy[Symbol.asyncDispose]();
  buckets.client.destroy();
  await rm(folder, { recursive: true, force: true });
});

const settings = (address: string) =>
  ({ address, immutable: false, accept: 'write-once', retentionDays: 2, s3 }) as const;
const open = (bucket: string, prefix = 'common'): Promise<ArchiveTarget> =>
  openTarget({ ...settings(`s3://${bucket}/${prefix}`), accept: bucket === locked ? 'write-once' : 'anything' });
const isDone = (): boolean => true;
const isNotDone = (): boolean => false;
/** Through the proxy, and soon out of patience. */
const openFaulty = async (prefix: string): Promise<ArchiveTarget> => {
  const target = createS3Target(
    { ...settings(`s3://${locked}/${prefix}`), s3: { ...s3, endpoint: proxy.endpoint } },
    { answer: 1000, silence: 1000, pause: 20, attempts: 3 },
  );
  proxy.heal();
  await target.probe();
  proxy.heal();
  return target;
};

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
    assert.equal(await target.read('a', marker), undefined);
  });

  test('a version that never was is nothing', async () => {
    await using target = await open(locked, 'unknown');
    const version = await target.put('a', Buffer.from('x'));
    await target.put('b', Buffer.from('y'));
    assert.equal(await target.read('b', version), undefined);
    assert.equal(await target.read('a', 'no version'), undefined);
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

describe('a large file', () => {
  const bytes = randomBytes(20_000_000);
  let file: string;
  before(async () => {
    file = join(folder, 'large');
    await writeFile(file, bytes);
  });
  const uploads = async (): Promise<unknown[]> =>
    (await buckets.client.send(new ListMultipartUploadsCommand({ Bucket: locked }))).Uploads ?? [];

  test('goes up in parts, and is one locked version', async () => {
    await using target = await open(locked, 'parts');
    const version = await target.put('rows', { file });
    assert.equal(await target.put('rows', { file }), version);
    assert.ok(bytes.equals((await readAll(target, 'rows', version)) ?? Buffer.alloc(0)));
    await assert.rejects(buckets.remove(locked, 'parts/rows', version), { name: 'AccessDenied' });
    await assert.rejects(target.put('rows', bytes.subarray(1)), ArchiveConflict);
    assert.equal((await target.history('rows')).length, 1);
  });

  test('whose parts and answers get lost is stored once, and no part stays behind', async () => {
    await using target = await openFaulty('parts-lost');
    proxy.fail('lost-request', /^PUT .*partNumber=2/);
    proxy.fail('flipped-bit', /^PUT .*partNumber=3/);
    proxy.fail('lost-answer', /^POST .*uploadId=/);
    await target.put('rows', { file });
    assert.ok(bytes.equals((await readAll(target, 'rows')) ?? Buffer.alloc(0)));
    assert.equal((await target.history('rows')).length, 1);
    assert.deepEqual(await uploads(), []);
  });

  test('that cannot be finished leaves no part behind', async () => {
    await using target = await openFaulty('parts-cut');
    proxy.fail('overload', /^PUT .*parts-cut.*partNumber=2/, 9);
    await assert.rejects(target.put('rows', { file }), /Storing rows failed.*the next run goes on/);
    assert.deepEqual(await uploads(), []);
    assert.deepEqual(await target.history('rows'), []);
  });
});

describe('a connection that fails', () => {
  const cases: readonly [what: string, fault: Fault, which: RegExp, times: number][] = [
    ['whose request got lost', 'lost-request', /^PUT/, 2],
    ['whose server was overloaded', 'overload', /^PUT/, 2],
    ['whose bits flipped on the way', 'flipped-bit', /^PUT/, 2],
    ['that took place, while its answer got lost', 'lost-answer', /^PUT/, 1],
    ['that took place, while nothing was heard of it', 'silent-answer', /^PUT/, 1],
    ['whose copy was cut while it was read back', 'half-answer', /^GET .*x-id=GetObject/, 2],
    ['whose versions could not be listed at first', 'lost-answer', /^GET .*versions/, 2],
  ];
  for (const [index, [what, fault, which, times]] of cases.entries()) {
    test(`leaves one version of a store ${what}`, async () => {
      await using target = await openFaulty(`lost-${index}`);
      proxy.fail(fault, which, times);
      const version = await target.put('a', Buffer.from('exactly this'));
      assert.deepEqual(await target.history('a'), [{ version, deleteMarker: false, bytes: 12 }]);
      assert.equal(String(await readAll(target, 'a')), 'exactly this');
    });
  }

  test('never makes a bucket with Object Lock look like one without', async () => {
    for (const fault of ['flipped-bit', 'lost-answer', 'overload'] as const) {
      await using target = await openFaulty('unclear');
      await using again = createS3Target({
        ...settings(`s3://${locked}/unclear`),
        s3: { ...s3, endpoint: proxy.endpoint },
      });
      proxy.fail(fault, /^PUT .*\.probe/);
      const expected = await target.probe();
      const seen = await again.probe().catch((error: unknown) => String(error));
      if (typeof seen === 'string') assert.match(seen, /Probing failed in the archive .*the next run goes on/);
      else assert.deepEqual(seen, expected);
    }
  });

  test('never passes for bytes that are not there, nor for other bytes', async () => {
    await using target = await openFaulty('lost-conflict');
    await buckets.put(locked, 'lost-conflict/a', 'others were first');
    proxy.fail('lost-answer', /^GET .*versions/, 1);
    await assert.rejects(target.put('a', Buffer.from('exactly this')), ArchiveConflict);
    assert.equal((await target.history('a')).length, 1);
  });

  test('is told after a few attempts, and the next run stores it', async () => {
    await using target = await openFaulty('outage');
    proxy.fail('lost-request', /outage/, 99);
    await assert.rejects(
      target.put('a', Buffer.from('later')),
      /Storing a failed in the archive s3:.*the next run goes on/,
    );
    assert.equal(proxy.seen.length, 3);
    proxy.heal();
    await target.put('a', Buffer.from('later'));
    assert.equal((await target.history('a')).length, 1);
  });

  test('does not pass for the end of what is read', async () => {
    await using target = await openFaulty('cut');
    await target.put('a', Buffer.alloc(100_000, 'x'));
    proxy.fail('half-answer', /^GET .*x-id=GetObject/);
    await assert.rejects(readAll(target, 'a'), /Reading a failed in the archive s3:/);
    proxy.fail('silent-answer', /^GET .*x-id=GetObject/, 9);
    await assert.rejects(readAll(target, 'a'), /Reading a failed in the archive s3:/);
  });
});

describe('a bucket without Object Lock', () => {
  behavesAsArchive(() => open(plain));
  behavesAsArchive(() => open(versioned));

  test('is refused with what to do, and stores nothing', async () => {
    for (const bucket of [plain, versioned]) {
      await using target = await openTarget(settings(`s3://${bucket}/refused`));
      await assert.rejects(
        target.probe(),
        /cannot keep what is stored.*lock.*Create a bucket with Object Lock, or set/,
      );
      await assert.rejects(target.put('a', Buffer.from('x')), /Create a bucket with Object Lock/);
      assert.deepEqual(await Array.fromAsync(target.list('')), []);
    }
  });

  test('is recorded as such where anything is accepted, and forgets what expires', async () => {
    for (const bucket of [plain, versioned]) {
      await using target = await open(bucket, 'recorded');
      const powers = await target.probe();
      assert.deepEqual([powers.writeOnce, powers.by, powers.tried['lock']], [false, 'none', false]);
      assert.equal(powers.tried['versions'], bucket === versioned);
      await target.put('a', Buffer.from('x'));
      await target.expire('a');
      assert.deepEqual(await target.history('a'), []);
    }
  });

  test('keeps no probe', async () => {
    await using inside = await open(versioned, 'swept/.probe');
    await using target = await open(versioned, 'swept');
    await target.probe();
    assert.deepEqual(await Array.fromAsync(inside.list('')), []);
  });

  test('is rid of what an earlier process left of its probe', async (context) => {
    await buckets.put(versioned, 'left/.probe/old', 'x');
    await using inside = await open(versioned, 'left/.probe');
    await using target = await open(versioned, 'left');
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 5 * minute });
    await target.probe();
    assert.deepEqual(await inside.history('old'), []);
  });
});

describe('what is wrong with the settings', () => {
  test('a clock that is behind is said, and not taken for a bucket without Object Lock', async (context) => {
    await using target = await open(locked, 'clock');
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() - 5 * minute });
    await assert.rejects(target.probe(), /Probing failed in the archive s3:.*clock/);
  });

  const secretAccessKey = 'do-not-show-this-secret';
  const wrong = (change: object, address = `s3://${locked}/wrong`) =>
    createS3Target({ ...settings(address), s3: { ...s3, ...change } }, { attempts: 1, connect: 500 });
  const refused = async (target: ArchiveTarget, said: RegExp): Promise<void> => {
    for (const attempt of [() => target.probe(), () => target.put('a', Buffer.from('x')), () => target.read('a')]) {
      await assert.rejects(attempt, (error: unknown) => {
        assert.match((error as Error).message, said);
        assert.doesNotMatch(
          inspect(error, { depth: 9, showHidden: true }),
          /do-not-show-this-secret|AWS4-HMAC|Signature=/,
        );
        return true;
      });
    }
    await target[Symbol.asyncDispose]();
  };

  test('is said without the secret', async () => {
    const accessKeyId = s3.credentials?.accessKeyId;
    await refused(wrong({ credentials: { accessKeyId, secretAccessKey } }), /AUDIT_S3_SECRET_ACCESS_KEY/);
    await refused(wrong({ credentials: { accessKeyId: 'NOBODY', secretAccessKey } }), /AUDIT_S3_ACCESS_KEY_ID/);
    await refused(wrong({}, 's3://no-such-bucket-here/x'), /create it with Object Lock/);
    await refused(wrong({ endpoint: 'http://127.0.0.1:1' }), /ECONNREFUSED/);
  });
});
