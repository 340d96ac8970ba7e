import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Envelope } from '../envelope/envelope.ts';
import { receiptBytes } from '../receipts/receipt.ts';
import { canonical } from './canonical.ts';
import { eventHash } from './event-hash.ts';
import { genesis } from './genesis.ts';
import { rowHash } from './row-hash.ts';

interface ChainVectors {
  readonly tenantId: string;
  readonly genesis: string;
  readonly rows: readonly {
    readonly envelope: Envelope;
    readonly text: string;
    readonly sequence: number;
    readonly receivedAt: number;
    readonly eventHash: string;
    readonly rowHash: string;
  }[];
  readonly receipt: { readonly members: { readonly receivedAt: string }; readonly bytesHex: string };
}

interface JcsVectors {
  readonly numbers: readonly { readonly bits: string; readonly text: string }[];
  readonly documents: readonly { readonly input: string; readonly output: string }[];
  readonly numberSuite: { readonly edges: string; readonly sha256OfFirstLines: Readonly<Record<string, string>> };
}

const folder = new URL('../../../conformance/audit/', import.meta.url);
const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as T;
const chain = read<ChainVectors>('chain.json');
const jcs = read<JcsVectors>('jcs.json');

describe('the golden vectors of the chain', () => {
  test('hold for genesis, events, rows and receipt', () => {
    let previous = genesis(chain.tenantId);
    assert.equal(previous.toString('hex'), chain.genesis);
    for (const row of chain.rows) {
      assert.equal(canonical(row.envelope), row.text);
      assert.equal(eventHash(row.text), row.eventHash);
      const event = Buffer.from(row.eventHash, 'hex');
      previous = rowHash(previous, BigInt(row.sequence), BigInt(row.receivedAt), event);
      assert.equal(previous.toString('hex'), row.rowHash);
    }
    const last = chain.rows.at(-1);
    assert.ok(last);
    const { receivedAt } = chain.receipt.members;
    const { envelope, sequence, rowHash: hashed } = last;
    const bytes = receiptBytes({ ...envelope, sequence, rowHash: hashed, receivedAt });
    assert.equal(bytes.toString('hex'), chain.receipt.bytesHex);
  });

  if (spawnSync('python3', ['--version']).status === 0) {
    test('hold for the second implementation, in Python', () => {
      const [script, ...vectors] = ['check.py', 'chain.json', 'jcs.json'].map((name) =>
        fileURLToPath(new URL(name, folder)),
      );
      const { status, stdout, stderr } = spawnSync('python3', [script ?? '', ...vectors], { encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    });
  }
});

describe('canonical JSON', () => {
  test('follows RFC 8785 in its documents', () => {
    for (const { input, output } of jcs.documents) assert.equal(canonical(JSON.parse(input)), output);
  });

  test('writes the numbers of RFC 8785, appendix B', () => {
    for (const { bits, text } of jcs.numbers) assert.equal(canonical(Buffer.from(bits, 'hex').readDoubleBE()), text);
  });

  test('writes the first million numbers of the published suite', () => {
    const sum = createHash('sha256');
    const wanted = jcs.numberSuite.sha256OfFirstLines;
    let lines = 0;
    let held = '';
    for (const bits of suite(jcs.numberSuite.edges)) {
      held += `${bits.toString(16)},${canonical(doubleOf(bits))}\n`;
      lines += 1;
      if (lines % 1000 !== 0) continue;
      sum.update(held);
      held = '';
      const expected = wanted[lines];
      if (expected !== undefined) assert.equal(sum.copy().digest('hex'), expected, `${lines} lines`);
      if (lines === 1_000_000) break;
    }
  });

  test('refuses what has no canonical form', () => {
    for (const value of ['\ud800', { '\udfff': 1 }, Number.NaN, Infinity, [-Infinity], undefined, () => 1])
      assert.throws(() => canonical(value));
  });

  test('survives nesting that would overflow a stack', () => {
    let nested: unknown = [];
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
    assert.equal(canonical(nested).length, 200_002);
  });
});

function doubleOf(bits: bigint): number {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(bits);
  return bytes.readDoubleBE();
}

/** Edge values, neighbours of the smallest normal double, then doubles out of a chain of digests. */
function* suite(edges: string): Generator<bigint> {
  for (const edge of edges.split(' ')) yield BigInt(`0x${edge}`);
  for (let step = 0n; step < 2000n; step += 1n) yield 0x0010000000000000n + step;
  let block = Buffer.alloc(32);
  for (;;) {
    block = hash('sha256', block, 'buffer') as Buffer<ArrayBuffer>;
    for (let at = 0; at < 32; at += 8) {
      const value = block.readDoubleLE(at);
      if (value !== 0 && Number.isFinite(value)) yield block.readBigUInt64LE(at);
    }
  }
}
