import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createLog } from '@steward/kernel';
import { createGraph } from '../index.ts';
import { library } from '../sample/library.ts';
import { serve } from '../sample/serve.ts';

const served = await serve(createGraph({ modules: [library], graphiql: false, log: createLog('silent') }));
after(async () => served[Symbol.asyncDispose]());

async function refused(query: string, code: string, variables?: Readonly<Record<string, unknown>>): Promise<void> {
  const { status, body, text } = await served.ask(query, variables);
  assert.equal(status, 400, text.slice(0, 300));
  assert.equal(body.errors?.[0]?.extensions['code'], code, text.slice(0, 300));
  assert.ok(text.length < 20_000);
}

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

describe('an operation that asks for too much is refused before anything is resolved', () => {
  it('nested ten thousand deep', async () =>
    refused(`${'{ a '.repeat(10_000)}${'}'.repeat(10_000)}`, 'operation_too_large'));
  it('nested deeper than allowed, within the tokens', async () => {
    const graph = createGraph({ modules: [library], graphiql: false, limits: { depth: 2 }, log: createLog('silent') });
    await using strict = await serve(graph);
    const { body } = await strict.ask('{ books { ...F } } fragment F on Book { author { id } }');
    assert.match(body.errors?.[0]?.message ?? '', /3 levels; at most 2/);
    assert.equal((await strict.ask('{ books { id } }')).status, 200);
  });
  it('with a hundred aliases of one field', async () =>
    refused(`{ ${times(100, (index) => `a${index}: genre`)} }`, 'operation_too_large'));
  it('with many fields at its root, through fragments', async () =>
    refused(`{ ${times(12, () => '...F')} } fragment F on Query { genre missing }`, 'operation_too_large'));
  it('with a list so long that the answer would be', async () => {
    await refused('{ books(limit: 2000000000) { id } }', 'operation_too_large');
    await refused('query ($n: Int) { books(limit: $n) { id title } }', 'operation_too_large', { n: 100_000 });
  });
  it('with fragments that double sixty times', async () => {
    const chain = times(60, (at) => `fragment F${at} on Book { ...F${at + 1} ...F${at + 1} }`);
    await refused(`{ books { ...F0 } } ${chain} fragment F60 on Book { id }`, 'operation_too_large');
  });
  it('with the whole of introspection again and again', async () =>
    refused(`{ ${times(15, (index) => `s${index}: __schema { types { name } }`)} }`, 'operation_too_large'));
  it('with introspection that goes in circles', async () =>
    refused(
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      'invalid_document',
    ));
});

describe('a malformed document is refused', () => {
  it('with fragments in a circle', async () =>
    refused('{ books { ...A } } fragment A on Book { ...B } fragment B on Book { ...A }', 'invalid_document'));
  it('with a thousand fields to compare with one another', async () =>
    refused(`{ ${times(990, () => 'nothing')} }`, 'invalid_document'));
  it('with selections that conflict, nested and repeated', async () => {
    const level = (depth: number): string => (depth === 0 ? 'id' : times(2, () => `author { ${level(depth - 1)} }`));
    await refused(`{ books { ${level(7)} } }`, 'invalid_document');
  });
  it('with a megabyte of one name, of blanks, of commas, of a comment', async () => {
    const megabyte = 1_000_000;
    await refused(`{ ${'x'.repeat(megabyte)} }`, 'invalid_document');
    await refused(`{ genre(of: "${'x'.repeat(megabyte)}") }`, 'invalid_document');
    await refused(`{${' '.repeat(megabyte)}`, 'invalid_document');
    await refused(`{${','.repeat(megabyte)}`, 'invalid_document');
    await refused(`{ #${'x'.repeat(megabyte)}`, 'invalid_document');
  });
  it('with directives that nobody declared', async () =>
    refused(`{ genre ${times(400, () => '@x')} }`, 'invalid_document'));
  it('with nothing in it', async () => {
    for (const query of ['', ' ', '#', '{}', '{', 'query', 'fragment F on Book { id }', '\0', '\uFEFF']) {
      const { status } = await served.ask(query);
      assert.equal(status, 400, JSON.stringify(query));
    }
  });
});

describe('hostile values', () => {
  const echo = 'query ($o: Order!) { echo(order: $o) }';
  it('are refused by type, size and depth', async () => {
    for (const o of [
      1,
      'x',
      [],
      [[]],
      null,
      {},
      { book: {} },
      { book: 'b', count: 2 ** 31 },
      { book: 'b', count: 1e15 },
      { book: 'b', x: 1 },
    ]) {
      await refused(echo, 'invalid_variables', { o });
    }
    for (const order of [
      { at: '24:00' },
      { most: '99999999999999999999' },
      { meta: [] },
      { genres: ['NONE'] },
      { genres: 1 },
    ]) {
      await refused(echo, 'invalid_variables', { o: { book: 'b', ...order } });
    }
  });
  it('are refused by the body’s own rules: huge numbers, deep nesting, doubled keys, lone surrogates', async () => {
    const bodies = [
      '9007199254740993',
      '1e400',
      `${'['.repeat(40)}${']'.repeat(40)}`,
      '{"a":1,"a":2}',
      '"\\ud800"',
      '{"\\u0000":1}',
    ];
    for (const value of bodies) {
      const { status, body } = await served.post(`{"query":"{ genre }","variables":{"x":${value}}}`);
      assert.deepEqual([status, body.code], [400, 'invalid_json'], value);
    }
  });
  it('named __proto__ stay values, in variables, input objects and JSON', async () => {
    const query = 'query ($__proto__: Order!) { echo(order: $__proto__) }';
    const sent = '{"book":"b","meta":{"__proto__":{"admin":true},"constructor":1}}';
    const { body } = await served.post(`{"query":${JSON.stringify(query)},"variables":{"__proto__":${sent}}}`);
    assert.deepEqual(body.data, { echo: '{"book":"b","count":1,"meta":{"__proto__":{"admin":true},"constructor":1}}' });
    assert.equal('admin' in {}, false);
    await refused(
      echo,
      'invalid_variables',
      JSON.parse(`{"o":{"book":"b","__proto__":{"count":3}}}`) as Record<string, unknown>,
    );
  });
  it('never become program text: what would be one stays a string', async () => {
    const literals = [
      '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.taken=1',
      '${globalThis.taken=1}',
      '`+(globalThis.taken=1)+`',
      '"});globalThis.taken=1;({"',
    ];
    for (const value of literals) {
      const query = `{ book(id: "b1") { label(prefix: ${JSON.stringify(value)}) } }`;
      for (let round = 0; round < 3; round += 1) {
        const { body } = await served.ask(query);
        assert.deepEqual(body.data, { book: { label: `${value} b1` } });
      }
    }
    assert.equal('taken' in globalThis, false);
  });
  it('of the body: a byte too many, bytes that are no text', async () => {
    assert.equal((await served.post(`{"query":"${'x'.repeat(1_048_576)}"}`)).status, 413);
    assert.equal((await served.post(new Uint8Array([0x7b, 0x22, 0xff, 0xfe]))).status, 400);
    for (const body of ['', 'null', '1', '"{genre}"', '{}', '{"query":null}', '{"query":["{genre}"]}']) {
      assert.equal((await served.post(body)).status, 400, body);
    }
  });
});

it('still answers after all of that', async () => {
  assert.deepEqual((await served.ask('{ genre }')).body, { data: { genre: 'FICTION' } });
});
