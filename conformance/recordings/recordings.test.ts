import assert from 'node:assert/strict';
import { test } from 'node:test';
import { some, whole } from './sample.ts';
import { recorded, recordedNames, take } from './take.ts';

/** Milliseconds; for a machine that is very busy. */
const timeout = 900_000;

test('the product says what was recorded', { timeout }, async () => {
  const taken = await take(process.env['RECORDINGS_WHOLE'] === '1' ? whole : some);
  assert.deepEqual(Object.keys(taken).toSorted(), recordedNames());
  const differing = Object.entries(taken).flatMap(([name, text]) => {
    const before = new Set(recorded(name).split('\n'));
    const lines = text.split('\n').filter((line) => !before.has(line));
    return text === recorded(name) ? [] : [`${name}: ${lines.slice(0, 5).join('\n')}`];
  });
  assert.deepEqual(differing, [], 'where it is meant, `npm run record` writes it');
});
