import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences } from './difference.ts';

test('two arguments differ where they differ, by pointer', () => {
  assert.deepEqual(differences({ a: 1, b: { 'c/d': [1, 2] }, e: null }, { a: 1, b: { 'c/d': [1, 3, 4] }, f: '~' }), [
    { pointer: '/b/c~1d/1', before: 2, after: 3 },
    { pointer: '/b/c~1d/2', after: 4 },
    { pointer: '/e', before: null },
    { pointer: '/f', after: '~' },
  ]);
  assert.deepEqual(differences({ a: [1] }, { a: [1] }), []);
  assert.deepEqual(differences({ a: [] }, { a: {} }), [{ pointer: '/a', before: [], after: {} }]);
});
