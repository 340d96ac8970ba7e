import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { writeKeyNote } from '@steward/archive/format';
import { readerOf, exampleArchive, exampleKeyLines, exampleKeys, exampleTenants } from '@steward/archive/testing';
import { hasPython, secondVerifier } from '../fixtures/python.ts';
import { vectors, vectorsFolder } from '../fixtures/vectors.ts';
import { verifyExport, verifyProof } from './steward-audit-verify.mjs';

const archive = exampleArchive();
const [alpha, beta] = exampleTenants;
const keys = exampleKeyLines.slice(0, 1);
const proof = archive.proof(alpha, 5);
const receipt = archive.receipt(alpha, 10);
const exported = archive.export(alpha);

type Change = (text: string) => string;
const member =
  (name: string, value: unknown): Change =>
  (text) =>
    JSON.stringify({ ...(JSON.parse(text) as object), [name]: value });
const last: Change = (text) => text.replace(/"path":\["(.)/, (_, digit) => `"path":["${digit === '0' ? '1' : '0'}`);

const wrongProofs: readonly (readonly [what: string, change: Change, kind: string])[] = [
  ['another event', (text) => text.replace('2002', '2003'), 'chain'],
  ['another time', (text) => text.replace('T12:00:02.500', 'T12:00:02.501'), 'chain'],
  ['a time before 1970', (text) => text.replace('"receivedAt":"2026', '"receivedAt":"1026'), 'form'],
  ['another sequence', member('sequence', 6), 'chain'],
  ['another previous hash', member('previousHash', '00'.repeat(32)), 'chain'],
  ['another tenant', member('tenant', beta), 'tenant'],
  ['another day', member('day', '2026-03-02'), 'misplaced'],
  ['another leaf', member('leafIndex', 2), 'rows'],
  ['another size', member('treeSize', 6), 'checkpoint'],
  ['another path', last, 'rows'],
  ['a path too short', member('path', []), 'rows'],
  ['another format', member('format', 'steward-audit-proof/2'), 'form'],
  [
    'a checkpoint of another day',
    member('checkpoint', archive.files.get(`${alpha}/2026/02/27.checkpoint`)?.toString()),
    'misplaced',
  ],
  ['a checkpoint changed', (text) => text.replace('\\n5\\n', '\\n4\\n'), 'signature'],
  ['two events', (text) => text.replace('{', String.raw`{"event":"{\"total\":1}",`), 'form'],
  ['two events, one in other letters', (text) => text.replace('{', String.raw`{"\u0065vent":"{}",`), 'form'],
  ['a member twice in a member', (text) => text.replace('{', '{"more":[{"a" :1,"a":2}],'), 'form'],
  ['a member of no proof', member('note', 'paid'), 'form'],
  ['a member of a receipt', member('receipt', (JSON.parse(receipt) as { receipt: unknown }).receipt), 'form'],
  ['a lone surrogate', (text) => text.replace('2002', String.raw`20\ud800`), 'form'],
  ['no JSON', () => '{', 'form'],
];

const inside =
  (name: string, change: (value: Record<string, unknown>) => unknown): Change =>
  (text) => {
    const told = JSON.parse(text) as Record<string, Record<string, unknown>>;
    return JSON.stringify({ ...told, [name]: change(told[name] ?? {}) });
  };

const wrongReceipts: readonly (readonly [what: string, change: Change, kind: string])[] = [
  ['another event', (text) => text.replace('4001', '4002'), 'chain'],
  ['another time', (text) => text.replace('T09:00:00.000Z', 'T09:00:00.001Z'), 'chain'],
  ['a time before 1970', (text) => text.replace('"receivedAt":"2026', '"receivedAt":"1026'), 'form'],
  ['another sequence', member('sequence', 11), 'chain'],
  ['another previous hash', member('previousHash', '00'.repeat(32)), 'chain'],
  ['another tenant', member('tenant', beta), 'tenant'],
  ['another format', member('format', 'steward-audit-receipt/2'), 'form'],
  ['the format of a proof', member('format', 'steward-audit-proof/1'), 'form'],
  ['no signature', member('receipt', null), 'form'],
  ['two sequences', (text) => text.replace('{', '{"sequence":9,'), 'form'],
  ['two signatures', (text) => text.replace('"signature":', '"signature":"x","signature":'), 'form'],
  ['a signature of another format', inside('receipt', (one) => ({ ...one, format: 'audit-receipt/v2' })), 'form'],
  ['the key that was retired', inside('receipt', (one) => ({ ...one, keyId: exampleKeys[0].keyId })), 'signature'],
  ['a key that nobody knows', inside('receipt', (one) => ({ ...one, keyId: '00'.repeat(8) })), 'signature'],
  [
    'a signature of another event',
    member('receipt', (JSON.parse(archive.receipt(alpha, 9)) as { receipt: unknown }).receipt),
    'signature',
  ],
  [
    'another form of the same signature',
    inside('receipt', (one) => ({ ...one, signature: nextLast(String(one['signature'])) })),
    'signature',
  ],
  ['a member of no receipt', member('note', 'paid'), 'form'],
  ['a member of a proof', member('day', '2026-03-03'), 'form'],
  ['a signature with a member of no signature', inside('receipt', (one) => ({ ...one, by: 'a bank' })), 'form'],
  ['no notes of keys', member('keys', []), 'signature'],
];

/** The last character of 64 bytes in base64url has four bits that decode to nothing. */
function nextLast(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1) ?? '') + 1];
}

const line =
  (sequence: number, change: Change): Change =>
  (text) =>
    text
      .split('\n')
      .map((one) => (one.includes(`"sequence":${sequence}}`) ? change(one) : one))
      .join('\n');

const wrongExports: readonly (readonly [what: string, change: Change, found: readonly string[]])[] = [
  ['an event changed', line(5, (text) => text.replace('2002', '2222')), ['chain 5']],
  ['a time changed', line(5, (text) => text.replace('T12:00:02.500', 'T12:00:02.501')), ['chain 5']],
  ['a time before 1970', line(10, (text) => text.replace('"receivedAt":"2026', '"receivedAt":"1026')), ['form 10']],
  ['a row hash changed', line(5, (text) => text.replace(/("rowHash":")../, '$100')), ['chain 5']],
  ['a number changed', line(5, (text) => text.replace('"sequence":5}', '"sequence":50}')), ['chain 50']],
  ['rows swapped', (text) => text.replace(/(.*"sequence":5\}\n)(.*"sequence":6\}\n)/, '$2$1'), ['order 5']],
  ['CR LF', (text) => text.replaceAll('\n', '\r\n'), ['form 1-10']],
  ['the last newline missing', (text) => text.slice(0, -1), ['form 10']],
  ['cut', (text) => text.slice(0, -100), ['tail 10']],
  [
    'a row of another tenant',
    (text) => text + archive.export(beta, ({ sequence }) => sequence === 5).replace('"sequence":5}', '"sequence":11}'),
    ['chain 11', 'tenant 11'],
  ],
  [
    'a chain that begins elsewhere',
    line(1, (text) => text.replace(/("prevHash":")../, '$100')),
    ['chain 1', 'genesis 1'],
  ],
];

async function* streamOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

describe("one event's proof", () => {
  test('holds with the key alone, and shows which event', async () => {
    const { ok, proved } = await verifyProof(proof, { keys });
    assert.ok(ok);
    assert.deepEqual([proved?.tenant, proved?.day, proved?.sequence], [alpha, '2026-03-01', 5]);
    assert.equal(proved?.event, archive.rows(alpha)[4]?.event);
  });

  test('of every row holds, and through the notes of keys where it was signed by a later one', async () => {
    const reader = readerOf(archive.files);
    for (const tenant of exampleTenants)
      for (const { sequence } of archive.rows(tenant))
        assert.ok((await verifyProof(archive.proof(tenant, sequence), { keys, reader })).ok, `${tenant} ${sequence}`);
    // The notes of the keys travel with the proof; without them, or without its time, the later key is nobody's.
    const later = JSON.parse(archive.proof(alpha, 10)) as { keys?: string[] };
    assert.ok((await verifyProof(JSON.stringify(later), { keys })).ok);
    const { keys: _notes, ...bare } = later;
    const forged = {
      ...later,
      keys: [writeKeyNote(exampleKeys[1], '2026-03-09', { key: exampleKeys[0], through: '2026-03-09' })],
    };
    for (const told of [bare, forged]) {
      const { findings } = await verifyProof(JSON.stringify(told), { keys });
      assert.deepEqual(
        findings.map(({ kind }) => kind),
        ['signature'],
      );
    }
  });

  test('that says anything else does not hold', async () => {
    for (const [what, change, kind] of wrongProofs) {
      assert.notEqual(change(proof), proof, what);
      const { ok, findings } = await verifyProof(change(proof), { keys });
      assert.deepEqual([ok, findings.map((one) => one.kind)], [false, [kind]], `${what}: ${JSON.stringify(findings)}`);
    }
  });
});

describe('the receipt of an event whose day is not sealed', () => {
  test('holds with the first key alone, shows which event, and says that it is no proof', async () => {
    const { ok, proved, notes } = await verifyProof(receipt, { keys });
    assert.ok(ok);
    assert.deepEqual([proved?.tenant, proved?.day, proved?.sequence], [alpha, '2026-03-03', 10]);
    assert.match(notes.join(), /receipt/);
  });

  test('that says anything else does not hold', async () => {
    for (const [what, change, kind] of wrongReceipts) {
      assert.notEqual(change(receipt), receipt, what);
      const { ok, findings } = await verifyProof(change(receipt), { keys });
      assert.deepEqual([ok, findings.map((one) => one.kind)], [false, [kind]], `${what}: ${JSON.stringify(findings)}`);
    }
  });

  test('of a day before the time of its key does not hold', async () => {
    const { findings } = await verifyProof(archive.receipt(alpha, 5), { keys });
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      ['signature'],
    );
  });
});

describe('an export', () => {
  test('holds line by line, with rows left out', async () => {
    const whole = await verifyExport(streamOf(exported), { canonical: true });
    assert.deepEqual(
      [whole.ok, whole.tenant, whole.rows, whole.first, whole.last, whole.holes],
      [true, alpha, 10, 1, 10, 0],
    );
    const some = await verifyExport(streamOf(archive.export(alpha, ({ sequence }) => sequence % 3 !== 0)));
    assert.deepEqual([some.ok, some.rows, some.holes], [true, 7, 3]);
    assert.ok((await verifyExport(streamOf(''))).ok);
  });

  test('that was changed does not hold, and says where', async () => {
    for (const [what, change, found] of wrongExports) {
      assert.notEqual(change(exported), exported, what);
      const { findings } = await verifyExport(streamOf(change(exported)));
      const told = findings.map(
        ({ kind, sequence, through }) => `${kind} ${sequence === through ? sequence : `${sequence}-${through}`}`,
      );
      assert.deepEqual(told.toSorted(), found.toSorted(), `${what}: ${JSON.stringify(findings)}`);
    }
  });
});

describe('the vectors', () => {
  test('are the bytes that the example archive is made of', async () => {
    for (const [path, bytes] of vectors()) assert.deepEqual(await readFile(new URL(path, vectorsFolder)), bytes, path);
  });

  if (hasPython) {
    test('changed as above do not hold for the second verifier either', async () => {
      for (const [option, text, changes] of [
        ['--proof', proof, wrongProofs],
        ['--proof', receipt, wrongReceipts],
        ['--export', exported, wrongExports],
      ] as const) {
        const folder = await mkdtemp(join(tmpdir(), 'steward-documents-'));
        const files = changes.map((_, at) => join(folder, String(at)));
        for (const [at, [, change]] of changes.entries()) await writeFile(files[at] ?? '', change(text));
        const { told } = secondVerifier(option, ...files);
        for (const [at, [what]] of changes.entries()) assert.equal(told[at]?.length, 1, what);
        await rm(folder, { recursive: true });
      }
    });
  }
});
