import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withTax } from '@steward/accounting';
import { formatAmount } from '@steward/kernel';
import fc from 'fast-check';
import { cheapestGift, modelOf } from '../fixtures/model.ts';
import { among, anyDiscounts, discount, every, line, order, orders, simpleDiscounts, vat } from '../fixtures/order.ts';
import type { Discount } from './discount.ts';
import { type Priced, totalsOf } from './totals.ts';

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
const off = (percentage: bigint, on: 'products' | 'order' = 'order'): Discount['rule'] => ({
  kind: 'percentage',
  on,
  percentage,
  among: every,
});

describe('totals', () => {
  test('are rounded as the books round, in currencies of 0, 2 and 3 digits', () => {
    const exclusive = (lines: Priced['lines']): Priced => order(lines, { pricing: 'exclusive' });
    const five = { ...vat, percentage: 50_000n };
    const twenty = { ...vat, percentage: 200_000n };
    for (const [currency, given, net, tax] of [
      ['EUR', order([line('a', 1000n)]), '8.40', '1.60'],
      ['HUF', order([line('a', 100_050n, 3, { tax: { ...vat, percentage: 270_000n } })]), '2363.39', '638.11'],
      ['JPY', order([line('a', 108n, 1, { tax: { ...vat, percentage: 80_000n } })]), '100', '8'],
      ['KWD', order([line('a', 10_500n, 2, { tax: five })]), '20.000', '1.000'],
      ['KWD', exclusive([line('a', 1235n, 1, { tax: five })]), '1.235', '0.062'],
      ['EUR', exclusive(['a', 'b', 'c'].map((id) => line(id, 33n, 1, { tax: twenty }))), '0.99', '0.21'],
      ['EUR', exclusive([line('a', 33n, 3, { tax: twenty })]), '0.99', '0.20'],
    ] as const) {
      const totals = totalsOf(given, []);
      assert.deepEqual(
        [totals.net, totals.tax].map((minor) => formatAmount(minor, currency)),
        [net, tax],
      );
    }
  });

  test('spread a discount of the order over its lines, and tax what is left of each', () => {
    const reduced = { ...vat, taxId: 'reduced', percentage: 70_000n };
    const totals = totalsOf(order([line('a', 1000n), line('b', 1000n, 1, { tax: reduced }), line('c', 1000n)]), [
      discount('ten off', { kind: 'fixed_amount', on: 'order', amount: 1000n, among: every }),
    ]);
    assert.deepEqual(
      totals.lines.map(({ discounts, total }) => [discounts[0]?.amount, total]),
      [
        [334n, 666n],
        [333n, 667n],
        [333n, 667n],
      ],
    );
    assert.deepEqual([totals.subtotal, totals.discount, totals.total], [3000n, 1000n, 2000n]);
    assert.deepEqual(
      totals.taxes.map(({ taxId, net, tax }) => [taxId, net + tax]),
      [
        ['vat', 1333n],
        ['reduced', 667n],
      ],
    );
  });

  test('apply discounts of products first, then of the order, then of shipping, each to what is left', () => {
    const given = order([line('a', 10_000n)], { shipping: { price: 500n, tax: vat } });
    const some = [
      discount('free', { kind: 'free_shipping' }),
      discount('order', off(100_000n)),
      discount('product', { kind: 'fixed_amount', on: 'products', amount: 2_000n, among: every }),
    ];
    const totals = totalsOf(given, some);
    assert.deepEqual(
      totals.discounts.map(({ discountId, amount }) => [discountId, amount]),
      [
        ['product', 2_000n],
        ['order', 800n],
        ['free', 500n],
      ],
    );
    assert.deepEqual([totals.total, totals.shipping?.total], [7_200n, 0n]);
  });

  test('never take more than is there, however many discounts there are', () => {
    const all = [
      discount('a', off(600_000n)),
      discount('b', off(1_000_000n)),
      discount('c', { kind: 'fixed_amount', on: 'order', amount: 999n, among: every }),
    ];
    const totals = totalsOf(order([line('a', 1000n)]), all);
    assert.deepEqual([totals.total, totals.discounts.map(({ amount }) => amount)], [0n, [600n, 400n, 0n]]);
  });

  test('give the cheapest units, and use no unit on both sides or twice', () => {
    const threeForTwo: Discount['rule'] = {
      kind: 'buy_x_get_y',
      buy: { quantity: 2, among: every },
      get: { quantity: 1, among: every, percentage: 1_000_000n },
      most: null,
    };
    const taken = (lines: Priced['lines'], ...rules: Discount['rule'][]): bigint =>
      totalsOf(
        order(lines),
        rules.map((rule, index) => discount(`${index}`, rule)),
      ).discount;
    assert.equal(taken([line('a', 1000n, 5), line('b', 300n)], threeForTwo), 1300n, 'six units, two free');
    assert.equal(taken([line('a', 1000n, 2)], threeForTwo), 0n);
    assert.equal(taken([line('a', 1000n, 6)], { ...threeForTwo, most: 1 }), 1000n);
    assert.equal(taken([line('a', 1000n, 3)], threeForTwo, threeForTwo), 1000n, 'the units of the first are spent');
    const trousersForShirts: Discount['rule'] = {
      ...threeForTwo,
      buy: { quantity: 1, among: among('shirt') },
      get: { quantity: 1, among: among('trousers'), percentage: 500_000n },
    };
    const shirt = line('a', 2000n, 1, { productId: 'shirt' });
    const trousers = line('b', 5000n, 2, { productId: 'trousers' });
    assert.equal(taken([shirt, trousers], trousersForShirts), 2500n);
    assert.equal(taken([shirt, { ...trousers, discountable: false }], trousersForShirts), 0n);
  });

  test('charge a business of another country the price without the tax in it, unit by unit', () => {
    const abroad = { ...vat, treatment: 'reverse_charge' as const };
    const totals = totalsOf(order([line('a', 1000n, 3, { tax: abroad })]), []);
    assert.deepEqual([totals.lines[0]?.unitPrice, totals.net, totals.tax, totals.total], [840n, 2520n, 0n, 2520n]);
    const exclusive = totalsOf(order([line('a', 1000n, 3, { tax: abroad })], { pricing: 'exclusive' }), []);
    assert.deepEqual([exclusive.net, exclusive.tax], [3000n, 0n]);
  });

  test('refuse what is no quantity and no price', () => {
    for (const quantity of [0, -1, 1.5, 1_000_000, Number.NaN])
      assert.throws(() => totalsOf(order([line('a', 1n, quantity)]), []), RangeError);
    assert.throws(() => totalsOf(order([line('a', -1n)]), []), RangeError);
  });

  test('of any order are exact sums, and nothing is below zero', () => {
    fc.assert(
      fc.property(orders, anyDiscounts, (given, discounts) => {
        const totals = totalsOf(given, discounts);
        const { lines, shipping } = totals;
        const all = shipping === null ? lines : [...lines, shipping];
        for (const { gross, discounts: taken, net, tax, total, taxed } of all) {
          const left = gross - sum(taken.map(({ amount }) => amount));
          assert.ok(left >= 0n && net >= 0n && tax >= 0n);
          assert.equal(given.pricing === 'inclusive' ? total : net, left);
          assert.equal(total, net + tax);
          const expected = withTax(left, taxed.treatment === 'taxed' ? taxed.percentage : 0n, given.pricing);
          assert.deepEqual({ net, tax }, expected);
          assert.ok(taken.every(({ amount }) => amount > 0n));
        }
        assert.equal(totals.subtotal, sum(lines.map(({ gross }) => gross)));
        assert.equal(totals.net, sum(all.map(({ net }) => net)));
        assert.equal(totals.tax, sum(all.map(({ tax }) => tax)));
        assert.equal(totals.total, totals.net + totals.tax);
        assert.equal(totals.discount, sum(totals.discounts.map(({ amount }) => amount)));
        for (const { discountId, amount } of totals.discounts)
          assert.equal(
            amount,
            sum(
              all
                .flatMap(({ discounts: taken }) => taken.filter((one) => one.discountId === discountId))
                .map((one) => one.amount),
            ),
          );
        assert.equal(sum(totals.taxes.map(({ tax }) => tax)), totals.tax);
        assert.equal(sum(totals.taxes.map(({ net }) => net)), totals.net);
      }),
      { numRuns: 500 },
    );
  });

  test('of any order agree with an independent calculation', () => {
    fc.assert(
      fc.property(orders, simpleDiscounts, (given, discounts) => {
        const { net, tax, total, discount: taken } = totalsOf(given, discounts);
        assert.deepEqual({ net, tax, total, discount: taken }, modelOf(given, discounts));
      }),
      { numRuns: 500 },
    );
  });

  test('do not depend on the order of the lines', () => {
    fc.assert(
      fc.property(orders, anyDiscounts, (given, discounts) => {
        const there = totalsOf(given, discounts);
        const back = totalsOf({ ...given, lines: given.lines.toReversed() }, discounts);
        assert.deepEqual(back, { ...there, lines: there.lines.toReversed() });
      }),
      { numRuns: 300 },
    );
  });

  test('of an offer are those of the cheapest division of the units', () => {
    const units = fc.array(fc.record({ price: fc.bigInt(0n, 20n), product: fc.constantFrom('p1', 'p2', 'p3') }), {
      maxLength: 7,
    });
    const some = fc.subarray(['p1', 'p2', 'p3'], { minLength: 1 });
    const few = fc.integer({ min: 1, max: 2 });
    fc.assert(
      fc.property(units, some, some, few, few, fc.option(few), (cart, buys, gets, buy, get, most) => {
        const lines = cart.map(({ price, product }, index) => line(`${index}`, price, 1, { productId: product }));
        const rule: Discount['rule'] = {
          kind: 'buy_x_get_y',
          buy: { quantity: buy, among: among(...buys) },
          get: { quantity: get, among: among(...gets), percentage: 1_000_000n },
          most,
        };
        const sides = cart.map(({ price, product }) => ({
          price,
          buys: buys.includes(product),
          gets: gets.includes(product),
        }));
        assert.equal(
          totalsOf(order(lines), [discount('offer', rule)]).discount,
          cheapestGift(sides, { buy, get, most }),
        );
      }),
      { numRuns: 300 },
    );
  });
});
