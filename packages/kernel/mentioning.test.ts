import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentioning } from './mentioning.ts';

const says = (texts: string[], said: string): boolean => mentioning(texts)(said);

test('an address is mentioned wherever it stands as a whole', () => {
  const said = [
    'ann@example.com',
    'Write to Ann@Example.com.',
    '<ann@example.com>',
    'mailto:ann@example.com?subject=x',
    '_ann@example.com_, please',
    '/to=%3Cann@example.com%3E',
    JSON.stringify({ note: 'Of:\nann@example.com\nand\t-ann@example.com\u0007' }),
    JSON.stringify({ note: '\u0007ann@example.com' }),
    JSON.stringify({ 'ann@example.com': true }),
  ];
  for (const text of said) assert.equal(says(['bea@example.com', 'ann@example.com'], text), true, text);
  assert.equal(says(['zoë+x@bücher.example'], 'Zoë+X@Bücher.example'), true);
});

test('an address is not mentioned by a longer one of somebody else', () => {
  for (const text of [
    'tom@example.com',
    'm@example.co.uk',
    'm@example.co-op.org',
    'a.m@example.co',
    'a+m@example.co',
    'öm@example.co',
  ])
    assert.equal(says(['m@example.co'], text), false, text);
  assert.equal(says(['m@example.co'], 'tom@example.co and m@example.co'), true);
});

test('a number is not mentioned by a longer one, and an id is mentioned anywhere', () => {
  assert.equal(says(['+4930901820'], '{"phone":"+4930901820"}'), true);
  assert.equal(says(['+4930901820'], 'tel:+4930901820;ext=1'), true);
  assert.equal(says(['+4930901820'], '+49309018201'), false);
  assert.equal(says(['01a20031-e878-709d-a1cf-40e82af33f0b'], 'contact_01A20031-e878-709d-a1cf-40e82af33f0b_2'), true);
  assert.equal(says([], 'anything'), false);
});
