import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, type Statement } from '@steward/sql';
import { readAhead } from './ahead.ts';

const one = (value: string): Statement => sql`select ${value} as said`;

test('what was read ahead answers exactly what was guessed, and nothing else', async () => {
  const asked: (readonly Statement[])[] = [];
  const read = async (statements: readonly Statement[]) => {
    asked.push(statements);
    return statements.map(({ values }) => [{ said: values[0] }]);
  };
  const ahead = await readAhead(read, [one('a'), one('b')]);
  assert.equal(asked.length, 1, 'before anybody needs it');
  assert.deepEqual(await ahead([one('a'), one('b')]), [[{ said: 'a' }], [{ said: 'b' }]]);
  assert.equal(asked.length, 1);
  for (const other of [[one('a'), one('c')], [one('a')], [one('a'), one('b'), one('c')], [one('b'), sql`select 1`]])
    assert.deepEqual(
      await ahead(other),
      other.map(({ values }) => [{ said: values[0] }]),
    );
  assert.equal(asked.length, 5);
  assert.deepEqual(await (await readAhead(read, undefined))([]), []);
});
