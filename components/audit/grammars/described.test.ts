import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvents } from '@steward/kernel';
import { described } from './described.ts';

const { grammar, event } = defineEvents('shop', {
  recorded: {
    'shop.till.counted': described(
      'The till was counted',
      {
        by: { type: 'string', format: 'uuid' },
        coins: { type: 'array', items: { type: 'integer' } },
        how: { enum: ['by hand', 'by machine'] },
        notes: { type: 'object', additionalProperties: { type: 'string' } },
        seen: { type: 'integer', description: 'By whom else.' },
      },
      { optional: ['seen'] },
    ),
  },
  published: {},
});

test('a described payload is served as it was written, and the compiler knows its members', () => {
  assert.equal(
    JSON.stringify(grammar.events[0]?.schema),
    '{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"The till was counted","type":"object","properties":{' +
      '"by":{"type":"string","format":"uuid"},"coins":{"type":"array","items":{"type":"integer"}},' +
      '"how":{"enum":["by hand","by machine"]},"notes":{"type":"object","additionalProperties":{"type":"string"}},' +
      '"seen":{"type":"integer","description":"By whom else."}},"required":["by","coins","how","notes"],"additionalProperties":false}',
  );
  const counted = { by: 'x', coins: [1, 2], how: 'by hand', notes: { one: 'a' } } as const;
  const all = [
    event('shop.till.counted', counted),
    event('shop.till.counted', { ...counted, seen: 2 }),
    // @ts-expect-error a member is missing
    event('shop.till.counted', { by: 'x', coins: [1, 2], how: 'by hand' }),
    // @ts-expect-error a member nobody described
    event('shop.till.counted', { ...counted, heard: 2 }),
    // @ts-expect-error none of the values
    event('shop.till.counted', { ...counted, how: 'by eye' }),
    // @ts-expect-error a list of something else
    event('shop.till.counted', { ...counted, coins: ['1'] }),
    // @ts-expect-error a map to something else
    event('shop.till.counted', { ...counted, notes: { one: 1 } }),
  ];
  assert.equal(all.length, 7);
});
