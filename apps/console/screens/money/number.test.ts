import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberIn } from './number.ts';

test('a number is read as it stands on a document, and as people type it', () => {
  assert.deepEqual(numberIn('INV-00042'), { kind: 'invoice', number: '42' });
  assert.deepEqual(numberIn('bill 7'), { kind: 'bill', number: '7' });
  assert.deepEqual(numberIn(' 0100 '), { number: '100' });
});

test('what is no number of a document is none', () => {
  for (const text of ['', 'PAY-00002', 'teapot', 'INV-0', '4.2']) assert.equal(numberIn(text), undefined, text);
});
