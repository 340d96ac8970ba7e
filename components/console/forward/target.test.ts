import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetOf } from './target.ts';

const tenant = '01a21cab-96b8-7874-8f66-ceff8a47ffed';

test('names a place of the API, with its organization and query', () => {
  assert.deepEqual(targetOf(`o/${tenant}/portal/api/members?limit=2&role=a%2Fb`), {
    place: 'portal',
    tenant,
    path: '/api/members?limit=2&role=a%2Fb',
  });
  assert.deepEqual(targetOf('commerce/api/x'), { place: 'commerce', tenant: undefined, path: '/api/x' });
  assert.equal(targetOf(`o/${tenant}/commerce/media/4f2a`)?.path, '/media/4f2a');
  assert.equal(targetOf(`o/${tenant}/accounting/graphql`)?.path, '/graphql');
});

test('names nothing else, however it is written', () => {
  for (const rest of [
    '',
    'api/members',
    'portal',
    'portal/api',
    'portal/api/',
    'portal//api/x',
    'portal/api//x',
    'portal/api/../approvals',
    'portal/api/.',
    'portal/api/%2e%2e/approvals',
    'portal/api/%2E./x',
    'portal/api/..%2fx',
    'portal/api/x%5cy',
    'portal/api/x%00',
    'portal/api/x\\..\\y',
    'portal/api/x y',
    'portal/media/4f2a',
    'commerce/media',
    'commerce/media/4f2a/x',
    'commerce/storefront/v1/products',
    'portal/api/%',
    'portal/../idp/authorize',
    'mcp/api/x',
    'storefront/api/x',
    'constructor/api/x',
    'accounting/graphql',
    `o/${tenant}/portal/graphql`,
    `o/${tenant}/accounting/graphql/x`,
    `o/${tenant}/o/${tenant}/portal/api/x`,
    'o//portal/api/x',
    'o/portal/api/x',
    'http://evil.example/api/x',
    '@evil.example/api/x',
  ])
    assert.equal(targetOf(rest), undefined, rest);
});
