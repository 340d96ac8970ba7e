import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftOf, linesInPlace, nextOpen, without, type BankLine } from './bank-line.ts';

const line = (id: string, unmatched = '10.00', day = '2026-11-01'): BankLine => ({
  id,
  day,
  description: id,
  counterparty: null,
  reference: null,
  amount: { amount: '10.00', currency: 'EUR' },
  unmatched: { amount: unmatched, currency: 'EUR' },
  matches: [],
});

test('a line that was explained stays in its place when the list no longer has it', () => {
  const lines = linesInPlace([line('a'), line('c')], new Map([['b', line('b', '0.00')]]));
  assert.deepEqual(
    lines.map(({ id }) => id),
    ['a', 'b', 'c'],
  );
});

test('after the last line the first one that is open is next, and none once all are explained', () => {
  const lines = [line('a'), line('b', '0.00'), line('c')];
  assert.equal(nextOpen(lines, 'a'), 'c');
  assert.equal(nextOpen(lines, 'c'), 'a');
  assert.equal(nextOpen([line('a', '0.00')], 'a'), undefined);
  assert.equal(nextOpen([line('a')], undefined), 'a');
});

test('a line whose matches are taken back is open by their amounts, to the cent', () => {
  const match = (matchId: string, amount: string) => ({ matchId, entryId: 'e', amount: { amount, currency: 'EUR' } });
  const [one, two, three] = [match('1', '-3.10'), match('2', '-5.00'), match('3', '-1.90')];
  const before = { ...line('a', '0.00'), matches: [one, two, three] };
  const after = without(before, ['1', '3']);
  assert.deepEqual([after.matches, after.unmatched.amount], [[two], '-5.00']);
});

test('parts are taken from what is left, to the cent', () => {
  assert.equal(leftOf(line('a', '-10.00'), ['-3.10', '-6.90']), '0.00');
});
