import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { mentionsOf, soughtBy } from './mentions.ts';

const tenant = newId();
const names = (body: string, ...texts: string[]): boolean => {
  const sought = soughtBy(tenant, texts).map((one) => one.toString('hex'));
  return mentionsOf(tenant, Buffer.from(body)).some((one) => sought.includes(one.toString('hex')));
};
const json = (value: unknown): string => JSON.stringify({ data: { object: { deep: [value] } } });

describe('who is named in what a provider sent', () => {
  const id = newId();
  for (const [what, body, text] of [
    ['an address in another case', json('Ann@Example.COM'), 'ann@example.com'],
    ['an address among words', json('Paid by Ann <ann@example.com>, today.'), 'ann@example.com'],
    ['an address with escapes', '{"a":"\\u0061nn\\u0040example.com"}', 'ann@example.com'],
    ['an address of another script', json('ann@bücher.example'), 'ann@xn--bcher-kva.example'],
    ['an address with signs that few have', json('o’"x"{ann}@example.com'), 'o’"x"{ann}@example.com'],
    ['an id of ours', json(`order ${id.toUpperCase()}`), id],
    ['a number as people write it', json('(030) 1234-5678'), '+493012345678'],
    ['a form', `payer_email=ann%40example.com&txn=1`, 'ann@example.com'],
    [
      'a form that holds base64',
      `bt_signature=x&bt_payload=${encodeURIComponent(Buffer.from('<email>ann@example.com</email>').toString('base64'))}`,
      'ann@example.com',
    ],
    ['XML', '<email>ann@example.com</email>', 'ann@example.com'],
    [
      'so many that nobody counts them',
      json(Array.from({ length: 70 }, (_, n) => `b${n}@example.com`)),
      'ann@example.com',
    ],
    ['so much that nobody reads it', json('x'.repeat(140_000)), 'ann@example.com'],
    ['the same again and again', json('b@example.com '.repeat(5_000)), 'ann@example.com'],
  ] as const)
    test(`is found: ${what}`, () => assert.ok(names(body, text)));

  test('is nobody else, and of no other tenant', () => {
    assert.ok(!names(json('tom-ann@example.com'), 'ann@example.com'));
    assert.ok(!names(json('ann@example.com.au'), 'ann@example.com'));
    assert.ok(!names(json({ amount: 1490, created: 1_790_000_000 }), id, '+491790000000'));
    const [own] = mentionsOf(tenant, Buffer.from(json('ann@example.com')));
    const [other] = mentionsOf(newId(), Buffer.from(json('ann@example.com')));
    assert.notDeepEqual(own, other);
  });
});
