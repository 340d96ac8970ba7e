import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { writeFiles } from '../fixtures/archive.ts';
import { exampleArchive, exampleKeyLines, exampleTenants } from '../fixtures/example-archive.ts';
import { hasPython, secondVerifier } from '../fixtures/python.ts';
import { folderReader, verifyArchive } from './steward-audit-verify.mjs';

const now = new Date('2026-03-06T12:00:00Z');

if (process.platform !== 'win32') {
  describe('what stands in an archive and is no plain file', () => {
    const [alpha] = exampleTenants;
    let folder = '';
    let days: string[] = [];
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'steward-irregular-'));
      const { files } = exampleArchive();
      await writeFiles(folder, files);
      days = [...files.keys()].filter((path) => path.startsWith(`${alpha}/`) && path.endsWith('.jsonl')).toSorted();
    });
    after(async () => rm(folder, { recursive: true }));

    const found = async (): Promise<string[]> =>
      (await verifyArchive(folderReader(folder), { keys: exampleKeyLines.slice(0, 1), now })).findings.map(
        ({ tenant, day }) => `${tenant} ${day}`,
      );

    test('a pipe in place of rows, and a link to what was there, are findings to both verifiers, and hang neither', async () => {
      assert.deepEqual(await found(), []);
      const [one = '', , other = ''] = days;
      await rm(join(folder, one), { force: true });
      execFileSync('/usr/bin/env', ['mkfifo', join(folder, one)]);
      await rename(join(folder, other), join(folder, 'elsewhere'));
      await symlink(join(folder, 'elsewhere'), join(folder, other));
      const places = [one, other].map((path) => {
        const [, year, month, name = ''] = path.split('/');
        return `${alpha} ${year}-${month}-${name.slice(0, 2)}`;
      });
      const told = await found();
      for (const place of places) assert.ok(told.includes(place), `${place} in ${told.join(', ')}`);
      if (!hasPython) return;
      const { status, told: second } = secondVerifier('--archive', folder);
      assert.equal(status, 1);
      const named = (second[0] ?? []).map(({ owner, day }) => `${owner} ${day}`);
      for (const place of places) assert.ok(named.includes(place), `${place} in ${named.join(', ')}`);
    });
  });
}
