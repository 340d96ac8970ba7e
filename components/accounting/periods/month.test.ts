import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMonths, fiscalYearOf, lastDayOf, monthOf } from './month.ts';

test('months follow the calendar, over leap years and year ends', () => {
  assert.equal(monthOf('2028-02-29'), '2028-02-01');
  assert.equal(lastDayOf('2028-02-11'), '2028-02-29');
  assert.equal(lastDayOf('2026-02-01'), '2026-02-28');
  assert.equal(lastDayOf('2026-12-31'), '2026-12-31');
  assert.equal(addMonths('2026-11-01', 3), '2027-02-01');
  assert.equal(addMonths('2026-01-01', -1), '2025-12-01');
});

test('a fiscal year begins in its own month', () => {
  assert.equal(fiscalYearOf('2026-03-31', 4), '2025-04-01');
  assert.equal(fiscalYearOf('2026-04-01', 4), '2026-04-01');
  assert.equal(fiscalYearOf('2026-01-01', 1), '2026-01-01');
  assert.equal(fiscalYearOf('2026-12-31', 12), '2026-12-01');
});
