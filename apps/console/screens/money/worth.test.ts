import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worthOf } from './worth.ts';

test('an amount is worth what the server books for it, half a minor unit away from zero', () => {
  assert.equal(worthOf('100.00', 'EUR', '11.3505', 'NOK'), '1135.05');
  assert.equal(worthOf('0.01', 'EUR', '0.5', 'USD'), '0.01');
  assert.equal(worthOf('-0.01', 'EUR', '0.5', 'USD'), '-0.01');
  assert.equal(worthOf('3', 'EUR', '0.333333333333', 'USD'), '1.00');
});

test('currencies may have other minor units than each other', () => {
  assert.equal(worthOf('12.34', 'EUR', '162.5', 'JPY'), '2005');
  assert.equal(worthOf('2005', 'JPY', '0.00615', 'EUR'), '12.33');
});

test('what is half typed is worth nothing yet', () => {
  for (const [amount, rate] of [
    ['', '11'],
    ['1.', '11'],
    ['1.00', ''],
    ['1.00', '11,'],
    ['1.000', '11'],
  ] as const)
    assert.equal(worthOf(amount, 'EUR', rate, 'NOK'), undefined);
});
