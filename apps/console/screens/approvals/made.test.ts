import assert from 'node:assert/strict';
import test from 'node:test';
import { madeBy } from './made.ts';

const placesOf = (result: unknown): readonly string[] => madeBy({ result }).map(({ kind, to }) => `${kind} ${to}`);

test('what an action made is led to, and what that belongs to; whatever a result holds', () => {
  assert.deepEqual(placesOf({ summary: 'Paid.', data: { payment: { id: 'p1', party_id: 's1', entry_id: 'e1' } } }), [
    'payment /money/payments/p1',
    'party /money/documents?party=s1',
    'journal_entry /money/entries/e1',
  ]);
  assert.deepEqual(placesOf({ data: { refund: { id: 'r1', order_id: 'o1' } } }), ['order /commerce/orders/o1']);
  assert.deepEqual(placesOf({ data: { invitation_id: 'i1', email: 'bob@example.com' } }), ['invitation /settings']);
  assert.deepEqual(placesOf({ data: { webhook: { id: 'w1' } } }), ['webhook /developers/webhooks/w1']);
  assert.deepEqual(placesOf({ data: { order: { id: 'o1' }, order_id: 'o1' } }), ['order /commerce/orders/o1']);
  for (const result of [null, undefined, 'text', { data: null }, { data: [{ id: 'x' }] }, { data: { payment: 7 } }])
    assert.deepEqual(placesOf(result), []);
});
