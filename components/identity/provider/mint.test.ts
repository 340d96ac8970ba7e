import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Caller } from '@steward/access';
import { log } from '../fixtures/log.ts';
import { createAuthenticator, type Authenticate } from '../token/authenticate.ts';
import { developmentKeys, readDevelopmentKeys } from './keys.ts';
import { mintToken, type MintOptions } from './mint.ts';
import { developmentProfile } from './profile.ts';

const issuer = 'http://127.0.0.1:8080/idp';
const portal = 'http://127.0.0.1:8080/portal';

describe('a token for the command line', () => {
  let dataDir: string;
  let authenticate: Authenticate;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'steward-mint-'));
    authenticate = createAuthenticator({
      issuers: [{ profile: developmentProfile(issuer), loadKeys: async () => readDevelopmentKeys(dataDir) }],
      serviceTokens: [],
      clock: Date.now,
      log,
    });
  });
  after(async () => rm(dataDir, { recursive: true }));
  const caller = async (options: Partial<MintOptions>): Promise<Caller> =>
    authenticate(`Bearer ${await mintToken({ dataDir, issuer, audiences: [portal], ...options })}`, [portal]);

  it('of a person is a person’s, always the same, and never decides', async () => {
    const alice = await caller({ user: 'Alice@Example.com ' });
    assert.deepEqual([alice.human, alice.subject.type, alice.email], [true, 'user', 'alice@example.com']);
    assert.equal((await caller({ user: 'alice@example.com' })).subject.id, alice.subject.id);
    assert.notEqual((await caller({ user: 'bob@example.com' })).subject.id, alice.subject.id);
    assert.deepEqual([...alice.scopes], ['openid', 'service:external-agent:signup', 'mcp:read', 'mcp:write']);
    assert.ok(!alice.subject.id.includes('alice'));
  });

  it('of a machine is a machine’s, of an agent names the person first', async () => {
    const machine = await caller({ client: 'ci-bot' });
    assert.deepEqual([machine.human, machine.subject], [false, { type: 'service', id: 'ci-bot' }]);
    const agent = await caller({ user: 'alice@example.com', agent: 'assistant-1' });
    assert.deepEqual(
      [agent.human, agent.chain.map(({ type }) => type), agent.agentId],
      [false, ['user', 'agent'], 'assistant-1'],
    );
  });

  it('of an approver decides and cannot sign up', async () => {
    const approver = await caller({ user: 'alice@example.com', approver: true });
    assert.deepEqual(
      [[...approver.scopes], approver.clientId],
      [['openid', 'service:approvals:decide'], 'steward-console'],
    );
  });

  it('carries the scope, tenant and lifetime asked for', async () => {
    const asked = await caller({ user: 'a@b', scope: 'mcp:read', tenant: 'acme', lifetimeSeconds: 60 });
    assert.deepEqual([[...asked.scopes], asked.tenantClaim], [['mcp:read'], 'acme']);
    assert.ok(asked.expiresAt <= Date.now() + 60_000);
  });

  it('is refused where the options contradict one another', async () => {
    const contradictions: Partial<MintOptions>[] = [
      {},
      { user: 'a@b', client: 'c' },
      { user: 'alice' },
      { client: 'c', agent: 'a' },
      { client: 'c', approver: true },
      { user: 'a@b', agent: 'a', approver: true },
      { user: 'a@b', scope: 'mcp:read service:approvals:decide' },
      { user: 'a@b', lifetimeSeconds: 0 },
      { user: 'a@b', lifetimeSeconds: Number.NaN },
    ];
    for (const options of contradictions) await assert.rejects(caller(options), RangeError);
  });

  it('is signed with one key, whoever of many processes made it first', async () => {
    const fresh = await mkdtemp(join(tmpdir(), 'steward-keys-'));
    const made = await Promise.all(Array.from({ length: 10 }, async () => developmentKeys(fresh)));
    assert.equal(new Set(made.map(({ signing, secret }) => signing.kid + secret)).size, 1);
    const { keys } = await readDevelopmentKeys(fresh);
    assert.deepEqual(
      keys.map((key) => Object.keys(key).toSorted()),
      [['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']],
    );
    await rm(fresh, { recursive: true });
  });
});
