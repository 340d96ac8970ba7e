import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { spellingOf } from './spelling.ts';

const answers = z.record(z.string(), z.unknown());
const schema = z.strictObject({
  partyId: z.string(),
  formAnswers: answers.optional(),
  lines: z.array(
    z.strictObject({ unitPrice: z.string(), taxRate: z.union([z.string(), z.object({ perCent: z.int() })]) }),
  ),
  seenBy: z.object({}).catchall(z.string()).optional(),
});
const spelling = spellingOf(z.toJSONSchema(schema, { io: 'input' }));
const inside = {
  partyId: 'p',
  formAnswers: { firstName: 'Ada', last_name: { middleName: 'K' } },
  lines: [
    { unitPrice: '1', taxRate: { perCent: 7 } },
    { unitPrice: '2', taxRate: 'none' },
  ],
};
const outside = {
  party_id: 'p',
  form_answers: { firstName: 'Ada', last_name: { middleName: 'K' } },
  lines: [
    { unit_price: '1', tax_rate: { per_cent: 7 } },
    { unit_price: '2', tax_rate: 'none' },
  ],
};

describe('the spelling of a tool', () => {
  test('turns the names of a schema both ways, and no name that users gave', () => {
    const unknown: string[] = [];
    assert.deepEqual(spelling.inward(outside, unknown), inside);
    assert.deepEqual(unknown, []);
    assert.deepEqual(spelling.outward(inside), outside);
  });

  test('is the spelling of the schema that callers are shown', () => {
    const { properties, required } = spelling.schema as { properties: object; required: string[] };
    assert.deepEqual(
      [Object.keys(properties), required],
      [
        ['party_id', 'form_answers', 'lines', 'seen_by'],
        ['party_id', 'lines'],
      ],
    );
  });

  test('takes no name of the inside, and says where it stood', () => {
    const unknown: string[] = [];
    spelling.inward({ partyId: 'p', lines: [{ unitPrice: '1' }] }, unknown);
    assert.deepEqual(unknown, ['/partyId', '/lines/0/unitPrice']);
  });

  test('lets out nothing that the schema does not name, and spells the keys that an answer may have beside', () => {
    const strange = { ...inside, secretKey: 'k', seenBy: { ownerId: 'o' } };
    assert.deepEqual(spelling.outward(strange), { ...outside, seen_by: { owner_id: 'o' } });
    assert.deepEqual(spelling.outwardLoose({ partyId: 'p', madeBy: { userId: 'u' } }), {
      party_id: 'p',
      made_by: { user_id: 'u' },
    });
  });

  test('tells pointers as callers know them, and leaves keys of users as they are', () => {
    assert.equal(spelling.pointer('/lines/0/unitPrice'), '/lines/0/unit_price');
    assert.equal(spelling.pointer('/formAnswers/firstName'), '/form_answers/firstName');
  });

  test('takes the name of a prototype for a name like any other', () => {
    const given = JSON.parse('{"form_answers":{"__proto__":{"a":1}}}') as object;
    const taken = spelling.inward(given, []) as { formAnswers: object };
    assert.deepEqual(Object.keys(taken.formAnswers), ['__proto__']);
  });
});
