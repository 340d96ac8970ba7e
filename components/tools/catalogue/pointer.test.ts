import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { pointersInto, wordsFor } from './pointer.ts';
import { jsonSchema } from './schema.ts';

test('a pointer of a verb becomes one that the arguments have', () => {
  const input = z.strictObject({
    due_date: z.string(),
    lines: z.array(z.strictObject({ unit_price: z.string() })),
    custom: z.record(z.string(), z.unknown()),
    change: z.union([z.strictObject({ default_country: z.string() }), z.null()]),
  });
  const pointer = pointersInto(jsonSchema(input, 'input'));
  const cases = {
    '/dueDate': '/due_date',
    '?dueDate': '/due_date',
    '/due_date': '/due_date',
    '/lines/3/unitPrice': '/lines/3/unit_price',
    '/lines/3/taxId': '/lines/3',
    '/lines/x': '/lines',
    '/custom/ownKey': '/custom/ownKey',
    '/change/defaultCountry': '/change/default_country',
    '/partyId': '',
    '/dueDate/0': '/due_date',
    '': '',
  };
  for (const [of, to] of Object.entries(cases)) assert.equal(pointer(of), to, of);
});

test('the words of a verb name the arguments as the tool does, and nothing else otherwise', () => {
  const input = z.strictObject({ due_date: z.string(), lines: z.array(z.strictObject({ unit_price: z.string() })) });
  const words = wordsFor(jsonSchema(input, 'input'), { partyId: 'customer_id', id: 'other' });
  assert.equal(
    words('It is before dueDate: give unitPrice, partyId, GraphQL, ownKey, an id and dueDates.'),
    'It is before due_date: give unit_price, customer_id, GraphQL, ownKey, an id and dueDates.',
  );
});
