import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContactField, ContactSchema, FieldType } from '../schema/field.ts';
import { checkMapped, readMapped } from './mapped.ts';

const field = (type: FieldType, changes: Partial<ContactField> = {}): ContactField => ({
  key: `a_${type}`,
  label: type,
  type,
  description: null,
  options: [
    { value: 'gold', label: 'Gold plan', retired: false },
    { value: 'Gold', label: 'Other', retired: false },
    { value: 'old', label: 'Old', retired: true },
    { value: 'tin', label: 'Tin', retired: false },
  ],
  maxLength: type === 'text' ? 5 : type === 'long_text' ? 40 : null,
  retired: false,
  ...changes,
});
const types: FieldType[] = [
  'text',
  'long_text',
  'number',
  'boolean',
  'date',
  'datetime',
  'select',
  'multiselect',
  'url',
  'email',
  'phone',
];
const schema: ContactSchema = {
  version: 2,
  defaultCountry: 'DE',
  fields: [...types.map((type) => field(type)), field('text', { key: 'gone', retired: true })],
};
const read = (type: string, given: unknown): unknown => {
  const key = (types as readonly string[]).includes(type) ? `a_${type}` : type;
  const { said, errors } = readMapped(schema, { [key]: given });
  return errors[0]?.code ?? said.custom[key];
};

describe('values that are mapped to a contact', () => {
  for (const [type, given, kept] of [
    ['text', ' Ada ', 'Ada'],
    ['text', 42, '42'],
    ['text', true, 'true'],
    ['text', ['Ada'], 'Ada'],
    ['text', 'Grace Hopper', 'invalid_value'],
    ['text', '👩‍🚀', '👩‍🚀'],
    ['text', 'a\nb', 'invalid_value'],
    ['text', 'a\u0000', 'invalid_value'],
    ['text', 'a\u202e', 'invalid_value'],
    ['text', '\ud800', 'invalid_value'],
    ['text', { a: 1 }, 'invalid_value'],
    ['text', ['a', 'b'], 'invalid_value'],
    ['long_text', 'a\r\nb\tc', 'a\nb\tc'],
    ['long_text', 'a\u0007', 'invalid_value'],
    ['number', 42, 42],
    ['number', ' 42 ', 42],
    ['number', '-0.5', -0.5],
    ['number', '0', 0],
    ['number', 0, 0],
    ['number', '-0', 0],
    ['number', '1e3', 1000],
    ['number', '1,5', 'invalid_value'],
    ['number', '0x10', 'invalid_value'],
    ['number', 'NaN', 'invalid_value'],
    ['number', '1e999', 'invalid_value'],
    ['number', '1234567890.12345', 1_234_567_890.123_45],
    ['number', '12345678901234567', 'invalid_value'],
    ['number', true, 'invalid_value'],
    ['boolean', false, false],
    ['boolean', 'on', true],
    ['boolean', 'FALSE', false],
    ['boolean', 1, true],
    ['boolean', 'maybe', 'invalid_value'],
    ['date', '2028-02-29', '2028-02-29'],
    ['date', '2026-02-29', 'invalid_value'],
    ['date', '03/04/2026', 'invalid_value'],
    ['date', '2026-03-02T00:00:00Z', 'invalid_value'],
    ['datetime', '2026-03-02T09:30+01:00', '2026-03-02T08:30:00.000Z'],
    ['datetime', '2026-03-02T09:30', 'invalid_value'],
    ['datetime', '2026-02-30T09:30:00Z', 'invalid_value'],
    ['select', 'gold', 'gold'],
    ['select', 'Gold', 'Gold'],
    ['select', 'GOLD', 'invalid_value'],
    ['select', 'gold plan', 'gold'],
    ['select', ['tin'], 'tin'],
    ['select', 'old', 'invalid_value'],
    ['select', 'lead', 'invalid_value'],
    ['multiselect', 'tin', ['tin']],
    ['multiselect', ['tin', 'gold', 'tin'], ['tin', 'gold']],
    ['multiselect', ['tin', 'lead'], 'invalid_value'],
    ['url', 'https://example.com/a?b=ä', 'https://example.com/a?b=ä'],
    ['url', 'javascript:alert(1)', 'invalid_value'],
    ['url', 'https://user:secret@example.com', 'invalid_value'],
    ['url', 'example.com', 'invalid_value'],
    ['email', 'Ä@EX.de', 'ä@ex.de'],
    ['email', 'nobody', 'invalid_value'],
    ['phone', '030 123456', '+4930123456'],
    ['phone', 'call me', 'invalid_value'],
    ['gone', 'x', 'retired_field'],
    ['gone', '', undefined],
    ['unheard', 'x', 'unknown_field'],
    ['unheard', ' ', undefined],
    ['__proto__', 'x', 'unknown_field'],
    ['constructor', 'x', 'unknown_field'],
  ] as const)
    test(`${JSON.stringify(given)} for ${type} is ${JSON.stringify(kept)}`, () => {
      assert.deepEqual(read(type, given), kept);
    });

  test('every fault is told, each at the place where the caller wrote the value', () => {
    const faults = checkMapped(
      schema,
      { email: 'nobody', a_number: 'many', a_select: 'lead' },
      { pointer: (key) => `/data/form_${key}` },
    );
    assert.deepEqual(
      faults.map(({ pointer }) => pointer),
      ['/data/form_email', '/data/form_a_number', '/data/form_a_select'],
    );
    for (const { detail } of faults) assert.match(detail, /Give|Choose/);
  });

  test('custom values need somebody they belong to, and blank ones say nothing', () => {
    assert.deepEqual(
      checkMapped(schema, { a_text: 'x', email: ' ', name: null }).map(({ code }) => code),
      ['identity_required'],
    );
    assert.deepEqual(checkMapped(schema, { a_text: ' ', a_number: [], email: '' }), []);
    for (const identity of [{ email: 'a@ex.com' }, { phone: '030 123456' }, { name: 'Ada' }])
      assert.deepEqual(checkMapped(schema, { a_text: 'x', ...identity }), []);
    assert.deepEqual(checkMapped(schema, { a_number: 0, a_boolean: false, name: 'Ada' }), []);
  });
});
