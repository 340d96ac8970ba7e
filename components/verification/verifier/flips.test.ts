import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readerOf, writeFiles, exampleArchive, exampleKeyLines } from '@steward/archive/testing';
import { hasPython, secondVerifier } from '../fixtures/python.ts';
import { verifyArchive } from './steward-audit-verify.mjs';

const now = new Date('2026-03-06T12:00:00Z');
const { files } = exampleArchive();
const paths = [...files].filter(([, bytes]) => bytes.length > 0).map(([path]) => path);

/** Some bits of one byte anywhere in any file. */
function flip(): { readonly what: string; readonly flipped: Map<string, Buffer> } {
  const path = paths[randomInt(paths.length)] ?? '';
  const bytes = Buffer.from(files.get(path) ?? Buffer.of());
  const at = randomInt(bytes.length);
  const bits = 1 + randomInt(255);
  bytes[at] = (bytes[at] ?? 0) ^ bits;
  return { what: `${path}, byte ${at}, xor ${bits}`, flipped: new Map(files).set(path, bytes) };
}

describe('no byte of an archive can be changed unseen', () => {
  test('by the first verifier, at three hundred random places', async () => {
    for (let time = 0; time < 300; time += 1) {
      const { what, flipped } = flip();
      const verdict = await verifyArchive(readerOf(flipped), { keys: exampleKeyLines.slice(0, 1), now });
      assert.ok(!verdict.ok && verdict.integrity === 'broken', what);
    }
  });

  if (hasPython) {
    test('by the second, at sixty', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'steward-flips-'));
      const flips = Array.from({ length: 60 }, flip);
      const folders = flips.map((_, at) => join(folder, String(at)));
      for (const [at, { flipped }] of flips.entries()) await writeFiles(folders[at] ?? '', flipped);
      const { told } = secondVerifier('--archive', ...folders);
      for (const [at, { what }] of flips.entries()) assert.ok((told[at] ?? []).length > 0, what);
      await rm(folder, { recursive: true });
    });
  }
});
