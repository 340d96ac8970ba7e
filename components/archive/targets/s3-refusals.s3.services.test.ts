import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import type { ArchiveTarget } from './target.ts';
import { behavesAsArchive } from './fixtures/behaviour.ts';
import { createBuckets } from './fixtures/buckets.ts';
import { openTarget } from './open.ts';
import { createS3Target } from './s3/target.ts';

const minute = 60 * 1000;
const buckets = createBuckets();
const { s3, settings } = buckets;
let locked: string;
let versioned: string;
let plain: string;
before(async () => {
  locked = await buckets.create('locked');
  versioned = await buckets.create('versioned');
  plain = await buckets.create('plain');
});
after(() => buckets.client.destroy());

const open = (bucket: string, prefix = 'common'): Promise<ArchiveTarget> =>
  openTarget({ ...settings(`s3://${bucket}/${prefix}`), accept: bucket === locked ? 'write-once' : 'anything' });

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
    for (const attempt of [() => target.probe(), () => target.put('a', Buffer.from('x')), () => target.read('a', 9)]) {
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
