import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelOf, namesIn } from './reading.js';

const id = '018f2b3c-0000-7000-8000-000000000001';
const other = '018f2b3c-0000-7000-8000-000000000002';
const called = namesIn([
  { id, name: 'Fjord Ltd' },
  { id: other, name: null },
]);

test('an id that is shown by a name is called what it names, and an id otherwise', () => {
  assert.equal(labelOf('party_id', id, called), 'Party');
  assert.equal(labelOf('party_id', id.toUpperCase(), called), 'Party');
  assert.equal(labelOf('party_id', other, called), 'Party id');
  assert.equal(labelOf('party_id', null, called), 'Party id');
  assert.equal(labelOf('tax_id', 'DE123456789', called), 'Tax id');
  assert.equal(labelOf('id', id, called), 'Id');
});

test('a column is called so where each of its values is shown by a name', () => {
  assert.equal(labelOf('document_id', [id, null], called), 'Document');
  assert.equal(labelOf('document_id', [id, other], called), 'Document id');
});
