import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, readField } from './event.ts';

test('the field says every qualifier, and reads what it says', () => {
  for (const qualified of [
    {},
    { type: 'portal.**', principal: 'user:alice' },
    { resource: 'two "words" here', sequence_from: '1', sequence_to: '20' },
    { principal: 'agent:https://client.example/a b', received_from: '2026-11-01T00:00:00Z' },
  ])
    assert.deepEqual(readField(fieldOf(qualified)), qualified);
});

test('a word without a qualifier is what an event is about', () => {
  assert.deepEqual(readField('  0198-1  type:a.b'), { resource: '0198-1', type: 'a.b' });
  assert.deepEqual(readField('unknown:x'), { resource: 'unknown:x' });
  assert.deepEqual(readField('type:"not closed'), { type: 'not closed' });
});
