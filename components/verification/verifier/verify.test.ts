import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, test } from 'node:test';
import { dayPaths } from '@steward/archive/format';
import {
  MadeArchive,
  readerOf,
  exampleArchive,
  exampleKeyLines,
  exampleKeys,
  exampleTenants,
  quietArchive,
} from '@steward/archive/testing';
import { restored, unborn } from '../fixtures/tampers/other-archives.ts';
import { foundOf } from '../fixtures/tampers/tamper.ts';
import { type Options, verifyArchive } from './steward-audit-verify.mjs';

const [alpha, beta] = exampleTenants;
const options = { keys: exampleKeyLines.slice(0, 1), now: new Date('2026-03-06T12:00:00Z') };
const verify = async (files: ReadonlyMap<string, Buffer>, more: Partial<Options> = {}) =>
  verifyArchive(readerOf(files), { ...options, ...more });

describe('a good archive', () => {
  test('is verified with any one of its keys, followed forwards and backwards', async () => {
    const { files } = exampleArchive();
    for (const key of exampleKeyLines) {
      const { findings, notes, ...verdict } = await verify(files, { keys: [key] });
      assert.deepEqual([findings, notes], [[], []]);
      assert.deepEqual(verdict, {
        ok: true,
        integrity: 'ok',
        completeness: 'ok',
        freshness: 'ok',
        tenants: 2,
        days: 9,
        rows: 15,
        bytes: [...files]
          .filter(([path]) => /^0.*\.jsonl$/.test(path))
          .reduce((sum, [, { length }]) => sum + length, 0),
        newestDay: '2026-03-03',
        truncated: false,
      });
    }
  });

  test('holds for one tenant, with its own folder and the keys alone, as far as one can see from there', async () => {
    const files = new Map(
      [...exampleArchive().files].filter(([path]) => path.startsWith(alpha) || path.startsWith('platform/keys/')),
    );
    const verdict = await verify(files, { tenant: alpha });
    assert.deepEqual([verdict.ok, verdict.completeness, verdict.tenants], [true, 'unknown', 1]);
    assert.match(verdict.notes.join('\n'), /without the days of the platform/);
    const { files: all } = exampleArchive();
    for (const path of all.keys()) if (path.startsWith(beta)) all.delete(path);
    assert.ok((await verify(all, { tenant: alpha })).ok);
    assert.deepEqual((await verify(all, { tenant: beta })).findings.map(foundOf), [
      'beta 2026-02-28..2026-03-03 missing',
    ]);
  });

  test('grows old', async () => {
    const { files } = exampleArchive();
    const at = (day: string) => ({ now: new Date(`${day}T12:00:00Z`) });
    assert.equal((await verify(files, at('2026-03-06'))).freshness, 'ok');
    const old = await verify(files, at('2026-03-07'));
    assert.deepEqual([old.ok, old.integrity, old.completeness, old.freshness], [false, 'ok', 'ok', 'stale']);
    assert.ok((await verify(files, { ...at('2026-03-07'), freshWithinDays: 4 })).ok);
  });

  test('is not blamed while yesterday is still being sealed, and is a day later', async () => {
    const { files } = exampleArchive();
    for (const path of Object.values(dayPaths('platform', '2026-03-03'))) files.delete(path);
    files.delete(dayPaths(beta, '2026-03-03').checkpoint);
    const during = await verify(files, { now: new Date('2026-03-04T00:10:00Z') });
    assert.deepEqual(during.findings, []);
    assert.match(during.notes.join('\n'), new RegExp(`${beta} 2026-03-03 is not sealed yet`));
    const after = await verify(files, { now: new Date('2026-03-05T00:10:00Z') });
    assert.deepEqual(after.findings.map(foundOf), ['beta 2026-03-03 missing', 'platform 2026-03-03 missing']);
  });
});

describe('a restored backup', () => {
  test('is no finding once it is known, and stays a note', async () => {
    const known = await verify(restored(6).files, { acceptIncarnation: 2 });
    assert.deepEqual(known.findings, []);
    assert.match(known.notes.join('\n'), /a backup was restored: of incarnation 1 rows of the archive were lost/);
    const unknown = await verify(unborn().files, { acceptIncarnation: 2 });
    assert.deepEqual(unknown.findings, []);
    assert.match(unknown.notes.join('\n'), new RegExp(`${beta} 2026-03-04: a backup was restored that did not know`));
    const foreign = await verify(restored(6, true).files, { acceptIncarnation: 2 });
    assert.deepEqual(foreign.findings.map(foundOf), ['alpha 2026-03-04 fork 7']);
    const quiet = await verify(quietArchive().files, { acceptIncarnation: 2 });
    assert.deepEqual(quiet.findings, []);
    assert.match(quiet.notes.join('\n'), /hourly checkpoint 1 of .* has seen rows that were lost, which is known/);
    const rewritten = await verify(quietArchive(true).files, { acceptIncarnation: 2 });
    assert.deepEqual(rewritten.findings.map(foundOf), ['alpha 2026-03-03 hour 10']);
  });
});

describe('events', () => {
  test('that are not canonical are found where that is asked for', async () => {
    const archive = new MadeArchive(exampleKeys[0]);
    const wrong = [
      '{"b":1,"a":2,"tenantId":"T","type":"x"}',
      '{"a":1.0,"tenantId":"T","type":"x"}',
      '{"a":"\\ud800","tenantId":"T","type":"x"}',
    ];
    archive.append(alpha, '2026-03-01', '10:00:00.000', {
      type: 'x',
      text: '\u2028',
      deep: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    });
    for (const text of wrong) archive.appendText(alpha, '2026-03-01', '10:00:00.000', text.replace('T', alpha));
    archive.seal(alpha, '2026-03-01');
    archive.sealPlatform('2026-03-01');
    const lax = { freshWithinDays: 9 };
    assert.deepEqual((await verify(archive.files, lax)).findings, []);
    const strict = await verify(archive.files, { ...lax, canonical: true });
    assert.deepEqual(strict.findings.map(foundOf), ['alpha 2026-03-01 canonical 2-4']);
  });

  test('may have a type of any length, and name their tenant only once where it counts', async () => {
    const archive = new MadeArchive(exampleKeys[0]);
    archive.append(alpha, '2026-03-01', '10:00:00.000', {
      type: 'x'.repeat(1000),
      payload: { tenantId: beta, type: 'y' },
    });
    archive.appendText(
      alpha,
      '2026-03-01',
      '10:00:00.000',
      `{"payload":{"tenantId":"${alpha}","type":"x"},"tenantId":"${beta}","type":"x"}`,
    );
    archive.seal(alpha, '2026-03-01');
    archive.sealPlatform('2026-03-01');
    const { findings } = await verify(archive.files, { freshWithinDays: 9 });
    assert.deepEqual(findings.map(foundOf), ['alpha 2026-03-01 tenant 2']);
  });

  test('are read whatever the pieces are that a file comes in', async () => {
    const { files } = exampleArchive();
    for (const piece of [1, 7, 4096]) {
      const reader = readerOf(files, piece);
      assert.ok((await verifyArchive(reader, options)).ok, `pieces of ${piece} bytes`);
    }
    assert.equal(
      hash('sha256', files.get(dayPaths(alpha, '2026-02-27').rows) ?? ''),
      JSON.parse(files.get(dayPaths(alpha, '2026-02-27').manifest)?.toString() ?? '{}').sha256,
      'nothing that was read was changed',
    );
  });
});
