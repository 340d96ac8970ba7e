import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { IssuerConfig } from './issuers.ts';
import { exportJWK, exportSPKI, importJWK, type JWTPayload } from 'jose';
import { personClaims, startIssuer, type TestIssuer } from '../fixtures/issuer.ts';
import { authenticatorOf, refuses } from '../fixtures/refusing.ts';
import type { Authenticate } from './authenticate.ts';
import { fetchKeySet } from './jwks.ts';

describe('bearer tokens that do not count', () => {
  let issuer: TestIssuer;
  let now: number;
  beforeEach(async () => {
    issuer = await startIssuer();
    now = Date.now();
  });
  afterEach(async () => issuer[Symbol.asyncDispose]());

  const authenticator = (...profiles: IssuerConfig[]): Authenticate =>
    authenticatorOf(() => now, profiles.length === 0 ? [issuer.profile()] : profiles);

  it('are refused with a reason when anything about them is wrong', async () => {
    const authenticate = authenticator(issuer.profile({ tokenType: 'at+jwt' }));
    const typ = { typ: 'at+jwt' };
    const [head = '', body = '', signature = ''] = (await issuer.sign({}, typ)).split('.');
    const { exp: _exp, ...endless } = { iss: issuer.url, aud: issuer.audience, ...personClaims() };
    const forged = Buffer.from(JSON.stringify({ ...endless, exp: 9e9 })).toString('base64url');
    const wrong: [string, RegExp][] = [
      [await issuer.sign({ iss: 'https://other.example' }, typ), /issuer/],
      [await issuer.sign({}, {}), /type/],
      [await issuer.sign({ exp: 1 }, typ), /expired/],
      [await issuer.sign({ exp: 'soon' as unknown as number }, typ), /exp/],
      [await issuer.sign({ sub: undefined } as JWTPayload, typ), /sub/],
      [await issuer.sign({ sub: 'a\u0000b' }, typ), /sub/],
      [await issuer.sign({ sub: 'x'.repeat(256) }, typ), /sub/],
      [await issuer.sign({ sub: 'service:jobs' }, typ), /speak for/],
      [await issuer.sign({ act: { sub: 'service:jobs' } }, typ), /speak for/],
      [await issuer.sign({ act: 'someone' }, typ), /act/],
      [await issuer.sign({}, { ...typ, crit: ['exp'], exp: 1 }).catch(() => 'a.b.c'), /JWT/],
      [`${head}.${forged}.${signature}`, /signature/],
      [`${head}.${body}.`, /JWT|signature/],
      [`${head}.${body}`, /JWT/],
      ['..', /JWT/],
      ['.....', /JWT/],
      [`${Buffer.from('null').toString('base64url')}.${body}.${signature}`, /JWT/],
      [`${head}.${Buffer.from('[]').toString('base64url')}.${signature}`, /JWT/],
      [`${head}.${body}.${signature}${'A'.repeat(9000)}`, /longer/],
      ['opaque', /neither/],
    ];
    for (const [token, detail] of wrong) await refuses(authenticate, token, detail);
  });

  it('are refused when the header is not a bearer header', () => {
    const authenticate = authenticator();
    for (const header of [undefined, '', 'Bearer', 'Bearer  ', 'Basic YTpi', 'Bearer a b', 'Bearer a,b', 'bearer\tx']) {
      assert.throws(() => authenticate(header, []), { code: 'unauthenticated' });
    }
  });

  it('cannot be forged by signing with the public key or with nothing', async () => {
    await issuer.rotate('RS256');
    const authenticate = authenticator();
    const [jwk] = issuer.published;
    assert.ok(jwk);
    const body = Buffer.from(JSON.stringify({ iss: issuer.url, aud: issuer.audience, ...personClaims() })).toString(
      'base64url',
    );
    const secrets = [JSON.stringify(jwk), await exportSPKI((await importJWK(jwk, 'RS256')) as CryptoKey)];
    for (const alg of ['HS256', 'HS512']) {
      const head = Buffer.from(JSON.stringify({ alg, kid: jwk.kid })).toString('base64url');
      for (const secret of secrets) {
        const mac = createHmac(alg === 'HS256' ? 'sha256' : 'sha512', secret)
          .update(`${head}.${body}`)
          .digest('base64url');
        await refuses(authenticate, `${head}.${body}.${mac}`, /algorithm/);
      }
    }
    for (const alg of ['none', 'None', 'NONE', '']) {
      const head = Buffer.from(JSON.stringify({ alg, kid: jwk.kid })).toString('base64url');
      await refuses(authenticate, `${head}.${body}.`, /algorithm|JWT/);
    }
  });

  it('are held to the algorithm of the key, and to keys that only sign', async () => {
    const authenticate = authenticator(issuer.profile({ algorithms: ['RS256'] }));
    await refuses(authenticate, await issuer.sign(), /algorithm/);
    const embedded = await startIssuer();
    const [own] = embedded.published;
    await refuses(
      authenticator(),
      await embedded.sign({ iss: issuer.url }, { jwk: own, jku: `${embedded.url}/` }),
      /key/,
    );
    assert.equal(embedded.fetches, 0);
    await embedded[Symbol.asyncDispose]();
  });

  it('of keys that hold private parts are still only ever checked with the public ones', async () => {
    const { generateKeyPair } = await import('jose');
    const pair = await generateKeyPair('ES256', { extractable: true });
    issuer.answer((_request, response) => {
      void exportJWK(pair.privateKey).then((jwk) =>
        response.end(JSON.stringify({ keys: [jwk, { kty: 'oct', k: 'AA' }] })),
      );
    });
    const { keys } = await fetchKeySet(issuer.url);
    assert.deepEqual(
      keys.map((key) => Object.keys(key).toSorted()),
      [['crv', 'kty', 'x', 'y']],
    );
  });
});
