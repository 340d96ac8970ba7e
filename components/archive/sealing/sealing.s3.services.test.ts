import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { pastChain } from '@steward/audit/testing';
import { type DayManifest, readManifest } from '../format/manifest.ts';
import { dayPaths } from '../format/paths.ts';
import { createBuckets } from '../targets/fixtures/buckets.ts';
import { openTarget } from '../targets/open.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { createSealingWorld, sealed } from '../fixtures/sealing.ts';

const buckets = createBuckets();

describe('sealing into a bucket', () => {
  test('pins the version of each object, in the database and in the next manifest, two sealers at once', async () => {
    const bucket = await buckets.create('locked');
    const openArchive = async (): Promise<ArchiveTarget> => openTarget(buckets.settings(`s3://${bucket}/audit`));
    await using site = await createSealingWorld(openArchive);
    const { world } = site;
    const [one, two] = [site.process(), site.process()];
    await one.start();
    // More than stays in memory, and an empty day.
    const tenant = await pastChain(world.admin, { days: { '2026-03-01': 3_000, '2026-03-03': 1 } });
    await Promise.all([sealed(one.archive, '2026-03-02'), sealed(two.archive, '2026-03-02')]);
    // Somebody lays another version on top, and removes an object from sight.
    const paths = dayPaths(tenant, '2026-03-02');
    await buckets.put(bucket, `audit/${paths.manifest}`, 'other bytes');
    await buckets.remove(bucket, `audit/${paths.checkpoint}`);
    await sealed(one.archive, '2026-03-03');

    const rows = await world.admin.query<Record<string, string>>(
      sql`select rows_version, manifest_version, checkpoint_version from audit.sealed_day where tenant_id = ${tenant} order by day`,
    );
    const target = await openArchive();
    const read = async (path: string, version?: string): Promise<Buffer> =>
      Buffer.concat(await Array.fromAsync((await target.read(path, 1 << 20, version)) ?? []));
    const last = readManifest(await read(dayPaths(tenant, '2026-03-03').manifest)) as DayManifest;
    assert.deepEqual(last.previous?.versions, {
      rows: rows[1]?.['rows_version'],
      manifest: rows[1]?.['manifest_version'],
      checkpoint: rows[1]?.['checkpoint_version'],
    });
    assert.equal(last.target.by, 'object-lock-compliance');
    const pinned = readManifest(await read(paths.manifest, last.previous?.versions?.manifest)) as DayManifest;
    assert.deepEqual([pinned.day, pinned.count], ['2026-03-02', 0]);
    // Recorded or forgotten: what is in the archive is completed, and nothing is stored a second time.
    const before = (await target.history(dayPaths(tenant, '2026-03-03').rows)).length;
    await world.admin.withClient(async (client) =>
      client.query(`alter table audit.sealed_day disable trigger all; delete from audit.sealed_day where day > '2026-03-02';
        alter table audit.sealed_day enable always trigger append_only`),
    );
    await sealed(two.archive, '2026-03-03');
    assert.equal((await target.history(dayPaths(tenant, '2026-03-03').rows)).length, before);
    await target[Symbol.asyncDispose]();
  });
});
