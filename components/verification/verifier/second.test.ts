import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { quietArchive, readerOf, writeFiles, exampleKeyLines } from '@steward/archive/testing';
import { hasPython, secondVerifier } from '../fixtures/python.ts';
import { tampers } from '../fixtures/tampers/all.ts';
import { restored, unborn } from '../fixtures/tampers/other-archives.ts';
import { tampered } from '../fixtures/tampers/tamper.ts';
import { vectorsFolder } from '../fixtures/vectors.ts';
import { verifyArchive } from './steward-audit-verify.mjs';

const vector = (name: string): string => fileURLToPath(new URL(name, vectorsFolder));
const [key = ''] = exampleKeyLines;
const now = new Date('2026-03-06T12:00:00Z');

const placesOf = (told: readonly Place[]): string[] =>
  [...new Set(told.map(({ owner, day }) => `${owner} ${day}`))].toSorted();

/** Of each owner and day the first bad row, where one is named. */
function firstRows<T extends Place>(told: readonly T[]): T[] {
  const least = new Map<string, T>();
  for (const one of told) {
    const place = `${one.owner} ${one.day}`;
    if (one.sequence !== null && one.sequence < (least.get(place)?.sequence ?? Infinity)) least.set(place, one);
  }
  return [...least.values()];
}

interface Place {
  readonly owner: string;
  readonly day: string | null;
  readonly sequence: number | null;
}

if (hasPython) {
  describe('the second verifier, in Python', () => {
    let folder = '';
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'steward-archives-'));
    });
    after(async () => rm(folder, { recursive: true }));

    test('holds the vectors to be good: archive, proof, receipt and export', () => {
      for (const [option, name] of [
        ['--archive', 'archive'],
        ['--proof', 'proof.json'],
        ['--proof', 'receipt.json'],
        ['--export', 'export.jsonl'],
      ] as const) {
        const { status, told } = secondVerifier(option, vector(name));
        assert.deepEqual({ status, told }, { status: 0, told: [[]] });
      }
    });

    test('forgives a restored backup that is known, and not a foreign one', async () => {
      const archives = [restored(6), unborn(), quietArchive(), restored(6, true), quietArchive(true)];
      const folders = archives.map((_, at) => join(folder, `restored-${at}`));
      for (const [at, archive] of archives.entries()) await archive.write(folders[at] ?? '');
      const { told } = secondVerifier('--accept-incarnation', '2', '--archive', ...folders);
      assert.deepEqual(
        told.map((found) => found.map(({ day, sequence }) => `${day} ${sequence}`)),
        [[], [], [], ['2026-03-04 7'], ['2026-03-03 10']],
      );
    });

    test('finds what was done to an archive where the first verifier finds it', async () => {
      const folders = tampers.map((_, at) => join(folder, `tampered-${at}`));
      for (const [at, tamper] of tampers.entries()) await writeFiles(folders[at] ?? '', tampered(tamper));
      const { status, told } = secondVerifier('--archive', ...folders);
      assert.equal(status, 1);
      for (const [at, tamper] of tampers.entries()) {
        const { findings } = await verifyArchive(readerOf(tampered(tamper)), { keys: [key], now });
        const expanded = findings.flatMap(({ tenant: owner, day, throughDay = day, sequence }) =>
          daysOf(day, throughDay).map((one) => ({
            owner,
            day: one,
            sequence: sequence ?? null,
            run: day !== throughDay,
          })),
        );
        const second = told[at] ?? [];
        const detail = `${tamper.name}: ${JSON.stringify([second, findings])}`;
        assert.deepEqual(placesOf(second), placesOf(expanded), detail);
        for (const { owner, day, sequence, run } of firstRows(expanded)) {
          if (!run)
            assert.equal(
              firstRows(second.filter((one) => one.owner === owner && one.day === day))[0]?.sequence,
              sequence,
              detail,
            );
        }
      }
    });
  });
}

function daysOf(from: string | undefined, through: string | undefined): (string | null)[] {
  const days: string[] = [];
  for (let at = Date.parse(from ?? ''); at <= Date.parse(through ?? ''); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days.length === 0 ? [null] : days;
}
