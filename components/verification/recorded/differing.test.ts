import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { differing } from './differing.ts';

describe('what a finding shows of two texts', () => {
  test('is all of short ones', () => {
    assert.deepEqual(differing('USD 1', 'USD 2'), ['USD 1', 'USD 2']);
  });

  test('is where long ones begin to differ, however late that is', () => {
    const same = 'line '.repeat(1_000);
    const [held, told] = differing(`${same}100.00 USD`, `${same}999.00 USD${same}`);
    assert.match(held, /^… ?(?:line )+100\.00 USD$/);
    assert.match(told, /^… ?(?:line )+999\.00 USDline .*…$/);
    assert.ok(told.length <= 202);
  });

  test('is the end of the longer one if the other is its beginning', () => {
    assert.deepEqual(differing('a'.repeat(300), 'a'.repeat(290)), [`…${'a'.repeat(50)}`, `…${'a'.repeat(40)}`]);
  });

  test('never ends in half a character', () => {
    const [held, told] = differing(`${'a'.repeat(100)}${'😀'.repeat(300)}`, `${'a'.repeat(99)}${'😀'.repeat(300)}`);
    assert.ok(held.isWellFormed() && told.isWellFormed());
  });
});
