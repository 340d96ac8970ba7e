import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyDiscounts, discount, every, line, order, orders, vat } from '../fixtures/order.ts';
import { chooseDiscounts, combine } from './choose.ts';
import type { Discount } from './discount.ts';
import { totalsOf } from './totals.ts';

const percent = (percentage: bigint, on: 'products' | 'order' = 'order'): Discount['rule'] => ({
  kind: 'percentage',
  on,
  percentage: percentage * 10_000n,
  among: every,
});
const cart = order([line('a', 10_000n)], { shipping: { price: 500n, tax: vat } });
const ids = (discounts: readonly Discount[]): string[] => discounts.map(({ id }) => id);

describe('discounts of one order', () => {
  test('combine where each names the class of the other', () => {
    const product = discount('p', percent(10n, 'products'), 'order');
    const whole = discount('o', percent(10n), 'product');
    assert.equal(combine(product, whole), true);
    assert.equal(combine(product, discount('o', percent(10n))), false);
    assert.equal(combine(product, discount('p2', percent(10n, 'products'), 'order', 'product')), false);
  });

  test('are the codes in the order of entering; one that does not combine with an earlier one is refused', () => {
    const ten = discount('ten', percent(10n), 'shipping');
    const twenty = discount('twenty', percent(20n), 'shipping');
    const free = discount('free', { kind: 'free_shipping' }, 'order');
    const { chosen, refused } = chooseDiscounts(cart, [ten, twenty, free], []);
    assert.deepEqual(ids(chosen), ['ten', 'free']);
    assert.deepEqual([...refused], [['twenty', 'discount_not_combinable']]);
  });

  test('are the automatic ones where these take more off than a code that they do not combine with', () => {
    const code = discount('code', percent(10n));
    const little = discount('little', percent(5n));
    const much = discount('much', percent(30n));
    assert.deepEqual(ids(chooseDiscounts(cart, [code], [little]).chosen), ['code']);
    const { chosen, refused } = chooseDiscounts(cart, [code], [little, much]);
    assert.deepEqual([ids(chosen), [...refused]], [['much'], [['code', 'discount_outdone']]]);
  });

  test('that find nothing to lower hinder no others', () => {
    const gifts = order([line('a', 10_000n, 1, { discountable: false })], { shipping: { price: 500n, tax: vat } });
    const nothing = discount('nothing', percent(50n));
    const free = discount('free', { kind: 'free_shipping' });
    assert.deepEqual(ids(chooseDiscounts(gifts, [], [nothing, free]).chosen), ['free']);
  });

  test('all combine with each other, and are worth no less than codes or automatic ones alone', () => {
    fc.assert(
      fc.property(orders, anyDiscounts, anyDiscounts, (given, some, others) => {
        const automatic = others.map((one) => ({ ...one, id: `automatic ${one.id}` }));
        const { chosen, refused } = chooseDiscounts(given, some, automatic);
        for (const [index, one] of chosen.entries())
          assert.ok(chosen.slice(index + 1).every((other) => combine(one, other)));
        const worth = totalsOf(given, chosen).discount;
        assert.ok(worth >= totalsOf(given, chooseDiscounts(given, [], automatic).chosen).discount);
        assert.equal(some.length, refused.size + chosen.filter(({ id }) => some.some((one) => one.id === id)).length);
      }),
      { numRuns: 200 },
    );
  });
});
