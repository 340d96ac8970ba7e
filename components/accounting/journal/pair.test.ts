import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pair, type Line } from './pair.ts';

const debit = (accountId: string, amount: bigint): Line => ({ accountId, debit: amount });
const credit = (accountId: string, amount: bigint): Line => ({ accountId, credit: amount });

test('sides are paired in their order, and every account keeps its sum', () => {
  assert.deepEqual(pair([debit('bank', 100n), credit('sales', 80n), credit('tax', 20n)]), [
    { debit: 'bank', credit: 'sales', amount: 80n, debitMemo: null, creditMemo: null },
    { debit: 'bank', credit: 'tax', amount: 20n, debitMemo: null, creditMemo: null },
  ]);
  assert.equal(pair([debit('a', 30n), debit('b', 70n), credit('c', 60n), credit('d', 40n)])?.length, 3);
});

test('an account on both sides is netted, for nothing moves from an account to itself', () => {
  assert.deepEqual(pair([debit('a', 100n), credit('a', 40n), credit('b', 60n)]), [
    { debit: 'a', credit: 'b', amount: 60n, debitMemo: null, creditMemo: null },
  ]);
  assert.equal(pair([debit('a', 5n), credit('a', 5n)]), undefined);
});

test('sides that differ are refused', () => {
  assert.equal(pair([debit('a', 100n), credit('b', 99n)]), undefined);
  assert.equal(pair([]), undefined);
  assert.equal(pair([debit('a', 1n)]), undefined);
});
