import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minorOf, moneyOf } from './money.ts';

test('an amount has exactly the digits of its currency, and comes back as it was', () => {
  for (const [amount, currency, minor] of [
    ['19.99', 'EUR', 1999n],
    ['0.05', 'EUR', 5n],
    ['1999', 'JPY', 1999n],
    ['1.999', 'KWD', 1999n],
    ['0.1999', 'CLF', 1999n],
    ['19.99', 'HUF', 1999n],
    ['90071992547409.93', 'EUR', 9_007_199_254_740_993n],
    ['92233720368547758.07', 'EUR', 2n ** 63n - 1n],
  ] as const) {
    assert.deepEqual(minorOf({ amount, currency }), { currency, minor });
    assert.deepEqual(moneyOf({ currency, minor }), { amount, currency });
  }
});

test('what is no amount is none', () => {
  for (const [amount, currency] of [
    ['19.9', 'EUR'],
    ['19.990', 'EUR'],
    ['19', 'EUR'],
    ['1.0', 'JPY'],
    ['1.', 'JPY'],
    ['-1.00', 'EUR'],
    ['+1.00', 'EUR'],
    ['01.00', 'EUR'],
    ['1e2', 'JPY'],
    ['١.٠٠', 'EUR'],
    ['', 'EUR'],
    ['92233720368547758.08', 'EUR'],
    ['1.00', 'eur'],
    ['1.00', 'XXX'],
  ] as const)
    assert.equal(minorOf({ amount, currency }), undefined, `${amount} ${currency}`);
});
