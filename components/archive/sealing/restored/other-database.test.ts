import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { pastChain } from '@steward/audit/testing';
import { archiveVerdict, createSealingWorld, sealed, manifestOf } from '../../fixtures/sealing.ts';

const d = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`;

describe('a database over an archive of another one', () => {
  test('with other rows of a tenant is an alarm, and nothing is signed', async () => {
    await using site = await createSealingWorld();
    await using other = await createSealingWorld();
    const tenant = newId();
    const one = site.process();
    await pastChain(site.world.admin, { tenant, days: { [d(1)]: 2 } });
    await sealed(one.archive, d(2));
    await pastChain(other.world.admin, { tenant, days: { [d(1)]: 1 } });
    const bystander = await pastChain(other.world.admin, { days: { [d(1)]: 1 } });
    const two = other.process({ openArchive: site.open, dataDir: site.world.dataDir });
    await two.archive.takeOver('it takes the place of the other one');
    const { refused, days, platformDays } = await two.archive.seal({ through: d(2) });
    assert.deepEqual([refused.map(({ owner, day }) => [owner, day]), days, platformDays], [[[tenant, d(1)]], 2, 0]);
    assert.match(refused[0]?.message ?? '', /do not continue those of the database/);
    assert.equal((await manifestOf(site.folder, bystander, d(2))).count, 0);
    assert.deepEqual(await other.world.admin.query(sql`select from audit.restored_chain`), []);
  });

  test('that knows nothing of it keeps the archive whole and names who was lost', async () => {
    await using site = await createSealingWorld();
    await using fresh = await createSealingWorld();
    const gone = await pastChain(site.world.admin, { days: { [d(1)]: 2 } });
    await sealed(site.process().archive, d(3));
    const one = fresh.process({ openArchive: site.open, dataDir: site.world.dataDir });
    await pastChain(fresh.world.admin, { days: { [d(5)]: 1 } });
    await one.archive.takeOver('it takes the place of the other one');
    assert.deepEqual(await sealed(one.archive, d(6)), { days: 2, platformDays: 6 });
    const [lost] = await fresh.world.admin.query<{ tenant_id: string; archived_sequence: bigint }>(
      sql`select tenant_id, archived_sequence from audit.restored_chain`,
    );
    assert.deepEqual([lost?.tenant_id, lost?.archived_sequence], [gone, 2n]);
    const verdict = await archiveVerdict(site.folder, await one.archive.keys.registered(), 2);
    assert.deepEqual([verdict.integrity, verdict.findings], ['ok', []]);
  });
});
