import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostAttempts, pauseAfter } from './timings.ts';

test('a delivery is tried for two days at least, however the pauses fall', (t) => {
  t.mock.method(Math, 'random', () => 0);
  let waited = 0;
  for (let attempts = 1; attempts < mostAttempts; attempts += 1) waited += pauseAfter(attempts, undefined);
  assert.ok(waited >= 48 * 3_600_000, `${(waited / 3_600_000).toFixed(1)} hours`);
});
