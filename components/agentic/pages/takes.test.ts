import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takes } from './takes.ts';

test('how long a way of shipping takes is said as people say it', () => {
  for (const [minDays, maxDays, said] of [
    [null, null, undefined],
    [0, null, undefined],
    [1, null, 'From 1 day on'],
    [2, null, 'From 2 days on'],
    [null, 0, 'The same day'],
    [0, 0, 'The same day'],
    [0, 1, 'Up to 1 day'],
    [null, 3, 'Up to 3 days'],
    [1, 1, '1 day'],
    [3, 3, '3 days'],
    [1, 2, '1 to 2 days'],
  ] as const)
    assert.equal(takes({ minDays, maxDays }), said, `${minDays} ${maxDays}`);
});
