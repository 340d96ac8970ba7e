import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openToken } from './claim.ts';

test('what an earlier version kept of an installation opens by its code, for its shop', () => {
  const secret = Buffer.alloc(32, 7);
  const code = 'dbfd-8f6f-4ae1-fc82-e68e-f1d8-4cc4-f868';
  const kept = Buffer.from(
    '83fc2cbdc9e66362f1db4f355db517cfa50923cc37f9a8b32f710f45a79c7f7be07c25cd33810578e7eac967ef733dff301f88b9e96f8dc38b3db47d04190a21ad3e9662b262e1830201cc9a453d278ccda6c4c2bfd2160ffc40e29df99d8f32b53bab',
    'hex',
  );
  const token = { accessToken: 'shpat_1', refreshToken: null, expiresAt: 1_795_000_000_000 };
  assert.deepEqual(openToken(secret, code, 'one.myshopify.com', kept), token);
  assert.deepEqual(openToken(secret, code.toUpperCase().replaceAll('-', ''), 'one.myshopify.com', kept), token);
  assert.throws(() => openToken(secret, code, 'two.myshopify.com', kept));
  assert.throws(() => openToken(secret, code.replace('d', 'e'), 'one.myshopify.com', kept));
});
