import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultLimits } from '../limits.ts';
import { library } from '../sample/library.ts';
import { buildSchema } from '../schema/build.ts';
import { createPrepare } from './prepare.ts';

const schema = buildSchema([library]);
const prepare = createPrepare(schema, defaultLimits);

function cost(query: string, variables: Readonly<Record<string, unknown>> = {}): number {
  const operation = prepare(query, undefined);
  const coerced = operation.coerce(variables);
  assert.ok('values' in coerced);
  return operation.cost(coerced.values);
}

describe('the cost of an operation is the most values that it can answer', () => {
  it('counts a value for each field, and an object for each item of a list', () => {
    assert.equal(cost('{ genre }'), 1);
    assert.equal(cost('{ book(id: 1) { id title } }'), 1 + (1 + 2));
    assert.equal(cost('{ books(limit: 10) { id title } }'), 1 + 10 * (1 + 2));
  });
  it('multiplies along nested lists, by the size the schema says where no argument does', () => {
    assert.equal(cost('{ books(limit: 10) { tags } }'), 1 + 10 * (1 + 4));
  });
  it('reads the limit from the document, from a variable and from the defaults of both', () => {
    assert.equal(cost('{ books { id } }'), 1 + 20 * 2);
    assert.equal(cost('query ($n: Int) { books(limit: $n) { id } }', { n: 3 }), 1 + 3 * 2);
    assert.equal(cost('query ($n: Int = 7) { books(limit: $n) { id } }'), 1 + 7 * 2);
    assert.equal(cost('query ($n: Int) { books(limit: $n) { id } }'), 1 + 20 * 2);
    assert.equal(cost('query ($n: Int) { books(limit: $n) { id } }', { n: -5 }), 1);
  });
  it('counts a fragment wherever it is spread', () => {
    assert.equal(
      cost('{ a: books(limit: 2) { ...F } b: books(limit: 3) { ...F ...F } } fragment F on Book { id }'),
      2 + 2 * 2 + 3 * 3,
    );
  });
  it('adds up fragments that spread one another sixty deep at once', () => {
    const chain = Array.from({ length: 60 }, (_, at) => `fragment F${at} on Book { ...F${at + 1} ...F${at + 1} }`);
    assert.equal(cost(`{ books(limit: 1) { ...F0 } } ${chain.join(' ')} fragment F60 on Book { id }`), 2 + 2 ** 60);
  });
});
