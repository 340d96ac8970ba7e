import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { listEvents, pastChain, sample } from '@steward/audit/testing';
import { verifyChains } from '@steward/verification';
import type { SealingProcess } from '../../fixtures/process.ts';
import { dayPaths } from '../../format/paths.ts';
import { type Backup, takeBackup } from '../../fixtures/backup.ts';
import { archiveVerdict, createSealingWorld, sealed, type SealingWorld, manifestOf } from '../../fixtures/sealing.ts';

const d = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`;

interface Lost {
  /** Had rows on the third day when it was backed up, and more afterwards. */
  readonly busy: string;
  /** Had rows afterwards only. */
  readonly quiet: string;
  readonly idle: string;
  /** Came afterwards. */
  readonly late: string;
  readonly backup: Backup;
}

/** Backed up on the third day, sealed through the sixth. */
async function backedUp(site: SealingWorld, one: SealingProcess): Promise<Lost> {
  const { admin, database } = site.world;
  const [busy, quiet, idle, late] = [newId(), newId(), newId(), newId()];
  await pastChain(admin, { tenant: busy, days: { [d(1)]: 2, [d(3)]: 1 } });
  await pastChain(admin, { tenant: quiet, days: { [d(2)]: 1 } });
  await pastChain(admin, { tenant: idle, days: { [d(1)]: 1 } });
  await sealed(one.archive, d(2));
  const backup = await takeBackup(database);
  await pastChain(admin, { tenant: busy, days: { [d(3)]: 2, [d(5)]: 1 } });
  await pastChain(admin, { tenant: quiet, days: { [d(4)]: 1 } });
  await pastChain(admin, { tenant: late, days: { [d(4)]: 1 } });
  await sealed(one.archive, d(6));
  return { busy, quiet, idle, late, backup };
}

const restoredEvents = async ({ as }: SealingProcess, tenant: string) =>
  (await listEvents(as(tenant, 'alice'), { type: 'audit.chain.restored' }, { limit: 10 })).map(
    ({ envelope }) => envelope.payload,
  );

describe('a restored backup', () => {
  test('is noticed, recorded, and gone on from in a new incarnation', async () => {
    await using site = await createSealingWorld();
    const one = site.process();
    const { busy, quiet, idle, late, backup } = await backedUp(site, one);
    await backup.restore();
    await one.archive.takeOver('a backup was restored');
    // It goes on before anybody notices.
    await one.audit.ingest(one.as(busy, 'alice'), sample(), 'snake');
    assert.deepEqual(await sealed(one.archive, d(8)), { days: 6 * 3, platformDays: 6 });

    const { admin } = site.world;
    const chains = await admin.query<{ tenant_id: string; incarnation: number; sequence: bigint; archived: bigint }>(
      sql`select tenant_id, incarnation, sequence, archived_sequence as archived from audit.restored_chain`,
    );
    assert.deepEqual(
      Object.fromEntries(chains.map((row) => [row.tenant_id, [row.incarnation, row.sequence, row.archived]])),
      { [busy]: [2, 3n, 6n], [quiet]: [2, 1n, 2n], [late]: [2, 0n, 1n] },
    );
    const [told] = await restoredEvents(one, busy);
    const third = await readFile(join(site.folder, dayPaths(busy, d(3)).rows), 'utf8');
    assert.deepEqual(told, {
      incarnation: 2,
      restored_sequence: 3,
      restored_row_hash: (JSON.parse(third.split('\n')[0] ?? '') as { rowHash: string }).rowHash,
      archived_sequence: 6,
      archived_from: d(3),
      archived_through: d(6),
    });
    assert.equal((await restoredEvents(one, quiet)).length, 1);
    assert.equal((await restoredEvents(one, idle)).length, 0);

    const seventh = await manifestOf(site.folder, busy, d(7));
    assert.deepEqual([seventh.incarnation, seventh.firstSequence, seventh.count], [2, 4, 0]);
    assert.equal(seventh.firstPreviousHash, told?.['restored_row_hash']);
    assert.deepEqual((await manifestOf(site.folder, idle, d(6))).incarnation, 1);
    assert.deepEqual((await manifestOf(site.folder, idle, d(7))).incarnation, 2);

    const keys = await one.archive.keys.registered();
    const verdict = await archiveVerdict(site.folder, keys);
    assert.deepEqual([verdict.integrity, verdict.completeness], ['ok', 'broken']);
    assert.ok(verdict.findings.some(({ kind, tenant }) => kind === 'restored' && tenant === busy));
    assert.ok(verdict.findings.some(({ kind, tenant }) => kind === 'dropped' && tenant === late));
    const known = await archiveVerdict(site.folder, keys, 2);
    assert.deepEqual(known.findings, []);
    assert.deepEqual((await verifyChains({ ownerUrl: site.world.database.ownerUrl })).findings, []);
    assert.deepEqual(await sealed(one.archive, d(9)), { days: 3, platformDays: 1 });
  });

  test('is taken over to the end, and told once, however often that is cut off', async () => {
    await using site = await createSealingWorld();
    const one = site.process();
    const { busy, quiet, backup } = await backedUp(site, one);
    await backup.restore();
    await one.archive.takeOver('a backup was restored');
    let cuts = 0;
    for (let done = false; !done; cuts += 1) {
      let left = cuts + 1;
      const turn = async (): Promise<void> => {
        left -= 1;
        if (left === 0) throw new Error('cut off');
      };
      const outcome = await one.archive.seal({ through: d(8), turn, batch: () => 1 }).catch((error: Error) => error);
      if (outcome instanceof Error) assert.equal(outcome.message, 'cut off');
      else done = outcome.refused.length === 0;
    }
    assert.ok(cuts > 5);
    assert.equal((await restoredEvents(one, busy)).length, 1);
    assert.equal((await restoredEvents(one, quiet)).length, 1);
    const verdict = await archiveVerdict(site.folder, await one.archive.keys.registered(), 2);
    assert.deepEqual(verdict.findings, []);
  });

  test('is noticed again when it is restored again, and numbers are never used twice', async () => {
    await using site = await createSealingWorld();
    const one = site.process();
    const { busy, backup } = await backedUp(site, one);
    await backup.restore();
    await one.archive.takeOver('a backup was restored');
    const again = await takeBackup(site.world.database);
    await sealed(one.archive, d(8));
    await pastChain(site.world.admin, { tenant: busy, days: { [d(10)]: 1 } });
    await sealed(one.archive, d(10));
    await again.restore();
    await one.archive.takeOver('a backup was restored');
    await sealed(one.archive, d(12));
    assert.equal((await manifestOf(site.folder, busy, d(11))).incarnation, 3);
    const [{ incarnation, archived_through } = {}] = await restoredEvents(one, busy);
    assert.deepEqual([incarnation, archived_through], [3, d(10)]);
    const verdict = await archiveVerdict(site.folder, await one.archive.keys.registered(), 3);
    assert.deepEqual([verdict.integrity, verdict.findings], ['ok', []]);
  });

  test('made within a day that was not sealed since leaves no trace that could be seen', async () => {
    await using site = await createSealingWorld();
    const one = site.process();
    const { admin, database } = site.world;
    const tenant = await pastChain(admin, { days: { [d(1)]: 1 } });
    await sealed(one.archive, d(1));
    const backup = await takeBackup(database);
    await pastChain(admin, { tenant, days: { [d(2)]: 1 } });
    await backup.restore();
    await one.archive.takeOver('a backup was restored');
    assert.deepEqual(await sealed(one.archive, d(2)), { days: 1, platformDays: 1 });
    assert.equal((await manifestOf(site.folder, tenant, d(2))).incarnation, 1);
  });

  test('that lost nothing is no new incarnation: its days are the same days', async () => {
    await using site = await createSealingWorld();
    const one = site.process();
    const { admin, database } = site.world;
    const tenant = await pastChain(admin, { days: { [d(1)]: 1 } });
    await sealed(one.archive, d(1));
    const backup = await takeBackup(database);
    await sealed(one.archive, d(4));
    await backup.restore();
    await one.archive.takeOver('a backup was restored');
    assert.deepEqual(await sealed(one.archive, d(5)), { days: 4, platformDays: 4 });
    assert.equal((await manifestOf(site.folder, tenant, d(5))).incarnation, 1);
  });
});
