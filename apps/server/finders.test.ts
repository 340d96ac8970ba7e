import assert from 'node:assert/strict';
import { test } from 'node:test';
import { components } from './components.ts';

test('the search over all records looks through the beginning of each text alone, which bounds how long the database is at it', () => {
  const sought = {
    tenant: '',
    text: '42',
    words: ['42'],
    number: { prefix: '', digits: '42' },
    amounts: ['42', '420', '4200', '42000', '420000'],
    limit: 5,
  };
  const looking = new Set<string>();
  for (const { kind, statements } of components.flatMap(({ finders = [] }) => finders))
    for (const { text } of statements(sought))
      for (const [place] of text.matchAll(/\b(?:position|strpos)\b.*?> 0|\bi?like\b.*|~.*/g)) {
        assert.match(place, /^position\(\$\d in lower\(left\([a-z_.]+, 300\)\)\) > 0$/, kind);
        looking.add(kind);
      }
  assert.deepEqual([...looking].toSorted(), [
    'account',
    'agent',
    'bank_line',
    'document',
    'form',
    'member',
    'order',
    'party',
  ]);
});
