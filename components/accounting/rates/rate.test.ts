import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert, formatRate, parseRate, unity } from './rate.ts';

const rate = (text: string): bigint => parseRate(text) ?? 0n;

test('a rate is a positive decimal of at most twelve digits on either side', () => {
  for (const text of ['1', '1.08', '0.000000000001', '149.255', '999999999999.999999999999'])
    assert.equal(formatRate(rate(text)), text);
  for (const text of ['0', '-1', '1e3', '1.', '.5', '0.0000000000001', '1,5', ' 1', ''])
    assert.equal(parseRate(text), undefined, text);
});

test('money is converted between exponents, and half a unit goes away from zero', () => {
  assert.equal(convert(10_000n, 'EUR', 'USD', rate('1.0832')), 10_832n);
  assert.equal(convert(1n, 'JPY', 'USD', rate('0.0067')), 1n);
  assert.equal(convert(149_255n, 'JPY', 'EUR', rate('0.0067')), 100_001n);
  assert.equal(convert(1_000n, 'KWD', 'USD', rate('3.25')), 325n);
  assert.equal(convert(1n, 'USD', 'EUR', rate('0.5')), 1n);
  assert.equal(convert(-1n, 'USD', 'EUR', rate('0.5')), -1n);
  assert.equal(convert(1n, 'USD', 'EUR', rate('0.49')), 0n);
  assert.equal(convert(9_007_199_254_740_993n, 'USD', 'USD', unity), 9_007_199_254_740_993n);
});
