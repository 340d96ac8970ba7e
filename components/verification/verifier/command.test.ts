import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { MadeArchive, writeFiles, exampleKeyLines, exampleTenants } from '@steward/archive/testing';
import { vectors } from '../fixtures/vectors.ts';
import { folderReader, type Verdict, verifyArchive } from './steward-audit-verify.mjs';

const [key = '', laterKey = ''] = exampleKeyLines;
const [alpha, beta] = exampleTenants;

describe('the verifier as one file', () => {
  let folder = '';
  const run = (...words: readonly string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, ['steward-audit-verify.mjs', ...words], { cwd: folder, encoding: 'utf8' });
  const old = ['--fresh-within', '99999'];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-alone-'));
    await copyFile(new URL('steward-audit-verify.mjs', import.meta.url), join(folder, 'steward-audit-verify.mjs'));
    await writeFiles(folder, vectors());
  });
  after(async () => rm(folder, { recursive: true }));

  test('verifies archive, proof and export in a folder of its own', () => {
    const archive = run('--archive', 'archive', '--key', key, ...old);
    assert.equal(archive.status, 0, archive.stderr);
    assert.match(
      archive.stdout,
      /^verified\nintegrity ok, completeness ok, freshness ok: newest sealed day 2026-03-03\n2 tenants, 9 days, 15 rows/,
    );
    const proof = run('--proof', 'proof.json', '--key', 'key');
    assert.match(proof.stdout, /^verified\ntenant 01980a4e-7d00-7000-8000-00000000a11d, day 2026-03-01, sequence 5,/);
    // By the notes of keys that the proof carries.
    assert.equal(run('--proof', 'proof.json', '--key', laterKey).status, 0);
    assert.match(
      run('--export', 'export.jsonl').stdout,
      /^consistent: .*not signed, so it proves no origin\n.*: 9 rows, sequences 1 to 10/,
    );
  });

  test('says what is wrong, for people and for machines, and answers 1', () => {
    const told = run('--archive', 'archive', '--key', 'key');
    assert.equal(told.status, 1);
    assert.match(told.stdout, /^NOT verified\n[^]*\nplatform, 2026-03-03, stale \(freshness\): /);
    const verdict = JSON.parse(
      run('--archive', 'archive', '--key', 'key', '--tenant', alpha, '--json').stdout,
    ) as Verdict;
    assert.deepEqual([verdict.ok, verdict.integrity, verdict.freshness, verdict.tenants], [false, 'ok', 'stale', 1]);
  });

  test('lets no document speak to the terminal, nor begin a line of its own', async () => {
    const proof = JSON.parse(String(vectors().get('proof.json'))) as { checkpoint: string; event: string };
    const orders = '\u001b[2J\u001b[H\u009b1mverified\nverified\u202e';
    for (const [name, forged] of Object.entries({
      signer: { ...proof, checkpoint: proof.checkpoint.replace('— steward/audit', `— ${orders.replaceAll('\n', '')}`) },
      tenant: { ...proof, tenant: orders },
    })) {
      await writeFile(join(folder, `${name}.json`), JSON.stringify(forged));
      const { status, stdout, stderr } = run('--proof', `${name}.json`, '--key', 'key');
      assert.equal(status, 1, name);
      assert.doesNotMatch(stdout + stderr, /(?!\n)[\p{Cc}\u202E]|^verified/mu, name);
    }
  });

  test('says of a tenant that is nowhere in the archive that it is missing, not that it is verified', () => {
    const nobody = '01980a4e-7d00-7000-8000-00000000dead';
    const told = run('--archive', 'archive', '--key', key, '--tenant', nobody, ...old);
    assert.equal(told.status, 1);
    assert.match(told.stdout, /^NOT verified\n[^]*dead, missing \(completeness\): the archive knows no such tenant/);
  });

  test('answers 2 and says how it is called where it was not called rightly', () => {
    for (const words of [
      [],
      ['--archive', 'archive'],
      ['--archive', 'nowhere', '--key', key],
      ['--archive', 'archive', '--key', 'nowhere'],
      ['--archive', 'archive', '--key', `${key}x`],
      ['--archive', 'archive', '--key', key, '--fresh-within', 'soon'],
      ['--export', 'export.jsonl', '--proof', 'proof.json', '--key', key],
      ['--export', 'export.jsonl', '--archive', 'archive', '--key', key],
      ['--export', 'export.jsonl', '--key', key],
      ['--surely'],
    ]) {
      const { status, stdout, stderr } = run(...words);
      assert.deepEqual([status, stdout], [2, ''], words.join(' '));
      assert.match(stderr, /node steward-audit-verify\.mjs --archive DIR --key KEY/);
    }
  });
});

describe('threads', () => {
  test('find in large days what one thread finds, and count the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steward-threads-'));
    const archive = new MadeArchive();
    for (const tenant of [alpha, beta]) {
      for (let at = 0; at < 400; at += 1)
        archive.append(tenant, '2026-03-01', '10:00:00.000', { type: 'x', number: at, filler: 'f'.repeat(4000) });
      archive.seal(tenant, '2026-03-01');
    }
    archive.sealPlatform('2026-03-01');
    await archive.write(folder);
    const options = { keys: [archive.key], now: new Date('2026-03-02') };
    const one = await verifyArchive(folderReader(folder), { ...options, workers: 1 });
    assert.deepEqual([one.ok, one.rows], [true, 800]);
    assert.deepEqual(await verifyArchive(folderReader(folder), { ...options, workers: 2 }), one);
    const path = `${beta}/2026/03/01.jsonl`;
    const text = archive.files.get(path)?.toString().replace('"number":77', '"number":78') ?? '';
    await writeFile(join(folder, path), text);
    const [alone, together] = await Promise.all(
      [1, 2].map(async (workers) => verifyArchive(folderReader(folder), { ...options, workers })),
    );
    assert.deepEqual(
      alone?.findings.map(({ kind, tenant, sequence }) => [kind, tenant, sequence]),
      [['chain', beta, 78]],
    );
    assert.deepEqual(together, alone);
    await rm(folder, { recursive: true });
  });
});
