import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { verifyExport as standAlone } from '@steward/verification/verifier';
import { judgeFiles, type Asked, type Told } from './judge.ts';
import { verifyExport } from './rows.ts';

const vectors = new URL('../../../../conformance/audit/vectors/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, vectors), 'utf8');

async function* streamOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

describe('rows in the page', () => {
  const exported = read('export.jsonl');
  const key = read('key').trim();
  const receipt = read('receipt.json');
  const { tenant, keys: notes } = JSON.parse(receipt) as { readonly tenant: string; readonly keys: readonly string[] };
  const other = '01980a4e-7d00-7000-8000-000000000000';
  const lines = exported.split(/(?<=\n)/);
  /** From the fifth on, so that none is left out: the vector has a hole where the fourth row was. */
  const whole = lines.slice(3).join('');
  const asked: Asked = { proofOf: async () => receipt, notes: async () => notes };
  const judged = async (text: string, pinned?: string, about = tenant, more = asked): Promise<Told> =>
    judgeFiles([{ name: 'audit.jsonl', bytes: Buffer.from(text) }], pinned, { tenant: about }, more);

  test('of an export are whole where a signature that the pinned key vouches for names the last one', async () => {
    const { is, verdict } = await judged(whole, key);
    assert.deepEqual([is, verdict.rows?.count, verdict.rows?.first, verdict.rows?.last], ['whole', 6, 5, 10]);
    assert.deepEqual(
      verdict.computed.map(({ step }) => step),
      ['row', 'signature'],
    );
  });

  test('only agree with themselves without a key, with a hole, or before the row that is signed', async () => {
    assert.equal((await judged(whole)).is, 'consistent');
    assert.equal((await judged('')).is, 'consistent');
    const { is, verdict } = await judged(exported, key);
    assert.deepEqual([is, verdict.rows?.holes], ['consistent', 1]);
    // The server answers the signature of another event: it is judged, and not believed.
    const cut = await judged(lines.slice(3, -1).join(''), key);
    assert.deepEqual([cut.is, !cut.verdict.ok && cut.verdict.kind], ['broken', 'misplaced']);
  });

  test('that were all computed anew are not those that were signed', async () => {
    const { event, sequence, receivedAt } = JSON.parse(receipt) as Record<string, string>;
    const own = JSON.parse(event ?? '') as Record<string, unknown>;
    const { createHash } = await import('node:crypto');
    const hash = (...parts: readonly (string | Buffer)[]): Buffer =>
      parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest();
    const changed = JSON.stringify({ ...own, payload: { order_id: '9999' } });
    const number = (value: number): Buffer => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64BE(BigInt(value));
      return bytes;
    };
    const previous = (JSON.parse(receipt) as { readonly previousHash: string }).previousHash;
    const row = hash(
      'audit-row/v1\n',
      Buffer.from(previous, 'hex'),
      number(Number(sequence)),
      number(Date.parse(receivedAt ?? '')),
      hash(`audit-event/v1\n${changed}`),
    ).toString('hex');
    const line = `{"event":${changed},"prevHash":"${previous}","receivedAt":"${receivedAt}","rowHash":"${row}","sequence":${sequence}}\n`;
    const forged = lines.slice(3, -1).join('') + line;
    assert.equal((await verifyExport(forged, { tenant })).ok, true, 'it agrees with itself');
    const { is, verdict } = await judged(forged, key);
    assert.deepEqual([is, !verdict.ok && verdict.kind], ['broken', 'rows']);
  });

  test('of another organization, and what is no export, are told as such', async () => {
    assert.equal((await judged(whole, key, other)).is, 'foreign');
    for (const text of ['{}\n', 'number,when\n1,2\n', 'PK\u0003\u0004\n', '\n'])
      assert.equal((await judged(text, key)).is, 'unread', JSON.stringify(text));
  });

  test('are judged as the stand-alone verifier judges them, wherever a character of them is changed', async () => {
    let broken = 0;
    for (let at = 0; at < exported.length; at += 37) {
      const changed = `${exported.slice(0, at)}${exported[at] === '1' ? '2' : '1'}${exported.slice(at + 1)}`;
      const [here, there] = [await verifyExport(changed, { tenant }), await standAlone(streamOf(changed))];
      // The first row names whose log it is: the stand-alone verifier takes its word, and the page knows.
      if (there.tenant !== tenant && there.tenant !== undefined) continue;
      assert.equal(here.ok, there.ok, `at ${at}: ${JSON.stringify([here, there.findings])}`);
      if (!here.ok) broken += 1;
    }
    assert.ok(broken > exported.length / 37 / 2, String(broken));
  });

  test('are those of the bytes: with a mark of the byte order, or what is no UTF-8, they are others', async () => {
    assert.equal((await judged(`\ufeff${whole}`, key)).is, 'unread');
    const bytes = Buffer.from(whole);
    bytes[bytes.indexOf('commerce')] = 0xff;
    const { is } = await judgeFiles([{ name: 'audit.jsonl', bytes }], key, { tenant }, asked);
    assert.equal(is, 'broken');
  });

  test('are judged one file at a time, so that no other one passes beside it', async () => {
    const one = { name: 'receipt.json', bytes: Buffer.from(receipt) };
    for (const files of [[one, one], [one, { name: 'all.jsonl', bytes: Buffer.from(whole) }], []])
      assert.equal((await judgeFiles(files, key, { tenant }, asked)).is, 'unread');
  });

  describe('of a sealed day', () => {
    const path = (end: string): string => `archive/${tenant}/2026/03/01.${end}`;
    const day = {
      '01.jsonl': read(path('jsonl')),
      '01.manifest.json': read(path('manifest.json')),
      '01.checkpoint': read(path('checkpoint')),
    };
    const of = async (files: Record<string, string>, pinned?: string, about = tenant): Promise<Told> =>
      judgeFiles(
        Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
        pinned,
        { tenant: about },
        asked,
      );

    test('are whole where the pinned key signed them, also empty ones, and days that a later key signed', async () => {
      const { is, verdict } = await of(day, key);
      assert.deepEqual([is, verdict.rows?.count, verdict.rows?.first, verdict.rows?.last], ['whole', 5, 4, 8]);
      assert.equal((await of(day)).is, 'consistent');
      for (const at of ['2026/02/27', '2026/02/28', '2026/03/02', '2026/03/03']) {
        const files: Record<string, string> = {};
        for (const end of ['.jsonl', '.manifest.json', '.checkpoint'])
          files[`x${end}`] = read(`archive/${tenant}/${at}${end}`);
        assert.equal((await of(files, key)).is, 'whole', at);
      }
    });

    test('are not, wherever a character of the three files is changed', async () => {
      for (const name of Object.keys(day) as (keyof typeof day)[]) {
        const text = day[name];
        for (let at = 0; at < text.length; at += 23) {
          const changed = `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;
          const { is } = await of({ ...day, [name]: changed }, key);
          assert.ok(is !== 'whole' && is !== 'consistent', `${name} at ${at}: ${is}`);
        }
      }
    });

    test('are those of no other day or organization', async () => {
      assert.equal((await of(day, key, other)).is, 'foreign');
      const elsewhere = read(`archive/${tenant}/2026/02/27.checkpoint`);
      const { verdict } = await of({ ...day, '01.checkpoint': elsewhere }, key);
      assert.equal(!verdict.ok && verdict.kind, 'misplaced');
    });
  });
});
