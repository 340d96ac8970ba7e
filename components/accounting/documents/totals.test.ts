import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatAmount } from '@steward/kernel';
import fc from 'fast-check';
import { formatPercentage, parsePercentage } from '../taxes/percentage.ts';
import { formatDecimal, parseDecimal } from './decimal.ts';
import { amountsOf, type Pricing } from './totals.ts';

function priced(quantity: string, unitPrice: string, percentage: string, currency: string, pricing: Pricing): string[] {
  const { net, tax } = amountsOf(
    {
      quantity: parseDecimal(quantity) ?? 0n,
      unitPrice: parseDecimal(unitPrice) ?? 0n,
      percentage: parsePercentage(percentage),
    },
    currency,
    pricing,
  );
  return [formatAmount(net, currency), formatAmount(tax, currency)];
}

describe('a line of a document', () => {
  test('is rounded once for its price and once for its tax, half away from zero', () => {
    const cases: [string, string, string, string, Pricing, string, string][] = [
      ['3', '33.33', '19', 'EUR', 'exclusive', '99.99', '19.00'],
      ['1', '0.50', '5', 'EUR', 'exclusive', '0.50', '0.03'],
      ['1', '-0.50', '5', 'EUR', 'exclusive', '-0.50', '-0.03'],
      ['1000', '0.0025', '0', 'EUR', 'exclusive', '2.50', '0.00'],
      ['0.333333', '3', '20', 'EUR', 'exclusive', '1.00', '0.20'],
      ['1', '119', '19', 'EUR', 'inclusive', '100.00', '19.00'],
      ['1', '10.00', '19', 'EUR', 'inclusive', '8.40', '1.60'],
      ['1', '0.01', '19', 'EUR', 'inclusive', '0.01', '0.00'],
      ['3', '33', '8', 'JPY', 'exclusive', '99', '8'],
      ['1', '105', '10', 'JPY', 'exclusive', '105', '11'],
      ['1', '108', '8', 'JPY', 'inclusive', '100', '8'],
      ['1', '100', '10', 'JPY', 'inclusive', '91', '9'],
      ['1', '1.2345', '5', 'KWD', 'exclusive', '1.235', '0.062'],
      ['2', '10.500', '5', 'KWD', 'inclusive', '20.000', '1.000'],
      ['1', '100', '8.8750', 'USD', 'exclusive', '100.00', '8.88'],
      ['999999999999', '999999', '100', 'EUR', 'exclusive', '999998999999000001.00', '999998999999000001.00'],
    ];
    for (const [quantity, price, percentage, currency, pricing, net, tax] of cases)
      assert.deepEqual(priced(quantity, price, percentage, currency, pricing), [net, tax], `${quantity} × ${price}`);
  });

  test('with tax in its price adds up to that price', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.bigInt({ min: 0n, max: 1_000_000n }),
        fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'),
        (quantity, unitPrice, percentage, currency) => {
          const line = { quantity, unitPrice, percentage };
          const inclusive = amountsOf(line, currency, 'inclusive');
          const exclusive = amountsOf(line, currency, 'exclusive');
          assert.equal(inclusive.net + inclusive.tax, exclusive.net);
          const less = amountsOf({ ...line, unitPrice: -unitPrice }, currency, 'exclusive');
          assert.deepEqual([less.net, less.tax], [-exclusive.net, -exclusive.tax]);
        },
      ),
    );
  });

  test('is written in decimals of a known size', () => {
    for (const text of ['1e3', '', '.5', '1.', '1.1234567', '1234567890123456789', '+1', ' 1', '0x1', 'NaN'])
      assert.equal(parseDecimal(text), undefined, text);
    assert.equal(formatDecimal(parseDecimal('-1.500000') ?? 0n, 2), '-1.50');
    assert.equal(formatDecimal(parseDecimal('12') ?? 0n), '12');
    assert.equal(formatDecimal(parseDecimal('123456789012345678.000001') ?? 0n), '123456789012345678.000001');
    for (const text of ['101', '-1', '1.12345', '100.0001', '19,0'])
      assert.equal(parsePercentage(text), undefined, text);
    assert.equal(formatPercentage(parsePercentage('7.5') ?? 0n), '7.5000');
  });
});
