import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givesBack, unitsBack } from './gives-back.ts';

const euros = (amount: string) => ({ amount, currency: 'EUR' });
const order = {
  total: euros('41.01'),
  lines: [
    { id: 'a', quantity: 3, net: euros('8.41'), tax: euros('1.60') },
    { id: 'b', quantity: 2, net: euros('0.01'), tax: euros('0.01') },
  ],
};
const nothing = { lines: [], shipping: undefined, adjustment: undefined };

test('units give back their share of what was charged, and all of them together exactly that', () => {
  const one = [{ lineId: 'a', quantity: 1 }];
  const shares = [0, 1, 2].map((before) => givesBack(order, new Map([['a', before]]), { ...nothing, lines: one }));
  assert.deepEqual(shares, ['3.33', '3.35', '3.33']);
  assert.equal(givesBack(order, new Map(), { ...nothing, lines: [{ lineId: 'a', quantity: 3 }] }), '10.01');
  // Of two halves one is rounded up and one down.
  assert.equal(givesBack(order, new Map(), { ...nothing, lines: [{ lineId: 'b', quantity: 1 }] }), '0.01');
});

test('shipping and goodwill are added as they were typed', () => {
  const lines = [{ lineId: 'a', quantity: 3 }];
  assert.equal(givesBack(order, new Map(), { lines, shipping: '4.90', adjustment: '0.1' }), '15.01');
  assert.equal(givesBack(order, new Map(), nothing), '0.00');
});

test('what is half typed, or more than there is, comes to nothing that is said', () => {
  const before = new Map([['a', 2]]);
  for (const asked of [
    { ...nothing, shipping: '4,' },
    { ...nothing, adjustment: '-1.00' },
    { ...nothing, adjustment: '1.001' },
    { ...nothing, lines: [{ lineId: 'a', quantity: 2 }] },
    { ...nothing, lines: [{ lineId: 'a', quantity: Number.NaN }] },
    { ...nothing, lines: [{ lineId: 'a', quantity: 0.5 }] },
    { ...nothing, lines: [{ lineId: 'c', quantity: 1 }] },
  ])
    assert.equal(givesBack(order, before, asked), undefined, JSON.stringify(asked));
});

test('units that were given back are counted by line', () => {
  const refunds = [
    { lines: [{ lineId: 'a', quantity: 1 }] },
    { lines: [] },
    {
      lines: [
        { lineId: 'b', quantity: 2 },
        { lineId: 'a', quantity: 1 },
      ],
    },
  ];
  assert.deepEqual(
    [...unitsBack(refunds)],
    [
      ['a', 2],
      ['b', 2],
    ],
  );
});
