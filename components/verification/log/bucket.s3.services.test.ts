import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dayPaths, openTarget } from '@steward/archive/format';
import {
  createBuckets,
  createSealingWorld,
  sealed,
  type SealingProcess,
  type SealingWorld,
} from '@steward/archive/testing';
import { pastChain, type World } from '@steward/audit/testing';
import { told } from '../fixtures/verdict.ts';
import { type LogOptions, type LogVerdict, verifyLog } from './verify-log.ts';
import { verifyOffline } from './offline.ts';

const d = (day: number): string => `2026-03-0${day}`;

describe('an archive in a bucket with Object Lock', () => {
  const buckets = createBuckets();
  let world: World;
  let one: SealingProcess;
  let site: SealingWorld;
  let bucket: string;
  let options: LogOptions;
  const tenants: string[] = [];
  const verify = async (more: Partial<LogOptions> = {}): Promise<LogVerdict> => verifyLog({ ...options, ...more });
  const rowsOf = (tenant: string | undefined, day: string): string => `steward/${dayPaths(tenant ?? '', day).rows}`;
  before(async () => {
    bucket = await buckets.create('locked');
    const archive = buckets.settings(`s3://${bucket}/steward`);
    site = await createSealingWorld(async () => openTarget(archive));
    ({ world } = site);
    one = site.process();
    await one.start();
    for (let n = 0; n < 4; n += 1) tenants.push(await pastChain(world.admin, { days: { [d(1)]: 2, [d(3)]: 2 } }));
    await sealed(one.archive, d(3));
    options = { ownerUrl: world.database.ownerUrl, archive, freshWithinDays: 100_000 };
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    buckets.client.destroy();
  });

  test('is verified by the versions that were recorded, on threads too', async () => {
    const { findings, comparedDays } = await verify();
    assert.deepEqual([findings, comparedDays], [[], 12]);
    assert.deepEqual((await verify({ workers: 2 })).findings, []);
  });

  test('shows a newer version with other bytes, a delete marker, and a version that is not the recorded one', async () => {
    const [newer, hidden, recorded, sound] = tenants;
    await buckets.put(bucket, rowsOf(newer, d(1)), 'other bytes');
    await buckets.remove(bucket, rowsOf(hidden, d(3)));
    await world.admin.withClient(async (client) => {
      await client.query('alter table audit.sealed_day disable trigger all');
      await client.query(`update audit.sealed_day set rows_version = 'x' where tenant_id = $1 and day = $2`, [
        recorded,
        d(1),
      ]);
    });
    const { findings, integrity, completeness } = await verify();
    assert.deepEqual([integrity, completeness], ['broken', 'ok']);
    assert.deepEqual(told(findings, newer), [`${d(1)} superseded`]);
    assert.deepEqual(told(findings, hidden), [`${d(3)} hidden`]);
    assert.deepEqual(told(findings, recorded), [`${d(1)} record 1-2`]);
    assert.deepEqual(told(findings, sound), []);
    assert.equal(findings.length, 3);
    const keys = (await one.archive.keys.registered()).map(({ verifierKey }) => verifierKey);
    const alone = await verifyOffline(options.archive, { keys, freshWithinDays: 100_000 });
    assert.equal(alone.integrity, 'broken');
    assert.deepEqual(told(alone.findings, newer), [`${d(1)} superseded`]);
    assert.deepEqual(told(alone.findings, hidden), [`${d(3)} hidden`]);
    assert.equal(alone.findings.length, 2);
  });

  test('is out of reach where the bucket is none, or the server does not answer', async () => {
    for (const archive of [
      buckets.settings(`s3://${bucket}-none/steward`),
      { ...options.archive, s3: { ...options.archive.s3, endpoint: 'http://127.0.0.1:9' } },
    ]) {
      const { integrity, findings } = await verify({ archive });
      assert.deepEqual(
        [integrity, findings.map(({ kind, where }) => [where, kind])],
        ['unknown', [['archive', 'unreachable']]],
      );
    }
  });
});
