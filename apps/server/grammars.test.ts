import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegistry } from '@steward/audit';
import { components } from './components.ts';

test('every schema of an event is sound, which a start does not look at', () => {
  const rules = createRegistry(components.flatMap(({ grammar }) => grammar ?? [])).grammars.flatMap(
    ({ base, entries }) => [base, ...entries.map(({ rule }) => rule)],
  );
  assert.ok(rules.length > 60, `${rules.length} schemas`);
  for (const { check, schema } of rules) assert.doesNotThrow(() => check({}), JSON.stringify(schema));
});
