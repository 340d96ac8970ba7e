import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference, digitsOf, divided, millionths, minor, negated, sum } from './decimal.ts';

test('amounts that no number holds are added to the last digit', () => {
  assert.equal(sum('90071992547409931.01', '0.02', '-0.03'), '90071992547409931.00');
  assert.equal(difference('0.10', '0.30'), '-0.20');
  assert.equal(negated('-7'), '7');
});

test('halves are rounded away from zero, as documents are', () => {
  assert.equal(divided(5n, 10n), 1n);
  assert.equal(divided(-5n, 10n), -1n);
  assert.equal(divided(14n, 10n), 1n);
});

test('a factor with more digits than a document takes is none', () => {
  assert.equal(millionths('1.5'), 1_500_000n);
  assert.equal(millionths('0.0000001'), undefined);
  assert.equal(millionths('1,5'), undefined);
  assert.equal(minor(-5n, 2), '-0.05');
});

test('currencies have the digits that they have', () => {
  assert.deepEqual(['JPY', 'EUR', 'KWD'].map(digitsOf), [0, 2, 3]);
});
