import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '@steward/kernel';
import { mostBytes, readSubmitted } from './body.ts';

const refusal = (body: unknown): Problem => {
  try {
    readSubmitted(body);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};
const pointers = (body: unknown): [string, ...string[]] => {
  const { code, errors = [] } = refusal(body);
  return [code, ...errors.map(({ pointer }) => pointer)];
};

describe('the body of a submission', () => {
  test('needs data that is an object', () => {
    for (const body of [{}, { data: null }, [], 'data', 1, null, undefined, { DATA: {} }])
      assert.deepEqual(pointers(body), ['data_required', '/data']);
    for (const data of [[], 'x', 1, true]) assert.deepEqual(pointers({ data }), ['invalid_data', '/data']);
  });

  test('may carry what other pages send beside data', () => {
    assert.deepEqual(readSubmitted({ data: { a: 1 }, context: { pageUri: 'x' }, hutk: 'y' }).data, { a: 1 });
  });

  test('is refused with a contactId anywhere in it, by its pointer', () => {
    assert.deepEqual(pointers({ contactId: 'x', data: {} }), ['contact_id_not_accepted', '/contactId']);
    assert.deepEqual(pointers({ data: { contactId: null } }), ['contact_id_not_accepted', '/data/contactId']);
    assert.deepEqual(pointers({ data: { a: [{ b: 1 }, { 'c/d~': { contactId: 1 } }] } }), [
      'contact_id_not_accepted',
      '/data/a/1/c~1d~0/contactId',
    ]);
    assert.deepEqual(pointers({ context: [[{ contactId: '' }]] }), [
      'contact_id_not_accepted',
      '/context/0/0/contactId',
    ]);
    assert.deepEqual(pointers({ contactId: 1 }), ['contact_id_not_accepted', '/contactId']);
  });

  test('keeps a value that only says contactId, and names that are like it', () => {
    const data = { contact_id: 'contactId', contactid: ['contactId'] };
    assert.deepEqual(readSubmitted({ data }).data, data);
  });

  test('holds no NUL, which the database could not show', () => {
    assert.deepEqual(pointers({ data: { a: { b: ['x', 'y\0'] } } }), ['invalid_data', '/data/a/b/1']);
  });

  test('is kept as it was sent: order, markup, line breaks, a member named __proto__', () => {
    const text = '{"z":"<b>\\r\\n","__proto__":{"a":1},"a":[0,false,null]}';
    const read = readSubmitted({ data: JSON.parse(text) as unknown });
    assert.equal(read.text, text);
    assert.equal(({} as { a?: number }).a, undefined);
  });

  test('has up to 64 KiB, counted in bytes', () => {
    const room = mostBytes - '{"a":""}'.length;
    assert.equal(readSubmitted({ data: { a: 'x'.repeat(room) } }).text.length, mostBytes);
    assert.equal(refusal({ data: { a: 'x'.repeat(room + 1) } }).status, 413);
    assert.deepEqual(pointers({ data: { a: 'é'.repeat(room / 2 + 1) } }), ['payload_too_large', '/data']);
  });
});
