import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exponentOf, isCurrency } from './currency.ts';

test('exponents are those of ISO 4217, where other tables differ', () => {
  for (const [code, exponent] of Object.entries({
    EUR: 2,
    USD: 2,
    HUF: 2,
    COP: 2,
    IQD: 3,
    JPY: 0,
    KWD: 3,
    CLF: 4,
    UYW: 4,
    ISK: 0,
    TND: 3,
  })) {
    assert.equal(exponentOf(code), exponent, code);
  }
});

test('what is no current currency with a minor unit is refused', () => {
  for (const code of ['XAU', 'XDR', 'XXX', 'usd', 'DEM', 'HRK', '', 'EURO', '__proto__'])
    assert.equal(isCurrency(code), false, code);
  assert.throws(() => exponentOf('XAU'), RangeError);
});
