import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { days, written } from './money.ts';
import { fill, shopCatalogues, wordsOf } from './words.ts';

describe('the words of a shop', () => {
  const { en, ...others } = shopCatalogues;

  it('are the same in every language, with the same places for values', () => {
    assert.deepEqual(Object.keys(others), ['de', 'es', 'ja']);
    const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const [language, catalogue] of Object.entries(others)) {
      assert.deepEqual(Object.keys(catalogue), Object.keys(en), language);
      for (const [key, text] of Object.entries(catalogue)) {
        assert.ok(text.trim() !== '', `${language}.${key}`);
        assert.deepEqual(places(text), places(en[key as keyof typeof en]), `${language}.${key}`);
      }
    }
  });

  it('are found by tag, and English is said to be English', () => {
    assert.equal(wordsOf('de-AT').add, 'In den Warenkorb');
    assert.deepEqual([wordsOf('de-AT').english, wordsOf('de-AT').spoken], [false, 'de-AT']);
    assert.deepEqual(
      ['JA_jp', 'de-!'].map((tag) => wordsOf(tag).spoken),
      ['ja-JP', 'de'],
    );
    for (const tag of ['xx', '__proto__', 'constructor'])
      assert.deepEqual([wordsOf(tag).add, wordsOf(tag).english, wordsOf(tag).spoken], ['Add to cart', true, 'en'], tag);
  });

  it('take values as they are', () => {
    assert.equal(fill('{n} of {m}', { n: '$&' }), '$& of {m}');
  });

  it('write amounts with the digits of their currency and without rounding', () => {
    assert.equal(written({ amount: '19.90', currency: 'EUR' }, 'en'), '€19.90');
    assert.equal(written({ amount: '1234.500', currency: 'KWD' }, 'en').replace(/\s/g, ' '), 'KWD 1,234.500');
    assert.equal(written({ amount: '90071992547409931.23', currency: 'USD' }, 'en'), '$90,071,992,547,409,931.23');
    assert.equal(written({ amount: '1200', currency: 'JPY' }, 'ja'), '￥1,200');
    assert.equal(written({ amount: '1.00', currency: 'no' }, 'en'), '1.00 no');
  });

  it('write a span of days, or one', () => {
    assert.deepEqual([days(2, 4, 'en'), days(1, 1, 'en'), days(2, 4, 'de')], ['2–4 days', '1 day', '2–4 Tage']);
  });
});
