import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Problem } from '@steward/kernel';
import { startIssuer, type TestIssuer } from '../fixtures/issuer.ts';
import { log } from '../fixtures/log.ts';
import { createAuthenticator, type Authenticate } from './authenticate.ts';
import { fetchKeySet } from './jwks.ts';

describe("an issuer's keys", () => {
  let issuer: TestIssuer;
  let now: number;
  let authenticate: Authenticate;
  beforeEach(async () => {
    issuer = await startIssuer();
    now = Date.now();
    const profile = issuer.profile();
    authenticate = createAuthenticator({
      issuers: [{ profile, loadKeys: async () => fetchKeySet(profile.jwksUri) }],
      serviceTokens: [],
      clock: () => now,
      log,
    });
  });
  afterEach(async () => issuer[Symbol.asyncDispose]());

  const present = async (token: string): Promise<string> =>
    Promise.resolve()
      .then(async () => authenticate(`Bearer ${token}`, []))
      .then(
        () => 'accepted',
        (error: Problem) => error.code,
      );

  it('are fetched once for many callers', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, async (_, n) => issuer.sign({ jti: `${n}` })));
    const outcomes = await Promise.all(tokens.map(present));
    assert.deepEqual([new Set(outcomes), issuer.fetches], [new Set(['accepted']), 1]);
  });

  it('count the moment they are rotated', async () => {
    for (let round = 1; round <= 3; round += 1) {
      assert.equal(await present(await issuer.sign()), 'accepted');
      assert.equal(issuer.fetches, round);
      await issuer.rotate();
    }
  });

  it('count even when a fetch that left before the rotation is still under way', async () => {
    assert.equal(await present(await issuer.sign()), 'accepted');
    const old = JSON.stringify({ keys: issuer.published });
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<() => void>();
    issuer.answer((_request, response) => arrive(() => response.end(old)));
    const stranger = await startIssuer();
    const unknown = present(await stranger.sign({ iss: issuer.url }));
    const finish = await arrived;
    await issuer.rotate();
    issuer.answer(undefined);
    const rotated = present(await issuer.sign());
    finish();
    assert.deepEqual(await Promise.all([unknown, rotated]), ['unauthenticated', 'accepted']);
    await stranger[Symbol.asyncDispose]();
  });

  it('are asked for a bounded number of times in a flood of unknown names, and a rotation gets through after it', async () => {
    assert.equal(await present(await issuer.sign()), 'accepted');
    const flood = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => issuer.sign({}, { kid: `unknown-${n}` })),
    );
    for (let at = 0; at < flood.length; at += 20) {
      const outcomes = await Promise.all(flood.slice(at, at + 20).map(present));
      assert.deepEqual(new Set(outcomes), new Set(['unauthenticated']));
    }
    assert.ok(issuer.fetches <= 6, `${issuer.fetches} fetches`);
    await issuer.rotate();
    now += 5_000;
    assert.equal(await present(await issuer.sign()), 'accepted');
  });

  it('take tokens with them when they are withdrawn', async () => {
    const signed = await issuer.sign();
    assert.equal(await present(signed), 'accepted');
    await issuer.rotate();
    assert.equal(await present(signed), 'accepted');
    assert.equal(await present(await issuer.sign()), 'accepted');
    assert.equal(await present(signed), 'unauthenticated');
  });

  it('that are a while old are renewed behind the answer, and not trusted for ever', async () => {
    assert.equal(await present(await issuer.sign({ jti: '1' })), 'accepted');
    issuer.answer((_request, response) => response.writeHead(500).end());
    now += 6 * 60_000;
    assert.equal(await present(await issuer.sign({ jti: '2', exp: now })), 'accepted');
    now += 60 * 60_000;
    assert.equal(await present(await issuer.sign({ jti: '3', exp: now })), 'unavailable');
    issuer.answer(undefined);
    now += 5_000;
    assert.equal(await present(await issuer.sign({ jti: '4', exp: now })), 'accepted');
  });

  it('that cannot be read make the service unavailable, not the caller unwelcome, and never crash', async () => {
    const token = await issuer.sign();
    const answers: ((response: import('node:http').ServerResponse) => void)[] = [
      (response) => response.writeHead(503).end(),
      (response) => response.writeHead(302, { location: `${issuer.url}/elsewhere` }).end(),
      (response) => response.end('<html>'),
      (response) => response.end('{"keys":{}}'),
      (response) => response.end(JSON.stringify({ keys: [], padding: 'x'.repeat(300_000) })),
      (response) => response.destroy(),
    ];
    for (const answer of answers) {
      issuer.answer((_request, response) => answer(response));
      assert.equal(await present(token), 'unavailable');
      now += 5_000;
    }
    assert.ok(issuer.fetches <= answers.length);
    issuer.answer(undefined);
    assert.equal(await present(token), 'accepted');
  });

  it('that are unusable make their tokens count for nothing', async () => {
    const token = await issuer.sign();
    issuer.answer((_request, response) =>
      response.end(JSON.stringify({ keys: [null, 1, { kty: 7 }, { ...issuer.published[0], x: '!' }] })),
    );
    assert.equal(await present(token), 'unauthenticated');
  });
});
