import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneLine, printable } from './printable.ts';

test('what strangers wrote gives a terminal no order, and JSON stays what it is', () => {
  const hostile = '\u001b]0;x\u0007\u009b2J\r\u202ea\tb\n⟨é日😀⟩\u007f\0';
  const told = printable(JSON.stringify({ hostile }));
  assert.doesNotMatch(told, /(?![\t\n])[\p{Cc}\u202E]/u);
  assert.deepEqual(JSON.parse(told), { hostile });
  assert.equal(printable('a\tb\nc'), 'a\tb\nc');
  assert.equal(oneLine('a\nVERIFIED'), String.raw`a\nVERIFIED`);
});
