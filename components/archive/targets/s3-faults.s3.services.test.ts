import assert from 'node:assert/strict';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ArchiveConflict, type ArchiveTarget } from './target.ts';
import { readAll } from './fixtures/behaviour.ts';
import { createBuckets } from './fixtures/buckets.ts';
import { startFaultyProxy, type Fault, type FaultyProxy } from './fixtures/faulty-proxy.ts';
import { openTarget } from './open.ts';
import { createS3Target } from './s3/target.ts';

const buckets = createBuckets();
const { s3, settings } = buckets;
let folder: string;
let locked: string;
let proxy: FaultyProxy;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steward-s3-'));
  locked = await buckets.create('locked');
  proxy = await startFaultyProxy(s3.endpoint ?? '');
});
after(async () => {
  await proxy[Symbol.asyncDispose]();
  buckets.client.destroy();
  await rm(folder, { recursive: true, force: true });
});

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
    await using target = await openTarget(settings(`s3://${locked}/parts`));
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
