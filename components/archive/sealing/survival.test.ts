import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { pastChain } from '@steward/audit/testing';
import {
  archiveVerdict,
  createSealingWorld,
  objectsOf,
  openFolder,
  sealed,
  type SealingWorld,
} from '../fixtures/sealing.ts';

const entry = fileURLToPath(new URL('../fixtures/sealer-child.ts', import.meta.url));

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** A process of its own that seals once; `when` says where it kills itself. */
async function sealerProcess(site: SealingWorld, through: string, when = 'never', nth = 0): Promise<Ended> {
  const { database, dataDir } = site.world;
  const child = spawn(process.execPath, [entry, database.appUrl, dataDir, site.folder, through, when, String(nth)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { signal, output };
}

describe('a sealer', () => {
  test('makes the same files as another one at the same time, in a process of its own', async () => {
    await using site = await createSealingWorld();
    const { admin } = site.world;
    for (let n = 0; n < 12; n += 1) await pastChain(admin, { days: { '2026-03-01': n + 1, '2026-03-03': 2 } });
    await site.process().start();
    const ended = await Promise.all([1, 2, 3].map(async () => sealerProcess(site, '2026-03-04')));
    for (const { output } of ended)
      assert.deepEqual((JSON.parse(output) as { refused: string[] }).refused, [], 'no one is in the way of another');
    const { archive } = site.process();
    assert.deepEqual(await sealed(archive, '2026-03-04'), { days: 0, platformDays: 0 });
    const verdict = await archiveVerdict(site.folder, await archive.keys.registered());
    assert.deepEqual([verdict.findings, verdict.tenants, verdict.days], [[], 12, 48]);
  });

  // The first objects are the claim and the note of the key; rows, manifest and checkpoint of the tenant follow, then of the platform.
  const moments: readonly (readonly [string, number])[] = [
    ['turn', 1],
    ['turn', 2],
    ['after', 1],
    ['before', 4],
    ['after', 4],
    ['after', 6],
  ];
  test('that is killed anywhere leaves nothing that the next one does not complete', async () => {
    await using whole = await createSealingWorld();
    const days = { '2026-03-01': 8_500, '2026-03-02': 1 };
    const tenant = await pastChain(whole.world.admin, { days });
    await whole.process().start();
    await sealerProcess(whole, '2026-03-02');
    const wanted = await objectsOf(whole.folder);
    assert.equal(wanted.size, 1 + 1 + 2 * 6);
    for (const [when, nth] of moments) {
      await whole.world.admin.withClient(async (client) => {
        for (const table of ['sealed_day', 'platform_day'])
          await client.query(
            `alter table audit.${table} disable trigger all; delete from audit.${table}; alter table audit.${table} enable always trigger append_only`,
          );
      });
      const folder = await mkdtemp(join(tmpdir(), 'steward-archive-'));
      const site = { ...whole, folder };
      const other = whole.process({ openArchive: async () => openFolder(folder) });
      const { signal } = await sealerProcess(site, '2026-03-02', when, nth);
      assert.equal(signal, 'SIGKILL', `${when} ${nth}`);
      await sealed(other.archive, '2026-03-02');
      assert.deepEqual(await objectsOf(folder), wanted, `${when} ${nth}`);
      await rm(folder, { recursive: true });
    }
    const rows = await whole.world.admin.query(sql`select day from audit.sealed_day where tenant_id = ${tenant}`);
    assert.equal(rows.length, 2);
  });
});
