import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Problem } from '@steward/kernel';
import { acceptedType } from './media-type.ts';

const plain = 'application/json';
const graphql = 'application/graphql-response+json';

it('answers in the media type of the highest quality that it can make', () => {
  assert.equal(acceptedType(undefined), plain);
  assert.equal(acceptedType('*/*'), plain);
  assert.equal(acceptedType('application/*;q=0.5'), plain);
  assert.equal(acceptedType(`${graphql}, application/json;q=0.9`), graphql);
  assert.equal(acceptedType(`application/json;q=0.8, ${graphql};q=0.9, text/html`), graphql);
  assert.equal(acceptedType(`application/json, ${graphql}`), plain);
  assert.equal(acceptedType(' Application/GraphQL-Response+JSON ; charset=utf-8 '), graphql);
});

it('answers 406 to who accepts nothing it can make', () => {
  for (const accept of ['text/html', '', 'application/json;q=0', 'application/json;q=2', 'application/xml, image/*']) {
    assert.throws(
      () => acceptedType(accept),
      (error) => error instanceof Problem && error.status === 406,
      accept,
    );
  }
});
