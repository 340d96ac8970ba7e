import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { dayPaths } from '@steward/archive/format';
import { pastChain } from '@steward/audit/testing';
import { archiveVerdict, createSealingWorld, sealed } from '@steward/archive/testing';
import { hasPython, runSecondVerifier } from '../fixtures/python.ts';

describe('an archive as sealing leaves it', () => {
  test('is verified by both verifiers with the first key alone, over a rotation; and a day that is taken away is missed', async () => {
    await using site = await createSealingWorld();
    const { archive } = site.process();
    const { admin } = site.world;
    const text = 'two\u2028lines\u2029of one';
    const tenant = await pastChain(admin, {
      days: { '2026-01-01': 5, '2026-01-03': 3, '2026-01-04': 1 },
      event: () => ({ payload: { order_id: '1', text, tiny: 5e-324 } }),
    });
    await pastChain(admin, { days: { '2026-01-02': 4 } });
    await sealed(archive, '2026-01-02');
    const keys = await archive.keys.registered();
    await archive.rotateKey({ lost: false });
    await sealed(archive, '2026-01-05');
    const { findings, rows, tenants, days } = await archiveVerdict(site.folder, keys);
    assert.deepEqual({ findings, rows, tenants, days }, { findings: [], rows: 13, tenants: 2, days: 9 });
    const second = () =>
      runSecondVerifier('--archive', site.folder, '--key', keys[0]?.verifierKey ?? '', '--fresh-within', '100000');
    if (hasPython) assert.deepEqual(second(), { status: 0, told: [[]] });
    for (const path of Object.values(dayPaths(tenant, '2026-01-02')))
      await rm(join(site.folder, path), { force: true });
    const missed = await archiveVerdict(site.folder, keys);
    assert.deepEqual(
      missed.findings.map(({ kind, tenant: whose, day, throughDay }) => [kind, whose, day, throughDay]),
      [['missing', tenant, '2026-01-02', undefined]],
    );
    if (hasPython) {
      const places = second().told[0]?.map(({ owner, day }) => [owner, day]);
      assert.deepEqual(places, [[tenant, '2026-01-02']]);
    }
  });
});
