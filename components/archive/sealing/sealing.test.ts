import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { genesis } from '@steward/audit/chain';
import { pastChain, sample } from '@steward/audit/testing';
import { readChain } from '@steward/audit';
import { dayPaths } from '../format/paths.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { archiveVerdict, createSealingWorld, openFolder, sealed, manifestOf } from '../fixtures/sealing.ts';

describe('sealing', () => {
  test('archives every day of every tenant and of the platform, empty ones too, as a stranger verifies', async () => {
    await using site = await createSealingWorld();
    const { archive, as } = site.process();
    const { admin } = site.world;
    const a = await pastChain(admin, { days: { '2026-03-01': 3, '2026-03-04': 2 } });
    await pastChain(admin, { days: { '2026-03-02': 1 } });
    assert.equal((await readChain(as(a, 'alice'), {})).sealedThrough, null);
    assert.deepEqual(await sealed(archive, '2026-03-05'), { days: 5 + 4, platformDays: 5 });
    assert.deepEqual(await sealed(archive, '2026-03-05'), { days: 0, platformDays: 0 });
    assert.equal((await readChain(as(a, 'alice'), {})).sealedThrough, '2026-03-05');
    const empty = await manifestOf(site.folder, a, '2026-03-02');
    assert.deepEqual([empty.firstSequence, empty.lastSequence, empty.count, empty.bytes], [4, 3, 0, 0]);
    assert.equal(empty.firstPreviousHash, empty.lastRowHash);
    const first = await manifestOf(site.folder, a, '2026-03-01');
    assert.deepEqual([first.previous, first.firstPreviousHash], [undefined, genesis(a).toString('hex')]);
    const verdict = await archiveVerdict(site.folder, await archive.keys.registered());
    assert.deepEqual([verdict.findings, verdict.tenants, verdict.days, verdict.rows], [[], 2, 9, 6]);
    assert.equal(verdict.newestDay, '2026-03-05');
  });

  test('tells in the database what stands in the archive, enough to write each manifest again', async () => {
    await using site = await createSealingWorld();
    const { archive } = site.process();
    const tenant = await pastChain(site.world.admin, { days: { '2026-03-01': 2 } });
    await sealed(archive, '2026-03-02');
    const [row] = await site.world.admin.query<Record<string, Buffer | string | bigint>>(
      sql`select * from audit.sealed_day where tenant_id = ${tenant} and day = '2026-03-02'`,
    );
    const manifest = await manifestOf(site.folder, tenant, '2026-03-02');
    assert.ok(row);
    assert.deepEqual(JSON.parse(String(row['powers'])), manifest.target);
    for (const [column, told] of Object.entries({
      first_previous_hash: manifest.firstPreviousHash,
      last_row_hash: manifest.lastRowHash,
      sha256: manifest.sha256,
      root: manifest.root,
    }))
      assert.equal((row[column] as Buffer).toString('hex'), told);
    const checkpoint = await readFile(join(site.folder, dayPaths(tenant, '2026-03-02').checkpoint), 'utf8');
    assert.equal(row['checkpoint'], checkpoint);
  });

  test('goes on where a day of downtime, or of years, left it, in order and each day linked to the one before', async () => {
    await using site = await createSealingWorld();
    const { archive } = site.process();
    await pastChain(site.world.admin, { days: { '2025-12-30': 1, '2026-02-02': 4, '2026-02-03': 1 } });
    assert.deepEqual(await sealed(archive, '2025-12-31'), { days: 2, platformDays: 2 });
    assert.deepEqual(await sealed(archive, '2026-02-28'), { days: 59, platformDays: 59 });
    const verdict = await archiveVerdict(site.folder, await archive.keys.registered());
    assert.deepEqual([verdict.findings, verdict.days, verdict.rows], [[], 61, 6]);
  });

  test('has many rows go through the disk and many tenants through batches', async () => {
    await using site = await createSealingWorld();
    const { archive } = site.process();
    const { admin } = site.world;
    // Behind one page of rows, and more than stays in memory.
    const large = await pastChain(admin, { days: { '2026-03-01': 9_000 } });
    for (let n = 0; n < 7; n += 1) await pastChain(admin, { days: { '2026-03-01': n + 1 } });
    const { refused, days } = await archive.seal({ through: '2026-03-01', batch: () => 3 });
    assert.deepEqual([refused, days], [[], 8]);
    assert.equal((await manifestOf(site.folder, large, '2026-03-01')).count, 9_000);
    const verdict = await archiveVerdict(site.folder, await archive.keys.registered());
    assert.deepEqual([verdict.findings, verdict.tenants, verdict.rows], [[], 8, 9_028]);
  });

  test('seals one tenant alone where that is asked, and the platform when all are through', async () => {
    await using site = await createSealingWorld();
    const { archive } = site.process();
    const { admin } = site.world;
    const a = await pastChain(admin, { days: { '2026-03-01': 1 } });
    const b = await pastChain(admin, { days: { '2026-03-01': 1 } });
    const only = async (tenant: string) => archive.seal({ through: '2026-03-01', tenant });
    assert.deepEqual(await only(a), { days: 1, platformDays: 0, refused: [] });
    assert.deepEqual(await only(b), { days: 1, platformDays: 1, refused: [] });
  });

  for (const moment of ['before', 'after'] as const) {
    test(`takes over what a process wrote that saw other powers and ended ${moment} it signed`, async () => {
      await using site = await createSealingWorld();
      const tenant = await pastChain(site.world.admin, { days: { '2026-03-01': 2 } });
      const ending = async (): Promise<ArchiveTarget> => {
        const target = await openFolder(site.folder);
        return {
          ...target,
          probe: async () => ({ kind: 'file', writeOnce: true, by: 'link+immutable', tried: {} }),
          put: async (path, source) => {
            const signs = path.endsWith('.checkpoint');
            if (signs && moment === 'before') throw new Error('gone');
            const version = await target.put(path, source);
            if (signs) throw new Error('gone');
            return version;
          },
        };
      };
      await assert.rejects(sealed(site.process({ openArchive: ending }).archive, '2026-03-01'), /gone/);
      const { archive } = site.process();
      await sealed(archive, '2026-03-02');
      assert.equal((await manifestOf(site.folder, tenant, '2026-03-01')).target.by, 'link+immutable');
      assert.equal((await manifestOf(site.folder, tenant, '2026-03-02')).target.by, 'link');
      const verdict = await archiveVerdict(site.folder, await archive.keys.registered());
      assert.deepEqual([verdict.findings, verdict.days], [[], 2]);
    });
  }

  test('is not disturbed by appends, nor they by it: what comes later goes behind the sealed days', async () => {
    await using site = await createSealingWorld();
    const one = site.process();
    const tenant = await pastChain(site.world.admin, { days: { '2026-03-01': 1 } });
    await sealed(one.archive, '2026-03-02');
    const { event } = await one.audit.ingest(one.as(tenant, 'alice'), sample(), 'snake');
    assert.deepEqual([event.sequence, event.receivedAt > '2026-03-03'], [2, true]);
    await sealed(one.archive, '2026-03-03');
    assert.equal((await manifestOf(site.folder, tenant, '2026-03-03')).count, 0);
  });
});
