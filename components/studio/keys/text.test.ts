import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { checksum, isKeyText, keyText } from './text.ts';

const secret = Buffer.alloc(32, 1);

describe('the text of a publishable key', () => {
  test('has the shape of the contract, and its checksum', () => {
    const text = keyText(secret, 'live', newId(), newId());
    assert.match(text, /^pk_live_[0-9A-Za-z]{36}$/);
    assert.ok(isKeyText(text));
  });

  test('has a checksum that anybody can compute: CRC-32 of what stands before it, in base62', () => {
    // CRC-32 of "123456789" is 0xCBF43926 = 3421780262 (the check value of the catalogue of CRCs).
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const value = [...checksum('123456789')].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    assert.equal(value, 3_421_780_262);
    assert.equal(checksum('').length, 6);
    assert.equal(checksum(''), '000000');
    // The example of docs/guides/storefront.md.
    assert.equal(checksum('pk_test_0123456789ABCDEFGHIJKLMNOPQRST'), '1KCHLS');
  });

  test('is told from every slip of one character, and from its other mode', () => {
    const text = keyText(secret, 'live', newId(), newId());
    for (let place = 0; place < text.length; place += 1) {
      const other = text[place] === 'x' ? 'y' : 'x';
      assert.ok(!isKeyText(text.slice(0, place) + other + text.slice(place + 1)), String(place));
    }
    assert.ok(!isKeyText(text.replace('live', 'test')));
    assert.ok(!isKeyText(text.slice(0, -1)));
  });

  test('follows from secret, mode, tenant and id, and from each of them', () => {
    const [tenant, id] = [newId(), newId()];
    const texts = [
      keyText(secret, 'live', tenant, id),
      keyText(secret, 'test', tenant, id),
      keyText(secret, 'live', newId(), id),
      keyText(secret, 'live', tenant, newId()),
      keyText(Buffer.alloc(32, 2), 'live', tenant, id),
    ];
    assert.equal(new Set(texts.map((text) => text.slice(8))).size, 5);
    assert.equal(keyText(secret, 'live', tenant, id), texts[0]);
  });

  test('uses all digits alike', () => {
    const tenant = newId();
    const counts = new Map<string, number>();
    for (let index = 0; index < 4_000; index += 1)
      for (const digit of keyText(secret, 'live', tenant, newId()).slice(8, 38))
        counts.set(digit, (counts.get(digit) ?? 0) + 1);
    const expected = (4_000 * 30) / 62;
    assert.equal(counts.size, 62);
    // Chi-square with 61 degrees of freedom: above 130 once in a million.
    const square = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    assert.ok(square < 130, `chi-square ${square}`);
  });
});
