import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Caller } from '@steward/access';
import type { IssuerConfig } from './issuers.ts';
import { type JWTPayload } from 'jose';
import { startIssuer, type TestIssuer } from '../fixtures/issuer.ts';
import { log } from '../fixtures/log.ts';
import { authenticatorOf, base, refuses } from '../fixtures/refusing.ts';
import { createAuthenticator, type Authenticate } from './authenticate.ts';
import { makeServiceToken } from './service.ts';

describe('bearer tokens', () => {
  let issuer: TestIssuer;
  let now: number;
  beforeEach(async () => {
    issuer = await startIssuer();
    now = Date.now();
  });
  afterEach(async () => issuer[Symbol.asyncDispose]());

  const authenticator = (...profiles: IssuerConfig[]): Authenticate =>
    authenticatorOf(() => now, profiles.length === 0 ? [issuer.profile()] : profiles);

  it('say who calls, without a promise once they were seen', async () => {
    const authenticate = authenticator();
    const token = await issuer.sign({ name: 'Alice', email: 'alice@example.com', scope: 'mcp:read openid' });
    const caller = await authenticate(`Bearer ${token}`, []);
    assert.deepEqual(
      [caller.principal, caller.chain],
      [{ type: 'user', id: 'alice' }, [{ type: 'user', id: 'alice' }]],
    );
    assert.deepEqual([caller.human, caller.agentId, caller.displayName], [true, 'assistant', 'Alice']);
    assert.deepEqual([...caller.scopes], ['mcp:read', 'openid']);
    assert.equal(authenticate(`Bearer ${token}`, []), caller);
  });

  it('count no longer than they are valid, thirty seconds of skew included, seen before or not', async () => {
    const authenticate = authenticator();
    const seconds = Math.floor(now / 1000);
    const token = await issuer.sign({ exp: seconds + 10 });
    const early = await issuer.sign({ nbf: seconds + 100 });
    await refuses(authenticate, early, /not valid yet/);
    await authenticate(`Bearer ${token}`, []);
    now = (seconds + 39) * 1000;
    await authenticate(`Bearer ${token}`, []);
    now = (seconds + 40) * 1000;
    await refuses(authenticate, token, /expired/);
    now = (seconds + 101) * 1000;
    await authenticate(`Bearer ${early}`, []);
  });

  it('open only the addresses they name, or the platform by its own audience', async () => {
    const authenticate = authenticator();
    const portal = await issuer.sign({ aud: [`${base}/`, 'https://elsewhere.example'] });
    await authenticate(`Bearer ${portal}`, [base]);
    await assert.rejects(async () => authenticate(`Bearer ${portal}`, ['http://127.0.0.1:8080/mcp']), /resource/);
    await refuses(authenticate, await issuer.sign({ aud: 'https://elsewhere.example' }), /another address/);
    await refuses(authenticate, await issuer.sign({ aud: [] }), /audience/);
  });

  it('of an agent name the person first, and the agent is never silently human', async () => {
    const authenticate = authenticator(issuer.profile({ prefix: 'idp|' }));
    const caller = await authenticate(`Bearer ${await issuer.sign({ act: { sub: 'bot-1' } })}`, []);
    const [person, agent] = [
      { type: 'user', id: 'idp|alice' },
      { type: 'agent', id: 'idp|bot-1' },
    ];
    assert.deepEqual([caller.chain, caller.subject, caller.principal], [[person, agent], person, agent]);
    assert.deepEqual([caller.human, caller.agentId], [false, 'idp|bot-1']);
  });

  it('of two issuers never name the same subject', async () => {
    const other = await startIssuer();
    const authenticate = authenticator(issuer.profile(), other.profile({ prefix: 'corp-' }));
    const corp = await authenticate(`Bearer ${await other.sign({ aud: other.audience })}`, []);
    assert.equal(corp.subject.id, 'corp-alice');
    await refuses(authenticate, await issuer.sign({ sub: 'corp-alice' }), /speak for/);
    await refuses(authenticate, await other.sign({ iss: issuer.url }), /key|signature/);
    await other[Symbol.asyncDispose]();
  });

  it('get default scopes only where they carry no tool scope of their own', async () => {
    const authenticate = authenticator(issuer.profile({ defaultScopes: ['mcp:read'] }));
    const scopes = async (claims: JWTPayload): Promise<string[]> =>
      [...(await authenticate(`Bearer ${await issuer.sign(claims)}`, [])).scopes].toSorted();
    assert.deepEqual(await scopes({ scope: 'openid' }), ['mcp:read', 'openid']);
    assert.deepEqual(await scopes({ scp: ['mcp:write'] }), ['mcp:write']);
    assert.deepEqual(await scopes({ scope: { mcp: true } }), ['mcp:read']);
  });

  it('of the platform are known by their digest alone, and two may live at once', async () => {
    const [one, two] = [makeServiceToken('jobs'), makeServiceToken('jobs')];
    const entries = [one, two].map(({ entry }) => {
      const [name = '', sha256 = ''] = entry.split(':');
      return { name, sha256 };
    });
    const authenticate = createAuthenticator({ issuers: [], serviceTokens: entries, clock: Date.now, log });
    for (const { token, entry } of [one, two]) {
      assert.ok(!entry.includes(token));
      const caller = (await authenticate(`Bearer ${token}`, [])) satisfies Caller;
      assert.deepEqual(
        [caller.principal, caller.service, caller.human],
        [{ type: 'service', id: 'service:jobs' }, true, false],
      );
    }
    await refuses(authenticate, makeServiceToken('jobs').token, /neither/);
    await refuses(authenticate, entries[0]?.sha256 ?? '', /neither/);
  });

  it('stay within a bounded memory', async () => {
    const { createVerifiedTokens } = await import('./verified.ts');
    const cache = createVerifiedTokens(() => now, 3);
    const caller = {} as Caller;
    for (const key of ['a', 'b', 'c', 'd']) cache.set(key, { caller, platform: true, until: now + 10 });
    assert.deepEqual([cache.size, cache.get('a'), cache.get('d')?.caller], [3, undefined, caller]);
    now += 10;
    assert.deepEqual([cache.get('d'), cache.size], [undefined, 2]);
  });
});
