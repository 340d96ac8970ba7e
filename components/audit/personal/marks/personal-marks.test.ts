import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRegistry } from '../../grammars/registry.ts';
import type { JsonSchema } from '../../grammars/grammar.ts';
import { findPlaces, replaced } from './marked-places.ts';

const id = { type: 'string', minLength: 1, maxLength: 100 };
const marked = (subject: string) => ({ type: 'string', 'x-personal': { subject } });
const rule = (schema: JsonSchema) => {
  const found = createRegistry([{ name: 'shop', events: [{ types: 'shop.a', major: 1, schema }] }]).resolve(
    'shop',
    'shop.a',
    '1.0.0',
  );
  assert.ok(found);
  return found;
};
const object = (properties: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

describe('personal data in a schema', () => {
  test('is found in nested properties and items, each value with its own subject', () => {
    const { personal } = rule(
      object(
        {
          buyer: object({ id, email: marked('/buyer/id') }, { required: ['id'] }),
          guests: {
            type: 'array',
            items: object({ id, 'x-personal': { type: 'string' }, name: marked('/guests/*/id') }, { required: ['id'] }),
          },
          notes: { type: 'array', items: marked('/buyer/id') },
        },
        { required: ['buyer'] },
      ),
    );
    const payload = {
      buyer: { id: 'b', email: 'b@example.com' },
      guests: [
        { id: 'g0', name: 'Ann' },
        { id: 'g1', 'x-personal': 'plain' },
        { id: 'g2', name: null },
      ],
      notes: ['tall'],
    };
    assert.deepEqual(
      [...findPlaces(payload, personal)].map(({ pointer, subject }) => [pointer, subject]),
      [
        ['/buyer/email', 'b'],
        ['/guests/0/name', 'g0'],
        ['/guests/2/name', 'g2'],
        ['/notes/0', 'b'],
      ],
    );
    const changed = replaced(payload, ['guests', '2', 'name'], () => 'sealed');
    assert.equal(changed.guests[2]?.name, 'sealed');
    assert.equal(payload.guests[2]?.name, null);
  });

  test('may stand beside an optional subject that must come with it', () => {
    const schema = object({ id, name: marked('/id') }, { dependentRequired: { name: ['id'] } });
    const { check, personal } = rule(schema);
    assert.equal(check({ name: 'Ann' }).length, 1);
    assert.deepEqual([...findPlaces({ id: 'x' }, personal)], []);
  });

  const unsound: readonly [what: string, schema: JsonSchema, complaint: RegExp][] = [
    ['a subject that is not required', object({ id, name: marked('/id') }), /must be required/],
    ['a subject that is not described', object({ name: marked('/id') }, { required: ['name'] }), /not described/],
    [
      'a subject that is no bounded string',
      object({ id: { type: 'string' }, name: marked('/id') }, { required: ['id'] }),
      /minLength of 1/,
    ],
    [
      'a subject that is marked itself',
      object(
        { id: { ...id, 'x-personal': { subject: '/other' } }, other: id, name: marked('/id') },
        { required: ['id', 'other'] },
      ),
      /itself marked/,
    ],
    [
      'a subject inside the marked value',
      object(
        { person: object({ id }, { required: ['id'], 'x-personal': { subject: '/person/id' } }) },
        { required: ['person'] },
      ),
      /around or inside/,
    ],
    [
      'a subject in another list',
      object(
        { ids: { type: 'array', items: id }, names: { type: 'array', items: marked('/ids/*') } },
        { required: ['ids'] },
      ),
      /list that the place is not in/,
    ],
    ['a whole payload', { ...object({ id }, { required: ['id'] }), 'x-personal': { subject: '/id' } }, /as a whole/],
    [
      'a container without its type',
      object({ id, who: { properties: { name: marked('/id') } } }, { required: ['id'] }),
      /can be reached|strict mode/,
    ],
    [
      'a place that only some payloads have',
      object({ id }, { required: ['id'], anyOf: [object({ id: {}, name: marked('/id') })] }),
      /can be reached/,
    ],
    ['a definition', object({ id }, { required: ['id'], $defs: { name: marked('/id') } }), /can be reached/],
    [
      'a mark within a mark',
      object({ id, who: object({ name: marked('/id') }, { 'x-personal': { subject: '/id' } }) }, { required: ['id'] }),
      /can be reached/,
    ],
    [
      'an unknown form of the mark',
      object({ id, name: { type: 'string', 'x-personal': true } }, { required: ['id'] }),
      /x-personal/,
    ],
    ['no pointer', object({ id, name: marked('id') }, { required: ['id'] }), /pointer/],
  ];
  for (const [what, schema, complaint] of unsound)
    test(`refuses at start ${what}`, () => {
      assert.throws(() => rule(schema), complaint);
    });
});
