import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { catalogueOf, catalogues } from './catalogue.ts';

describe('the catalogue', () => {
  const { en, ...others } = catalogues;

  it('says everything in every language, with the same places for values', () => {
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

  it('is found by tag, whatever its case or region, and not where nobody has written it', () => {
    assert.equal(catalogueOf('de'), catalogues['de']);
    assert.equal(catalogueOf('de-AT'), catalogues['de']);
    assert.equal(catalogueOf('JA_jp'), catalogues['ja']);
    for (const tag of ['', 'xx', 'deu', '__proto__', 'constructor', 'toString-en'])
      assert.equal(catalogueOf(tag), undefined, tag);
  });

  it('takes a language of the page’s own, and prefers the nearer one', () => {
    const own = { ...en, submit: 'Enviar já' };
    catalogues['pt-br'] = own;
    try {
      assert.equal(catalogueOf('pt-BR'), own);
      assert.equal(catalogueOf('pt'), undefined);
    } finally {
      delete catalogues['pt-br'];
    }
  });
});
