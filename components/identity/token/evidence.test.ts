import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IssuerConfig } from './issuers.ts';
import type { JWTPayload } from 'jose';
import { developmentProfile } from '../provider/profile.ts';
import { callerOf } from './caller.ts';

const seconds = 1_790_000_000;

interface Case {
  readonly token: string;
  readonly claims: JWTPayload;
  readonly rules?: Partial<IssuerConfig>;
  readonly human: boolean;
  readonly type: 'user' | 'service';
}

const cases: Case[] = [
  { token: 'RFC 9068 person', claims: { sub: 'p1', client_id: 'app', auth_time: seconds }, human: true, type: 'user' },
  { token: 'RFC 9068 client', claims: { sub: 'app', client_id: 'app' }, human: false, type: 'service' },
  {
    token: 'client that claims a login',
    claims: { sub: 'app', client_id: 'app', auth_time: seconds, sid: 's' },
    human: false,
    type: 'service',
  },
  { token: 'no evidence either way', claims: { sub: 'p1', client_id: 'app' }, human: false, type: 'user' },
  { token: 'empty evidence', claims: { sub: 'p1', auth_time: 0, amr: [], sid: '' }, human: false, type: 'user' },
  {
    token: 'evidence of the wrong type',
    claims: { sub: 'p1', auth_time: 'now', amr: 'pwd', sid: 7 },
    human: false,
    type: 'user',
  },
  {
    token: 'agent acting for a person',
    claims: { sub: 'p1', auth_time: seconds, act: { sub: 'bot' } },
    human: false,
    type: 'user',
  },
  {
    token: 'Auth0 person by action',
    claims: { sub: 'auth0|1', azp: 'spa', 'https://acme.example/human': true },
    rules: { humanClaims: { 'https://acme.example/human': 'true' } },
    human: true,
    type: 'user',
  },
  {
    token: 'Auth0 classic machine',
    claims: { sub: 'abc@clients', azp: 'abc', gty: 'client-credentials' },
    human: false,
    type: 'service',
  },
  { token: 'Auth0 RFC 9068 machine', claims: { sub: 'abc@clients', client_id: 'abc' }, human: false, type: 'service' },
  {
    token: 'Keycloak person',
    claims: { sub: 'f3', azp: 'web', sid: 's1', preferred_username: 'alice' },
    human: true,
    type: 'user',
  },
  {
    token: 'Keycloak service account',
    claims: { sub: 'f4', azp: 'job', sid: 's2', preferred_username: 'service-account-job' },
    human: false,
    type: 'service',
  },
  {
    token: 'Entra person',
    claims: { sub: 'pair', oid: 'o1', azp: 'app', idtyp: 'user' },
    rules: { humanClaims: { idtyp: 'user' } },
    human: true,
    type: 'user',
  },
  {
    token: 'Entra app by idtyp',
    claims: { sub: 'x', oid: 'o2', azp: 'app', idtyp: 'app', sid: 's' },
    human: false,
    type: 'service',
  },
  { token: 'Entra app by oid', claims: { sub: 'o2', oid: 'o2', azp: 'app' }, human: false, type: 'service' },
  {
    token: 'Okta person',
    claims: { sub: 'alice@example.com', cid: 'app', uid: '00u', auth_time: seconds },
    human: true,
    type: 'user',
  },
  { token: 'Okta machine', claims: { sub: '0oa', cid: '0oa' }, human: false, type: 'service' },
  { token: 'Clerk machine', claims: { sub: 'mch_1', sid: 's' }, human: false, type: 'service' },
  { token: 'WorkOS person', claims: { sub: 'user_1', sid: 'session_1' }, human: true, type: 'user' },
  {
    token: 'Cognito machine',
    claims: { sub: 'c1', client_id: 'c1', token_use: 'access' },
    human: false,
    type: 'service',
  },
  {
    token: 'authentik service user by group',
    claims: { sub: 'ak-1', auth_time: seconds, groups: ['machines'] },
    rules: { machineClaims: { groups: ['bots', 'machines'] } },
    human: false,
    type: 'service',
  },
  {
    token: 'scope as evidence',
    claims: { sub: 'p1', scope: 'openid human' },
    rules: { humanClaims: { scope: 'human' } },
    human: true,
    type: 'user',
  },
  {
    token: 'part of a scope is none',
    claims: { sub: 'p1', scope: 'openid humanoid' },
    rules: { humanClaims: { scope: 'human' } },
    human: false,
    type: 'user',
  },
  {
    token: 'all human claims must hold',
    claims: { sub: 'p1', a: 'x' },
    rules: { humanClaims: { a: '*', b: '*' } },
    human: false,
    type: 'user',
  },
  {
    token: 'no human claims configured at all',
    claims: { sub: 'p1', auth_time: seconds },
    rules: { humanClaims: {} },
    human: false,
    type: 'user',
  },
  {
    token: 'machine evidence wins over configured human claims',
    claims: { sub: 'abc@clients', kind: 'human' },
    rules: { humanClaims: { kind: 'human' } },
    human: false,
    type: 'service',
  },
];

describe('human or machine', () => {
  for (const { token, claims, rules, human, type } of cases) {
    it(`${token}: ${human ? 'a person' : 'not proven a person'}, subject a ${type}`, () => {
      const profile = { ...developmentProfile('https://idp.example'), ...rules };
      const caller = callerOf({ aud: 'x', exp: seconds, ...claims }, profile, []);
      assert.deepEqual([caller.human, caller.subject.type], [human, type]);
    });
  }

  it('names who acts by one client, itself for a machine, and as unknown where nothing says', () => {
    const profile = { ...developmentProfile('https://idp.example'), prefix: 'x|' };
    const agentOf = (claims: JWTPayload): string | undefined =>
      callerOf({ aud: 'x', exp: seconds, sub: 'p', ...claims }, profile, []).agentId;
    assert.equal(agentOf({ client_id: 'app', azp: 'app' }), 'x|app');
    assert.equal(agentOf({ azp: 'app', client_id: null }), 'x|app');
    assert.equal(agentOf({ sub: 'bot@clients' }), 'x|bot@clients');
    assert.equal(agentOf({ auth_time: seconds }), 'x|unknown');
    for (const two of [
      { client_id: 'console', azp: 'other' },
      { azp: 'console', cid: 'other' },
      { client_id: ['console'] },
    ])
      assert.throws(() => agentOf(two), { code: 'unauthenticated', status: 401 }, JSON.stringify(two));
  });

  it('reads roles by exact name or by path', () => {
    const profile = developmentProfile('https://idp.example');
    const roles = (claims: JWTPayload, rolesClaim: string): string[] => [
      ...callerOf({ aud: 'x', exp: seconds, sub: 'p', ...claims }, { ...profile, rolesClaim }, []).platformRoles,
    ];
    assert.deepEqual(roles({ realm_access: { roles: ['mcp_internal'] } }, 'realm_access.roles'), ['mcp_internal']);
    assert.deepEqual(roles({ 'https://a.b/roles': ['mcp_internal', 7] }, 'https://a.b/roles'), ['mcp_internal']);
    assert.deepEqual(roles({ roles: { mcp_internal: true } }, 'roles'), []);
    assert.deepEqual(roles({}, '__proto__.constructor'), []);
  });
});
