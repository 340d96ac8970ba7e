import assert from 'node:assert/strict';
import { it } from 'node:test';
import { StorefrontError } from '../client/error.ts';
import { catalogues } from '../messages/catalogue.ts';
import { textOf } from './refusal.ts';

it('a visitor is told that a form may have been sent where nobody knows, and only there', () => {
  const { en: words } = catalogues;
  const told = (code: string): string => textOf(new StorefrontError('', { status: 503, code }), words, words.unsure);
  assert.equal(told('outcome_unknown'), words.unsure);
  assert.equal(told('unavailable'), words.failed);
  assert.equal(textOf(new Error('no answer in time'), words, words.unsure), words.unsure);
});
