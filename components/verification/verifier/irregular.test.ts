import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { writeFiles, exampleArchive, exampleDays, exampleKeyLines, exampleTenants } from '@steward/archive/testing';
import { dayPaths, keyPath } from '@steward/archive/format';
import { hasPython, secondVerifier } from '../fixtures/python.ts';
import { folderReader, verifyArchive } from './steward-audit-verify.mjs';

const now = new Date('2026-03-06T12:00:00Z');
const [alpha] = exampleTenants;
const day = exampleDays[2];
const paths = dayPaths(alpha, day);
/** Far more than this machine has memory, and no disk: whoever reads it is still reading when the test is over. */
const huge = 2 ** 40;

/** What may stand in the place of a file. */
const shapes: Readonly<Record<string, (place: string) => Promise<unknown>>> = {
  'a pipe': async (place) => void execFileSync('/usr/bin/env', ['mkfifo', place]),
  'a folder': async (place) => mkdir(place),
  'a link to nothing': async (place) => symlink('/nowhere', place),
  'a link to a device': async (place) => symlink('/dev/zero', place),
  'a file of a terabyte': async (place) => {
    await writeFile(place, '');
    await truncate(place, huge);
  },
};

if (process.platform !== 'win32') {
  describe('what stands in an archive and is no plain file of a size that can be right', () => {
    let folder = '';
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'steward-irregular-'));
    });
    after(async () => rm(folder, { recursive: true }));

    const { files } = exampleArchive();
    const places = [
      [paths.rows, alpha, day, 'irregular'],
      [paths.manifest, alpha, day, 'irregular'],
      [paths.checkpoint, alpha, day, 'irregular'],
      [dayPaths('platform', day).rows, 'platform', day, 'irregular'],
      [dayPaths('platform', day).manifest, 'platform', day, 'irregular'],
      [keyPath('0123456789abcdef'), 'platform', '', 'key'],
      // A day that is not over yet, and days so far off that looking for those between would take for ever.
      ...['2026-03-06', '2026-03-07', '9999-12-31', '0001-01-01'].map(
        (strange) => [dayPaths(alpha, strange).manifest, alpha, strange, 'early'] as const,
      ),
    ] as const;

    const found = async (archive: string): Promise<string[]> =>
      (await verifyArchive(folderReader(archive), { keys: exampleKeyLines.slice(0, 1), now })).findings.map(
        ({ tenant, day: told = '', kind }) => `${tenant} ${told} ${kind}`,
      );

    test('is a finding to both verifiers, and is read by neither', async () => {
      const cases = places.flatMap(([path, owner, of, kind]) =>
        Object.entries(shapes).map(([what, make]) => ({ path, owner, of, kind, what, make })),
      );
      const archives: string[] = [];
      for (const [at, { path, owner, of, kind, what, make }] of cases.entries()) {
        const archive = join(folder, String(at));
        archives.push(archive);
        await writeFiles(archive, new Map([...files].filter(([name]) => name !== path)));
        await mkdir(dirname(join(archive, path)), { recursive: true });
        await make(join(archive, path));
        const told = await found(archive);
        assert.ok(told.includes(`${owner} ${of} ${kind}`), `${path}, ${what}: ${told.join(', ')}`);
      }
      if (!hasPython) return;
      const { told } = secondVerifier('--archive', ...archives);
      for (const [at, { path, owner, of, what }] of cases.entries())
        assert.ok(
          told[at]?.some((one) => one.owner === owner && (one.day ?? '') === of),
          `${path}, ${what}: ${JSON.stringify(told[at])}`,
        );
    });

    test('rows that were moved elsewhere and linked to are missing where they belong', async () => {
      const archive = join(folder, 'moved');
      await writeFiles(archive, files);
      await rename(join(archive, paths.rows), join(archive, 'elsewhere'));
      await symlink(join(archive, 'elsewhere'), join(archive, paths.rows));
      assert.ok((await found(archive)).includes(`${alpha} ${day} irregular`));
    });
  });
}
