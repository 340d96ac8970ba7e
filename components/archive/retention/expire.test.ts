import assert from 'node:assert/strict';
import { readFile, writeFile, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { placeHold, releaseHold } from '@steward/audit';
import { listEvents, pastChain } from '@steward/audit/testing';
import { verifyChains } from '@steward/verification';
import type { SealingProcess } from '../fixtures/process.ts';
import { openNote } from '../format/note.ts';
import { dayPaths, expiredPath } from '../format/paths.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { archiveVerdict, createSealingWorld, sealed, type SealingWorld } from '../fixtures/sealing.ts';

const operator = (one: SealingProcess, tenant: string): TenantContext => {
  const subject = { type: 'system', id: 'operator' } as const;
  const rest = { requestId: newId(), correlationId: newId() };
  return one.tenancy.systemContext({ tenant, chain: [subject], subject, caller: subject, ...rest });
};

/** Five sealed days, the first `old` of which were sealed a hundred days ago. */
async function fiveDays(
  site: SealingWorld,
  old: number,
): Promise<{ readonly one: SealingProcess; readonly tenant: string }> {
  const one = site.process();
  const { admin } = site.world;
  const tenant = await pastChain(admin, { days: { '2026-01-01': 3, '2026-01-04': 2 } });
  await sealed(one.archive, '2026-01-05');
  await admin.withClient(async (client) => {
    await client.query('alter table audit.sealed_day disable trigger all');
    await client.query(
      `update audit.sealed_day set sealed_at = sealed_at - interval '100 days' where day < date '2026-01-01' + $1::int`,
      [old],
    );
    await client.query('alter table audit.sealed_day enable always trigger append_only');
  });
  return { one, tenant };
}

const paths = async (target: ArchiveTarget, tenant: string): Promise<string[]> =>
  (await Array.fromAsync(target.list(`${tenant}/`))).map((path) => path.slice(`${tenant}/2026/01/`.length));

describe('expiry', () => {
  test('removes rows that were sealed long enough ago, and leaves manifest, checkpoint and a signed note', async () => {
    await using site = await createSealingWorld();
    const { one, tenant } = await fiveDays(site, 2);
    await using target = await site.open();
    const wish = { retentionDays: 90, dryRun: false };
    const dry = await one.archive.expire(operator(one, tenant), { ...wish, dryRun: true });
    assert.deepEqual([dry.from, dry.through, dry.days], ['2026-01-01', '2026-01-02', 2]);
    assert.ok(dry.bytes > 0);
    assert.equal((await paths(target, tenant)).filter((path) => path.endsWith('.jsonl')).length, 5);
    assert.deepEqual(await one.archive.expire(operator(one, tenant), wish), dry);
    assert.deepEqual((await paths(target, tenant)).slice(0, 7), [
      '01.checkpoint',
      '01.expired',
      '01.manifest.json',
      '02.checkpoint',
      '02.expired',
      '02.manifest.json',
      '03.checkpoint',
    ]);
    const known = (await one.archive.keys.registered()).map(({ verifierKey }) => verifierKey);
    const note = await readFile(join(site.folder, expiredPath(tenant, '2026-01-01')), 'utf8');
    const [row] = await site.world.admin.query<{ sha256: string }>(sql`
      select encode(manifest_sha256, 'hex') as sha256 from audit.sealed_day
      where tenant_id = ${tenant} and day = '2026-01-01'`);
    assert.equal(openNote(note, known).text, `steward/audit/expired\n${tenant}\n2026-01-01\n${row?.sha256}\n`);
    const [event] = await listEvents(one.as(tenant, 'alice'), { type: 'audit.days.expired' }, { limit: 2 });
    assert.deepEqual(event?.envelope.payload, { from: '2026-01-01', through: '2026-01-02', days: 2 });
    const none = { from: undefined, through: undefined, days: 0, bytes: 0 };
    assert.deepEqual(await one.archive.expire(operator(one, tenant), wish), none);
    const verdict = await archiveVerdict(site.folder, await one.archive.keys.registered());
    assert.deepEqual(verdict.findings, []);
    assert.deepEqual((await verifyChains({ ownerUrl: site.world.database.ownerUrl, tenant })).findings, []);
  });

  test('is told apart from a deletion, by a stranger with the archive alone', async () => {
    await using site = await createSealingWorld();
    const { one, tenant } = await fiveDays(site, 2);
    await using target = await site.open();
    await one.archive.expire(operator(one, tenant), { retentionDays: 90, dryRun: false });
    const keys = await one.archive.keys.registered();
    const found = async (): Promise<unknown[]> =>
      (await archiveVerdict(site.folder, keys)).findings.map(({ day }) => day);
    await target.expire(dayPaths(tenant, '2026-01-04').rows);
    assert.deepEqual(await found(), ['2026-01-04']);
    // The note of one day stands for no other.
    const note = await readFile(join(site.folder, expiredPath(tenant, '2026-01-01')));
    await target.put(expiredPath(tenant, '2026-01-04'), note);
    assert.ok((await found()).every((day) => day === '2026-01-04'));
    assert.ok((await found()).length > 0);
  });

  test('is refused while a legal hold stands, and for members', async () => {
    await using site = await createSealingWorld();
    const { one, tenant } = await fiveDays(site, 5);
    await using target = await site.open();
    const wish = { retentionDays: 90, dryRun: false };
    await placeHold(one.as(tenant, 'alice'), { reason: 'case 17' });
    await assert.rejects(one.archive.expire(operator(one, tenant), wish), { code: 'legal_hold' });
    await assert.rejects(one.archive.expire(one.as(tenant, 'alice'), wish), { code: 'insufficient_role' });
    assert.equal((await paths(target, tenant)).length, 15);
    await releaseHold(one.as(tenant, 'alice'), {});
    assert.equal((await one.archive.expire(operator(one, tenant), wish)).days, 5);
  });

  test('that was cut off after the removal is finished by the next run, with another key too', async () => {
    await using site = await createSealingWorld();
    const { one, tenant } = await fiveDays(site, 3);
    const wish = { retentionDays: 90, dryRun: false };
    const open = site.open;
    const failing = site.process({
      openArchive: async () => {
        const target = await open();
        return {
          ...target,
          expire: async (path) => {
            if (path.endsWith('03.jsonl')) throw new Error('the archive is away');
            await target.expire(path);
          },
        };
      },
    });
    await assert.rejects(failing.archive.expire(operator(failing, tenant), wish), /is away/);
    await one.archive.rotateKey({ lost: false });
    const done = await one.archive.expire(operator(one, tenant), wish);
    assert.deepEqual([done.from, done.through], ['2026-01-01', '2026-01-03']);
    const events = await listEvents(one.as(tenant, 'alice'), { type: 'audit.days.expired' }, { limit: 5 });
    assert.equal(events.length, 1);
  });

  test('touches nothing where the manifest is not the one that was sealed, or a note says something else', async () => {
    await using site = await createSealingWorld();
    const { one, tenant } = await fiveDays(site, 2);
    await using target = await site.open();
    const wish = { retentionDays: 90, dryRun: false };
    await target.put(expiredPath(tenant, '2026-01-01'), Buffer.from('steward/audit/expired\n'));
    await assert.rejects(one.archive.expire(operator(one, tenant), wish), { name: 'ArchiveConflict' });
    const manifest = join(site.folder, dayPaths(tenant, '2026-01-01').manifest);
    await chmod(manifest, 0o644);
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"count":3', '"count":2'));
    await assert.rejects(one.archive.expire(operator(one, tenant), wish), /is not the manifest that was sealed/);
    assert.ok((await paths(target, tenant)).includes('01.jsonl'));
  });
});
