import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { claimPath } from '@steward/archive/format';
import { anHourLater, takeBackup, createSealingWorld, sealed } from '@steward/archive/testing';
import { pastChain, sample } from '@steward/audit/testing';
import { recompute } from '../fixtures/recompute.ts';
import { logOptions, told } from '../fixtures/verdict.ts';
import { verifyLog } from '../log/verify-log.ts';

const d = (day: number): string => `2026-03-0${day}`;

test('a restored backup that went on is told by the rows it lost, before and after sealing notices it', async () => {
  await using site = await createSealingWorld();
  const { admin, database } = site.world;
  const one = site.process();
  await one.start();
  const busy = await pastChain(admin, { days: { [d(1)]: 2, [d(3)]: 1 } });
  const quiet = await pastChain(admin, { days: { [d(1)]: 1 } });
  await sealed(one.archive, d(2));
  const backup = await takeBackup(database);
  await pastChain(admin, { tenant: busy, days: { [d(3)]: 2, [d(4)]: 1 } });
  const late = await pastChain(admin, { days: { [d(4)]: 1 } });
  await sealed(one.archive, d(5));
  await backup.restore();
  await one.audit.ingest(one.as(busy, 'alice'), sample(), 'snake');
  const before = await verifyLog(logOptions(site));
  assert.deepEqual(told(before.findings, busy), [`${d(3)}..${d(4)} restored 4-6`]);
  assert.deepEqual(told(before.findings, late), [`${d(5)} no_chain 1-1`]);
  // One that lost no row: the database has forgotten days that are signed all the same.
  assert.deepEqual(told(before.findings, quiet), [`${d(3)}..${d(5)} unrecorded`]);
  // Another database than the one that the archive belongs to.
  assert.deepEqual(told(before.findings, 'platform').toSorted(), [`${d(3)}..${d(5)} unrecorded`, 'record']);
  await one.archive.takeOver('a backup was restored');
  await sealed(one.archive, d(6));
  const after = await verifyLog(logOptions(site));
  assert.deepEqual(told(after.findings, busy), [`${d(3)}..${d(4)} restored 4-6`]);
  assert.deepEqual(told(after.findings, late), [`${d(5)} restored 1-1`]);
  const known = await verifyLog({ ...logOptions(site), acceptIncarnation: 2 });
  assert.deepEqual(told(known.findings, busy), []);
  assert.deepEqual(known.findings, []);
  assert.ok(known.notes.some((note) => note.includes(busy) && note.includes('4 to 5')));
});

test('a restored backup that is known raises no alarm from the claim on, before a day after it is signed, and hides nothing else', async () => {
  await using site = await createSealingWorld();
  const { admin, database } = site.world;
  const one = site.process();
  await one.start();
  const busy = await pastChain(admin, { days: { [d(1)]: 6, [d(3)]: 1 } });
  const quiet = await pastChain(admin, { days: { [d(1)]: 1 } });
  await sealed(one.archive, d(2));
  await one.archive.checkpoint();
  const backup = await takeBackup(database);
  await pastChain(admin, { tenant: busy, days: { [d(3)]: 2, [d(4)]: 1 } });
  const late = await pastChain(admin, { days: { [d(4)]: 1 } });
  await sealed(one.archive, d(5));
  await anHourLater(admin);
  await one.archive.checkpoint();
  await backup.restore();
  const { claim } = await one.archive.takeOver('a backup was restored');
  assert.deepEqual(
    claim.lost.map(({ tenant, sequence }) => [tenant, sequence]),
    [[busy, 7] as const, [late, 0] as const].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  for (const tenant of [busy, quiet]) await one.archive.noteTakenOver(one.system(tenant), claim);
  await sealed(one.archive, d(5));
  const unknown = await verifyLog(logOptions(site));
  assert.deepEqual(told(unknown.findings, busy), ['restored 8-10', `${d(3)}..${d(4)} restored 8-10`]);
  assert.deepEqual(told(unknown.findings, late), ['restored 1-1', `${d(5)} restored 1-1`]);
  const accepted = { ...logOptions(site), acceptIncarnation: 2 };
  const known = await verifyLog(accepted);
  assert.deepEqual(known.findings, []);
  assert.ok(known.notes.some((note) => note.includes(late)));

  // Nothing that is not signed excuses anything.
  const path = join(site.folder, claimPath(claim.number));
  const signed = await readFile(path);
  await rm(path);
  const unsigned = await verifyLog(accepted);
  assert.deepEqual(told(unsigned.findings, late), ['record', 'tail 1-1', `${d(5)} no_chain 1-1`]);
  assert.ok(told(unsigned.findings, busy).includes('record'));
  assert.ok(told(unsigned.findings, busy).some((line) => line.includes(' rows ')));
  await writeFile(path, signed);
  await admin.withClient(async (client) => {
    for (const table of ['event', 'head']) await client.query(`alter table audit.${table} disable trigger all`);
  });
  await recompute(admin, busy);
  const rewritten = await verifyLog(accepted);
  assert.deepEqual(told(rewritten.findings, busy), ['rows 1-7', `${d(1)}..${d(3)} rows 5-9`, `${d(4)} tail 10-10`]);
});
