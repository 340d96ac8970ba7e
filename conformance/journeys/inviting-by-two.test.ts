import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openPool, sql } from '@steward/sql';
import { createWorld, type Answer, type World } from '../world/index.ts';

const code = ({ body }: Answer): string => String(body['code'] ?? 'none');

describe('where two people decide about invitations', () => {
  let world: World;
  let tenant: string;
  const user = 'alice@example.com';
  let alice: string;
  let bob: string;
  let carol: string;

  const portal = async (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, {
      token,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const accept = async (email: string, secret: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
      token: await world.token({ user: email }),
      body: { secret },
    });
  const secretOf = async (token: string, invitation: unknown): Promise<Answer> =>
    portal(token, 'POST', `/invitations/${String(invitation)}/secret`);
  /** An agent of Alice's asks, she and Bob approve. @returns the id of the invitation */
  const invited = async (email: string): Promise<string> => {
    const agent = await world.token({ user, agent: 'assistant-1' });
    const { body } = await world.call(`${world.server.addresses.mcp}/p/portal`, {
      token: agent,
      tenant,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_invite_member', arguments: { email, role: 'viewer' } },
      },
    });
    const id = String(body['result']?.['structuredContent']?.['pending_action_id']);
    const { previewHash } = (await portal(alice, 'GET', `/pending-actions/${id}`)).body;
    const first = await portal(alice, 'POST', `/pending-actions/${id}/approve`, { previewHash });
    assert.equal(String(first.body['state']), 'pending', JSON.stringify(first.body));
    const second = await portal(bob, 'POST', `/pending-actions/${id}/approve`, { previewHash });
    assert.equal(String(second.body['state']), 'executed', JSON.stringify(second.body));
    return String(second.body['result']?.['data']?.['invitation_id']);
  };
  const ends = async (invitation: string): Promise<string> => {
    const items = (await portal(alice, 'GET', '/invitations')).body['items'] as unknown as Record<string, string>[];
    return String(items.find(({ id }) => id === invitation)?.['expiresAt']);
  };

  before(async () => {
    world = await createWorld();
    ({ tenant } = await world.signUp(user, 'Alice and sons'));
    alice = await world.token({ user, approver: true });
    for (const [email, role] of [
      ['bob@example.com', 'admin'],
      ['carol@example.com', 'owner'],
    ] as const) {
      const { body } = await portal(alice, 'POST', '/invitations', { email, role });
      assert.equal(code(await accept(email, body['secret'])), 'none');
    }
    bob = await world.token({ user: 'bob@example.com', approver: true });
    carol = await world.token({ user: 'carol@example.com', approver: true });
    const policy = (await portal(alice, 'GET', '/approval-policy')).body;
    const tools = { service_invite_member: { fourEyes: true } };
    assert.equal((await portal(alice, 'PUT', '/approval-policy', { ...policy, tools })).status, 200);
  });
  after(async () => world[Symbol.asyncDispose]());

  test('one whom the action names makes the secret, once, and the person it is for comes in', async () => {
    const invitation = await invited('dave@example.com');
    const before = await ends(invitation);
    const named = 'insufficient_role';
    assert.equal(code(await secretOf(carol, invitation)), named, 'she neither asked nor approved');
    assert.equal(code(await secretOf(await world.token({ user }), invitation)), 'client_not_approver');
    assert.equal(code(await secretOf(await world.token({ user, agent: 'assistant-1' }), invitation)), 'not_human');
    const made = await secretOf(bob, invitation);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal(await ends(invitation), before, 'its time goes on as it was decided');
    for (const token of [alice, bob, carol]) assert.equal(code(await secretOf(token, invitation)), 'conflict');
    assert.equal(code(await accept('dave@example.com', made.body['secret'])), 'none');
    assert.equal(code(await secretOf(bob, invitation)), 'not_found');
  });

  test('nobody revives one alone that expired, or was made otherwise; without the policy they do', async () => {
    const invitation = await invited('erin@example.com');
    const url = new URL(world.db.adminUrl);
    url.searchParams.set('options', '-c session_replication_role=replica');
    await using admin = openPool({ url: url.href, size: 1 });
    const expire = sql`
      update portal.invitation set expires_at = clock_timestamp() - interval '1 second' where invitation_id = ${invitation}::uuid`;
    const forge = sql`
      update portal.invitation set action_id = '01900000-0000-7000-8000-000000000000' where invitation_id = ${invitation}::uuid`;
    const { code: whole, out } = await world.command(['audit', 'verify', '--tenant', tenant]);
    assert.equal(whole, 0, out);
    await admin.query(forge);
    assert.equal(code(await secretOf(bob, invitation)), 'insufficient_role', 'a forged action names nobody');
    const told = await world.command(['audit', 'verify', '--tenant', tenant]);
    assert.notEqual(told.code, 0, 'and verification tells of it');
    await admin.query(expire);
    for (const token of [alice, bob, carol]) assert.equal(code(await secretOf(token, invitation)), 'conflict');
    const policy = (await portal(alice, 'GET', '/approval-policy')).body;
    assert.equal((await portal(alice, 'PUT', '/approval-policy', { ...policy, tools: {} })).status, 200);
    const revived = await secretOf(carol, invitation);
    assert.equal(revived.status, 201, JSON.stringify(revived.body));
    assert.equal(code(await accept('erin@example.com', revived.body['secret'])), 'none');
  });
});
