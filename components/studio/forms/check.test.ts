import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkDefinition } from './check.ts';
import type { FormDefinition, FormField, ValidationRule } from './definition.ts';

const text = (name: string, more: Partial<FormField> = {}): FormField => ({
  name,
  label: name,
  type: 'text',
  required: false,
  ...more,
});

function found(fields: readonly FormField[], validationRules: readonly ValidationRule[] = [], mails: string[] = []) {
  const form: FormDefinition = {
    fields,
    validationRules,
    targetEntityType: null,
    notificationEmails: mails,
    defaultCountry: null,
  };
  return Object.fromEntries(checkDefinition(form).map(({ pointer, code }) => [pointer, code]));
}

describe('a definition by itself', () => {
  test('asks for no contact id, however it is spelled', () => {
    for (const name of [
      'contactId',
      'contactid',
      'CONTACTID',
      'contact_id',
      'Contact_ID',
      'contact-id',
      'c_o_n_tactId',
    ])
      assert.deepEqual(found([text(name)]), { '/fields/0/name': 'contact_id_not_accepted' }, name);
    assert.deepEqual(found([text('a', { mapsTo: 'contact_id' })]), { '/fields/0/mapsTo': 'contact_id_not_accepted' });
    assert.deepEqual(found([text('contact'), text('contactIdea')]), {});
  });

  test('has names that no object has of itself', () => {
    for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty'])
      assert.deepEqual(found([text(name)]), { '/fields/0/name': 'reserved_name' }, name);
  });

  test('names and maps each once', () => {
    assert.deepEqual(found([text('email'), text('Email')]), { '/fields/1/name': 'duplicate_name' });
    assert.deepEqual(found([text('a', { mapsTo: 'email' }), text('b', { mapsTo: 'email' })]), {
      '/fields/1/mapsTo': 'duplicate_mapping',
    });
  });

  test('gives options to choices, and to nothing else', () => {
    const options = [{ value: 'a', label: 'A' }];
    for (const type of ['radio', 'select', 'multiselect'] as const) {
      assert.deepEqual(found([text('a', { type })]), { '/fields/0/options': 'options_required' });
      assert.deepEqual(found([text('a', { type, options })]), {});
    }
    assert.deepEqual(found([text('a', { options })]), { '/fields/0/options': 'options_not_accepted' });
    assert.deepEqual(found([text('a', { type: 'select', options: [...options, ...options] })]), {
      '/fields/0/options/1': 'duplicate_option',
    });
  });

  test('has rules about its own fields, with values that mean something', () => {
    const options = [{ value: 'a', label: 'A' }];
    const fields = [
      text('t'),
      text('n', { type: 'number' }),
      text('d', { type: 'date' }),
      text('m', { type: 'multiselect', options }),
      text('c', { type: 'checkbox' }),
    ];
    const good: ValidationRule[] = [
      { field: 't', rule: 'required', message: 'Please' },
      { field: 't', rule: 'min_length', value: 2 },
      { field: 't', rule: 'max_length', value: 2 },
      { field: 't', rule: 'pattern', value: '[A-Z]{2}\\d+' },
      { field: 'n', rule: 'min', value: -1.5 },
      { field: 'n', rule: 'max', value: 10 },
      { field: 'd', rule: 'min', value: '2026-01-01' },
      { field: 'm', rule: 'max_items', value: 1 },
      { field: 'c', rule: 'required' },
    ];
    assert.deepEqual(found(fields, good), {});
    const bad: [ValidationRule, string, string][] = [
      [{ field: 'x', rule: 'required' }, 'field', 'unknown_field'],
      [{ field: 't', rule: 'required', value: 1 }, 'value', 'invalid_value'],
      [{ field: 't', rule: 'min_length' }, 'value', 'invalid_value'],
      [{ field: 't', rule: 'min_length', value: -1 }, 'value', 'invalid_value'],
      [{ field: 't', rule: 'min_length', value: '2' }, 'value', 'invalid_value'],
      [{ field: 't', rule: 'pattern', value: '(' }, 'value', 'invalid_value'],
      [{ field: 't', rule: 'pattern', value: '' }, 'value', 'invalid_value'],
      [{ field: 't', rule: 'pattern', value: 3 }, 'value', 'invalid_value'],
      [{ field: 't', rule: 'min', value: 1 }, 'rule', 'rule_not_for_type'],
      [{ field: 'n', rule: 'min_length', value: 1 }, 'rule', 'rule_not_for_type'],
      [{ field: 'n', rule: 'min', value: '1' }, 'value', 'invalid_value'],
      [{ field: 'd', rule: 'max', value: '2026-02-30' }, 'value', 'invalid_value'],
      [{ field: 'd', rule: 'max', value: 20260101 }, 'value', 'invalid_value'],
      [{ field: 'c', rule: 'max_items', value: 1 }, 'rule', 'rule_not_for_type'],
    ];
    for (const [rule, member, code] of bad)
      assert.deepEqual(found(fields, [rule]), { [`/validationRules/0/${member}`]: code }, JSON.stringify(rule));
    assert.deepEqual(
      found(fields, [
        { field: 't', rule: 'min_length', value: 3 },
        { field: 't', rule: 'max_length', value: 2 },
      ]),
      { '/validationRules/0/value': 'invalid_value' },
    );
    assert.deepEqual(
      found(fields, [
        { field: 'n', rule: 'min', value: 0 },
        { field: 'n', rule: 'min', value: 0 },
      ]),
      { '/validationRules/1': 'duplicate_rule' },
    );
  });

  test('tells each address once', () => {
    assert.deepEqual(found([text('a')], [], ['a@example.com', 'A@Example.com']), {
      '/notificationEmails/1': 'duplicate_email',
    });
  });
});
