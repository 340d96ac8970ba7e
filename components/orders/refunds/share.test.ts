import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { amountShare, refundShare } from './share.ts';

const cents = fc.bigInt({ min: 0n, max: 10n ** 12n });
const charged = fc.record({ quantity: fc.integer({ min: 1, max: 40 }), net: cents, tax: cents });

describe('shares of what was charged', () => {
  test('add up to it exactly, whatever is given back at a time, and none is below zero', () => {
    fc.assert(
      fc.property(charged, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 }), (line, steps) => {
        const given = { net: 0n, tax: 0n };
        let before = 0;
        for (const step of [...steps, line.quantity]) {
          const units = Math.min(step, line.quantity - before);
          const share = refundShare(line, units, before);
          assert.ok(share.net >= 0n && share.tax >= 0n);
          assert.equal(share.total, share.net + share.tax);
          given.net += share.net;
          given.tax += share.tax;
          before += units;
          const whole = (line.net + line.tax) * BigInt(before);
          if (whole % BigInt(line.quantity) === 0n) assert.equal(given.net + given.tax, whole / BigInt(line.quantity));
        }
        assert.deepEqual(given, { net: line.net, tax: line.tax });
      }),
      { numRuns: 500 },
    );
    assert.deepEqual(refundShare({ quantity: 2, net: 1n, tax: 1n }, 1), { net: 1n, tax: 0n, total: 1n });
  });

  test('of an amount are that amount', () => {
    fc.assert(
      fc.property(
        cents,
        cents,
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { maxLength: 8 }),
        (net, tax, all) => {
          const given = { net: 0n, tax: 0n };
          let before = 0n;
          for (const asked of [...all, net + tax]) {
            const amount = asked < net + tax - before ? asked : net + tax - before;
            if (amount === 0n) continue;
            const share = amountShare({ net, tax }, amount, before);
            assert.ok(share.net >= 0n && share.tax >= 0n);
            assert.equal(share.total, amount);
            given.net += share.net;
            given.tax += share.tax;
            before += amount;
          }
          assert.deepEqual(given, { net, tax });
        },
      ),
      { numRuns: 500 },
    );
  });

  test('are of no more than there is', () => {
    for (const [units, before] of [
      [3, 0],
      [1, 2],
      [-1, 0],
      [0.5, 0],
    ] as const)
      assert.throws(() => refundShare({ quantity: 2, net: 1n, tax: 1n }, units, before), RangeError);
    for (const [amount, before] of [
      [3n, 0n],
      [1n, 2n],
      [0n, 0n],
      [1n, -1n],
    ] as const)
      assert.throws(() => amountShare({ net: 1n, tax: 1n }, amount, before), RangeError);
  });
});
