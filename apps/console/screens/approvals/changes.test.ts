import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compared } from './changes.ts';

const image = { alt: 'A mug', url: 'https://shop.example/mug' };

test('of a list of records only what differs is told, by item and member, and what stays is kept beside it', () => {
  const before = {
    note: null,
    lines: [
      { id: 'a', title: 'Mug', refunded: '0', image },
      { id: 'b', title: 'Cup', refunded: '1', image },
      { id: 'c', title: 'Bowl', refunded: '0', image },
    ],
  };
  const [first, second, third] = before.lines;
  const after = { note: null, lines: [{ ...first, refunded: '2' }, { ...third, id: 'd' }, second] };
  const { changes, stays } = compared(before, after);
  assert.deepEqual(changes, [
    { path: ['lines', '1 Mug', 'refunded'], item: 'a', before: '0', after: '2' },
    { path: ['lines', '3 Bowl'], before: third, after: undefined },
    { path: ['lines', '4 Bowl'], before: undefined, after: { ...third, id: 'd' } },
  ]);
  assert.deepEqual(stays, { note: null, lines: [{ id: 'a', title: 'Mug', image }, second] });
});

test('another order of a list is told as the whole list', () => {
  const [a, b] = [{ id: 'a' }, { id: 'b' }];
  assert.deepEqual(compared({ of: [a, b] }, { of: [b, a] }).changes, [{ path: ['of'], before: [a, b], after: [b, a] }]);
});

test('everything is either told or kept: amounts whole, items without an id where they stand, twins of one id too', () => {
  const euros = (amount: string) => ({ amount, currency: 'EUR' });
  assert.deepEqual(compared({ total: euros('1.00') }, { total: euros('2.00') }).changes, [
    { path: ['total'], before: euros('1.00'), after: euros('2.00') },
  ]);
  const twins = [
    { id: 'a', is: 1 },
    { id: 'a', is: 2 },
  ];
  assert.deepEqual(
    compared(twins, [
      { id: 'a', is: 1 },
      { id: 'a', is: 3 },
    ]).changes,
    [{ path: ['2', 'is'], before: 2, after: 3 }],
  );
  assert.deepEqual(compared([{ is: 1 }, { is: 2 }], [{ is: 1 }]).changes, [
    { path: ['2'], before: { is: 2 }, after: undefined },
  ]);
  assert.deepEqual(compared([], [{ is: 1 }]).changes, [{ path: [], before: [], after: [{ is: 1 }] }]);
});
