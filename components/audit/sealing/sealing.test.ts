import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createSealingWorld, sealed } from '../fixtures/sealing.ts';
import { pastChain } from '../fixtures/days.ts';
import { readManifest } from '../archive/manifest.ts';
import { dayPaths } from '../archive/paths.ts';

describe('sealing', () => {
  test('archives every day of every tenant, empty ones too, and the platform', async () => {
    await using site = await createSealingWorld();
    const one = site.process();
    const a = await pastChain(site.world.admin, { days: { '2026-03-01': 3, '2026-03-04': 2 } });
    const b = await pastChain(site.world.admin, { days: { '2026-03-02': 1 } });
    assert.deepEqual(await sealed(one.audit, '2026-03-05'), { days: 5 + 4, platformDays: 5 });
    const text = await readFile(join(site.folder, dayPaths(a, '2026-03-04').rows), 'utf8');
    assert.equal(text.split('\n').length, 3);
    const manifest = readManifest(await readFile(join(site.folder, dayPaths(a, '2026-03-04').manifest)));
    console.log(manifest, b);
    assert.deepEqual(await sealed(one.audit, '2026-03-05'), { days: 0, platformDays: 0 });
  });
});
