import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocate, formatAmount, parseAmount } from './amount.ts';

test('an amount has exactly the digits of its currency, and comes back as it was', () => {
  for (const [amount, currency, minor] of [
    ['19.99', 'EUR', 1999n],
    ['-0.01', 'EUR', -1n],
    ['5', 'JPY', 5n],
    ['1.234', 'KWD', 1234n],
    ['0.0001', 'CLF', 1n],
    ['90071992547409.93', 'USD', 9007199254740993n],
    ['12.50', 'HUF', 1250n],
    ['0.001', 'IQD', 1n],
  ] as const) {
    assert.equal(parseAmount(amount, currency), minor, amount);
    assert.equal(formatAmount(minor, currency), amount);
  }
});

test('anything else is no amount', () => {
  for (const [amount, currency] of [
    ['19.9', 'EUR'],
    ['19.999', 'EUR'],
    ['19', 'EUR'],
    ['5.0', 'JPY'],
    ['019.99', 'EUR'],
    ['1e3', 'EUR'],
    ['+1.00', 'EUR'],
    [' 1.00', 'EUR'],
    ['1,00', 'EUR'],
    ['', 'EUR'],
    ['.50', 'EUR'],
    ['٣.٠٠', 'EUR'],
    [`${'9'.repeat(50)}.00`, 'EUR'],
  ] as const)
    assert.equal(parseAmount(amount, currency), undefined, amount);
});

test('what is allocated adds up to the whole, and remainders go to the largest', () => {
  assert.deepEqual(allocate(100n, [1n, 1n, 1n]), [34n, 33n, 33n]);
  assert.deepEqual(allocate(-100n, [1n, 1n, 1n]), [-34n, -33n, -33n]);
  assert.deepEqual(allocate(5n, [3n, 7n]), [2n, 3n]);
  assert.deepEqual(allocate(7n, [0n, 0n]), [7n, 0n]);
  assert.deepEqual(allocate(0n, [1n, 2n]), [0n, 0n]);
  assert.deepEqual(allocate(10n, []), []);
  for (let total = -50n; total <= 50n; total += 1n) {
    const parts = allocate(total, [5n, 0n, 3n, 11n, 1n]);
    assert.equal(
      parts.reduce((a, b) => a + b, 0n),
      total,
    );
  }
});
