import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FormField, ValidationRule } from '../client/schema.ts';
import { catalogues } from '../messages/catalogue.ts';
import { autofillToken } from './autofill.ts';
import { faultOf, type Value } from './rules.ts';

const field = (more: Partial<FormField> = {}): FormField => ({
  name: 'x',
  label: 'X',
  type: 'text',
  required: false,
  ...more,
});
const rule = (name: string, value?: unknown, message?: string): ValidationRule => ({
  field: 'x',
  rule: name,
  value,
  ...(message === undefined ? {} : { message }),
});
const flagOf = (one: FormField, rules: ValidationRule[], value: Value | undefined, unreadable = false) =>
  faultOf(one, rules, value, unreadable, catalogues.en)?.flag;

describe('the rules of a form', () => {
  it('ask for what is required as the server does: blank text and empty lists are missing, 0 is not', () => {
    const required = field({ required: true });
    for (const value of [undefined, '', '  \t', []]) assert.equal(flagOf(required, [], value), 'valueMissing');
    for (const value of ['x', 0, ['a']]) assert.equal(flagOf(required, [], value), undefined);
    assert.equal(flagOf(field(), [rule('required')], undefined), 'valueMissing');
    assert.equal(flagOf(field(), [], undefined), undefined);
  });

  it('take a box that must be ticked for missing while it is not', () => {
    assert.equal(flagOf(field({ type: 'checkbox', required: true }), [], false), 'valueMissing');
    assert.equal(flagOf(field({ type: 'checkbox', required: true }), [], true), undefined);
    assert.equal(flagOf(field({ type: 'checkbox' }), [], false), undefined);
  });

  it('know addresses, numbers and days', () => {
    const cases: [string, Value, boolean][] = [
      ['email', 'ada@example.com', true],
      ['email', 'ada+x@sub.example.co', true],
      ['email', 'ada@例え.jp', true],
      ['email', 'ada', false],
      ['email', 'ada@example', false],
      ['email', 'a b@example.com', false],
      ['tel', '+44 20 7946 0000', true],
      ['tel', '(030) 901-820', true],
      ['tel', '1234', false],
      ['tel', 'call me', false],
      ['url', 'https://example.com/a?b', true],
      ['url', 'javascript:alert(1)', false],
      ['url', 'example.com', false],
    ];
    for (const [type, value, passes] of cases)
      assert.equal(flagOf(field({ type }), [], value), passes ? undefined : 'typeMismatch', `${type} ${String(value)}`);
    assert.equal(flagOf(field({ type: 'number' }), [], undefined, true), 'badInput');
    assert.equal(flagOf(field({ type: 'date' }), [], undefined, true), 'badInput');
  });

  it('hold a value to every rule that studio publishes', () => {
    const cases: [FormField, ValidationRule, Value, string | undefined][] = [
      [field(), rule('min_length', 3), 'ab', 'tooShort'],
      [field(), rule('min_length', 3), 'abc', undefined],
      [field(), rule('max_length', 2), '👩‍🚀', 'tooLong'],
      [field(), rule('max_length', 2), '日本', undefined],
      [field(), rule('pattern', '[A-Z]{2}\\d'), 'AB1', undefined],
      [field(), rule('pattern', '[A-Z]{2}\\d'), 'xAB1', 'patternMismatch'],
      [field(), rule('pattern', 'a|b'), 'ab', 'patternMismatch'],
      [field({ type: 'number' }), rule('min', 1), 0, 'rangeUnderflow'],
      [field({ type: 'number' }), rule('min', 1), 1, undefined],
      [field({ type: 'number' }), rule('max', 10), 9, undefined],
      [field({ type: 'number' }), rule('max', 10), 10.5, 'rangeOverflow'],
      [field({ type: 'number' }), rule('max', 10), '12345678901234567890', 'rangeOverflow'],
      [field({ type: 'date' }), rule('min', '2026-11-01'), '2026-10-31', 'rangeUnderflow'],
      [field({ type: 'date' }), rule('max', '2026-11-01'), '2026-11-01', undefined],
      [field({ type: 'multiselect' }), rule('min_items', 2), ['a'], 'tooShort'],
      [field({ type: 'multiselect' }), rule('max_items', 2), ['a', 'b'], undefined],
      [field({ type: 'multiselect' }), rule('max_items', 2), ['a', 'b', 'c'], 'tooLong'],
    ];
    for (const [one, held, value, flag] of cases)
      assert.equal(flagOf(one, [held], value), flag, `${held.rule} ${String(held.value)} of ${String(value)}`);
  });

  it('leave an optional field that is blank alone, whatever its rules', () => {
    assert.equal(flagOf(field({ type: 'email' }), [rule('min_length', 3), rule('pattern', 'x')], '  '), undefined);
  });

  it('leave to the server what this version does not know', () => {
    for (const name of ['luhn', 'constructor', '__proto__', 'toString'])
      assert.equal(flagOf(field({ type: name }), [rule(name, 1)], 'x'), undefined, name);
    assert.equal(flagOf(field(), [rule('pattern', '(')], 'x'), undefined);
  });

  it('say the rule’s own message, else the catalogue’s with the limit in it', () => {
    const say = (held: ValidationRule): string | undefined =>
      faultOf(field(), [held], 'abc', false, catalogues.en)?.text;
    assert.equal(say(rule('max_length', 2, 'Shorter!')), 'Shorter!');
    assert.equal(say(rule('max_length', 2)), 'At most 2 characters.');
    assert.equal(say(rule('pattern', '$&')), 'Please use the expected format.');
    assert.equal(
      faultOf(field(), [rule('required', undefined, 'Who are you?')], '', false, catalogues.en)?.text,
      'Who are you?',
    );
  });
});

describe('the autofill token', () => {
  it('comes from what a field is mapped to, else its name, else its type', () => {
    assert.equal(autofillToken(field({ name: 'q1', mapsTo: 'email' })), 'email');
    assert.equal(autofillToken(field({ name: 'q1', mapsTo: 'phone' })), 'tel');
    assert.equal(autofillToken(field({ name: 'First-Name' })), 'given-name');
    assert.equal(autofillToken(field({ name: 'postal_code' })), 'postal-code');
    assert.equal(autofillToken(field({ name: 'q1', type: 'tel' })), 'tel');
    assert.equal(autofillToken(field({ name: 'budget', mapsTo: 'budget' })), undefined);
    assert.equal(autofillToken(field({ name: 'constructor' })), undefined);
  });
});
