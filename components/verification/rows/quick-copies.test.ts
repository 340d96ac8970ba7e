import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonical } from '@steward/audit/chain';
import { QuickCopies, noKey } from './quick-copies.ts';
import { Spans } from './tuple.ts';

const tenant = '01980a4e-7d00-7000-8000-00000000a11d';
const id = '01980a4e-7d01-7000-8000-000000000001';
const envelope = {
  tenantId: tenant,
  id,
  type: 'commerce.order.imported',
  eventVersion: '1.0.0',
  grammar: 'commerce',
  grammarDigest: '5f'.repeat(32),
  source: 'marketplace',
  sourceSystem: 'shop',
  sourceEventId: 'e-1',
  payload: { a: [{ b: '}]"\\' }, '{'], principalChain: [], c: 'Ångström \u2028' },
  dimensionalTags: { region: 'eu', 'a"}': 'b' },
  principalChain: [
    { principalType: 'user', principalId: 'alice' },
    { principalType: 'agent', principalId: 'ag:ent' },
  ],
  ingestedBy: { principalType: 'service', principalId: 'service:feeder' },
  occurredAt: '2026-03-01T10:00:12.345Z',
  causalId: 'cause-1',
  correlationId: 'walk-1',
  idempotencyKey: 'key-of-the-event',
};
const plain = { ...envelope, dimensionalTags: { region: 'eu', name: 'Åse {1}' } };
type Columns = Record<'type' | 'grammar' | 'causal' | 'correlation' | 'id', string | null> & {
  readonly occurred: number;
  readonly principals: readonly (string | null)[];
};
const columns: Columns = {
  id,
  type: plain.type,
  grammar: plain.grammar,
  causal: plain.causalId,
  correlation: plain.correlationId,
  occurred: (Date.parse(plain.occurredAt) - 946_684_800_000) * 1000,
  principals: ['user:alice', 'agent:ag:ent'],
};

/** A row of `eventColumns` as COPY would give it. */
function row(text: string, told: Columns): Buffer {
  const field = (value: string | Buffer | null): Buffer => {
    const bytes = value === null ? Buffer.alloc(0) : Buffer.from(value as string);
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const int = (value: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(value));
    return bytes;
  };
  const head = Buffer.alloc(20);
  [1, 0, 25, told.principals.length, 1].forEach((value, index) => head.writeInt32BE(value, index * 4));
  const fields = [
    Buffer.from(tenant.replaceAll('-', ''), 'hex'),
    int(1),
    int(0),
    int(told.occurred),
    Buffer.alloc(32),
    Buffer.alloc(32),
    told.id,
    told.type,
    told.grammar,
    told.causal,
    told.correlation,
    Buffer.concat([head, ...told.principals.map(field)]),
    text,
  ];
  return Buffer.concat([Buffer.of(0, fields.length), ...fields.map(field)]);
}

function look(text: string, told: Columns = columns): string | undefined {
  const bytes = row(text, told);
  const spans = new Spans();
  return spans.measure(bytes) ? new QuickCopies(tenant).key(bytes.toString('latin1'), bytes, spans) : undefined;
}

describe('the quick comparison of copies', () => {
  test('clears every member that an envelope may have, and one that has none it may lack', () => {
    assert.equal(look(canonical(plain)), 'key-of-the-event');
    const { causalId: _c, correlationId: _w, idempotencyKey: _k, dimensionalTags: _d, ...rest } = plain;
    const { sourceSystem: _s, sourceEventId: _e, ...least } = rest;
    assert.equal(look(canonical(least), { ...columns, causal: null, correlation: null }), noKey);
  });

  test('leaves to parsing what is escaped, and what has other members', () => {
    assert.equal(look(canonical(envelope)), undefined);
    assert.equal(look(canonical({ ...plain, more: 1 })), undefined);
    assert.equal(look(canonical({ ...plain, correlationId: 'a"b' }), { ...columns, correlation: 'a"b' }), undefined);
    assert.equal(
      look(String.raw`${canonical(plain).replace('walk-1', String.raw`w\n`)}`, {
        ...columns,
        correlation: String.raw`w\n`,
      }),
      undefined,
    );
  });

  const wrong: Record<string, Partial<Columns>> = {
    id: { id: id.replace('1', '2') },
    type: { type: 'commerce.order.lost' },
    'an empty type': { type: '' },
    grammar: { grammar: 'commerc' },
    'a grammar that is null': { grammar: null },
    cause: { causal: 'cause-2' },
    'a cause that is null': { causal: null },
    correlation: { correlation: 'walk-12' },
    time: { occurred: columns.occurred + 1 },
    'another second': { occurred: columns.occurred + 1_000_000 },
    principals: { principals: ['user:alice'] },
    'their order': { principals: ['agent:ag:ent', 'user:alice'] },
    'a principal that is null': { principals: ['user:alice', null] },
    'no principals': { principals: [] },
  };
  for (const [what, change] of Object.entries(wrong))
    test(`does not clear a column that differs: ${what}`, () =>
      assert.equal(look(canonical(plain), { ...columns, ...change }), undefined));

  const texts: Record<string, (text: string) => string> = {
    'cut off': (text) => text.slice(0, -1),
    'with more behind': (text) => `${text} `,
    'of another tenant': (text) => text.replace(tenant, tenant.replace('a11d', 'b0b0')),
    'whose payload ends in another place': (text) => text.replace('"payload":{', '"payload":{}}'),
    'with a time of other form': (text) => text.replace('12.345Z', '12,345Z'),
    'with the seconds of another minute': (text) => text.replace('10:00:12.345', '09:59:72.345'),
    'whose principals stand in the payload': (text) => text.replace('"principalChain":[{', '"principalchain":[{'),
  };
  for (const [what, change] of Object.entries(texts))
    test(`does not clear a text ${what}`, () => assert.equal(look(change(canonical(plain))), undefined));
});
