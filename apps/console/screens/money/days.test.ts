import assert from 'node:assert/strict';
import { test } from 'node:test';
import { before, monthBefore, monthOf, monthsUntil, moved, yearBefore } from './days.ts';

test('the months of a plot end with the one of today, across a new year', () => {
  const months = monthsUntil('2026-02-17', 3);
  assert.deepEqual(
    months.map(({ from, to }) => `${from} ${to}`),
    ['2025-12-01 2025-12-31', '2026-01-01 2026-01-31', '2026-02-01 2026-02-28'],
  );
});

test('whole months are compared with as many whole months', () => {
  assert.deepEqual(before(monthOf('2026-03-05')), { from: '2026-02-01', to: '2026-02-28' });
  assert.deepEqual(before({ from: '2026-01-01', to: '2026-03-31' }), { from: '2025-10-01', to: '2025-12-31' });
});

test('the month before is whole, whatever the day, across a new year', () => {
  assert.deepEqual(monthBefore('2026-03-31'), { from: '2026-02-01', to: '2026-02-28' });
  assert.deepEqual(monthBefore('2026-01-01'), { from: '2025-12-01', to: '2025-12-31' });
});

test('other periods are compared with as many days', () => {
  assert.deepEqual(before({ from: '2026-03-10', to: '2026-03-12' }), { from: '2026-03-07', to: '2026-03-09' });
});

test('a year before the end of a February is the end of a February', () => {
  assert.equal(moved('2028-02-29', { years: -1 }), '2027-02-28');
  assert.deepEqual(yearBefore(monthOf('2027-02-03')), { from: '2026-02-01', to: '2026-02-28' });
  assert.deepEqual(yearBefore(monthOf('2029-02-03')), { from: '2028-02-01', to: '2028-02-29' });
});
