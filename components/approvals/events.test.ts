import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grammar, published } from './events.ts';

test('whatever is recorded of an action is announced too, under the same name, but what an erasure took from it', () => {
  const recorded = grammar.events
    .map(({ types }) => types)
    .filter((type) => type.startsWith('approvals.action.') && !type.endsWith('erased'));
  assert.deepEqual(Object.keys(published).toSorted(), recorded.toSorted());
});
