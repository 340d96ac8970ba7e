import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { pastChain } from '@steward/audit/testing';
import { verifyOffline } from '@steward/verification';
import { claimPath } from '../format/paths.ts';
import { createBuckets } from '../targets/fixtures/buckets.ts';
import { openTarget } from '../targets/open.ts';
import { takeBackup } from '../fixtures/backup.ts';
import { openProcess } from '../fixtures/process.ts';
import { createSealingWorld, sealed } from '../fixtures/sealing.ts';

const refused = /belongs to another database .*AUDIT_ARCHIVE, DATA_DIR.*steward audit claim --reason/;

describe('an archive in a bucket with Object Lock', () => {
  const buckets = createBuckets();
  after(() => buckets.client.destroy());

  /** A world whose archive is a bucket of its own, and every version of every object there. */
  const place = async () => {
    const bucket = await buckets.create('locked');
    const archive = buckets.settings(`s3://${bucket}/steward`);
    const versions = async (): Promise<string[]> => {
      const { Versions = [], DeleteMarkers = [] } = await buckets.client.send(
        new ListObjectVersionsCommand({ Bucket: bucket }),
      );
      return [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => `${Key} ${VersionId}`).toSorted();
    };
    return { archive, versions, open: async () => openTarget(archive) };
  };
  const claimsOf = (versions: readonly string[]): string[] =>
    versions.map((one) => one.split(' ')[0] ?? '').filter((path) => path.includes('/claims/'));

  test('is claimed once by all processes of a database, refuses its copy, and is taken over by word', async () => {
    const { archive, versions, open } = await place();
    await using site = await createSealingWorld(open);
    const { world } = site;
    const many = [1, 2, 3].map(() => site.process());
    const tenant = await pastChain(world.admin, { days: { '2026-03-01': 2 } });
    await Promise.all(many.map(async (one) => one.start()));
    await Promise.all(many.map(async (one) => sealed(one.archive, '2026-03-02')));
    const before = await versions();
    assert.deepEqual(new Set(claimsOf(before)), new Set([`steward/${claimPath(1)}`]));

    const backup = await takeBackup(world.database);
    const copy = openProcess(backup.appUrl, { dataDir: world.dataDir, openArchive: open });
    await assert.rejects(copy.start(), refused);
    await assert.rejects(copy.archive.seal({ through: '2026-03-03' }), refused);
    await assert.rejects(copy.archive.checkpoint(), refused);
    await assert.rejects(copy.archive.expire(copy.system(tenant), { retentionDays: 1, dryRun: false }), refused);
    assert.deepEqual(await versions(), before);

    const { claim, changed } = await copy.archive.takeOver('the machine was replaced');
    assert.deepEqual([claim.number, claim.incarnation, changed, claim.lost], [2, 1, true, []]);
    assert.equal((await copy.archive.takeOver('again')).changed, false);
    await copy.start();
    await sealed(copy.archive, '2026-03-03');
    const held = await versions();
    assert.deepEqual(new Set(claimsOf(held)), new Set([1, 2].map((number) => `steward/${claimPath(number)}`)));
    await assert.rejects(sealed(site.process().archive, '2026-03-03'), refused);
    await assert.rejects(site.process().start(), refused);
    assert.deepEqual(await versions(), held);
    const keys = (await copy.archive.keys.registered()).map(({ verifierKey }) => verifierKey);
    const { ok, findings, days } = await verifyOffline(archive, { keys, freshWithinDays: 100_000 });
    assert.deepEqual([ok, findings, days], [true, [], 3]);
    await copy.stop();
    await backup.drop();
  });
});
