import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Answer, type Json, type World } from '@steward/conformance/world';

// Whoever may no longer approve, and may again later, begins anew: nothing that they had let happen comes back with them.

const owner = 'owner@example.com';
const bob = 'bob@example.com';
const tool = 'service_post_journal_entry';

describe('what somebody approved who left and came back', () => {
  let world: World;
  let tenant: string;
  let agent: string;
  const tokens = new Map<string, string>();
  before(async () => {
    world = await createWorld();
    ({ tenant } = await world.signUp(owner, 'Again', { defaultCurrency: 'EUR' }));
    agent = await world.token({ user: owner, agent: 'bookkeeper' });
    await comesIn(owner);
    await invites(bob, 'accountant');
    await invites('carol@example.com', 'accountant');
    const { body: policy } = await portal(owner, 'GET', '/approval-policy');
    const limits = { fourEyesAbove: [{ amount: '2000.00', currency: 'EUR' }], newPayeeFourEyes: false };
    assert.equal((await portal(owner, 'PUT', '/approval-policy', { ...policy, ...limits })).status, 200);
  });
  after(async () => world[Symbol.asyncDispose]());

  const portal = async (who: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, { token: tokens.get(who), tenant, method, body });
  const done = async (who: string, method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await portal(who, method, path, body);
    assert.ok(answer.status < 300, JSON.stringify([method, path, answer.status, answer.body]));
    return answer.body;
  };
  const comesIn = async (user: string): Promise<void> =>
    void tokens.set(user, await world.token({ user, approver: true }));
  const invites = async (email: string, role: string): Promise<void> => {
    const { secret } = await done(owner, 'POST', '/invitations', { email, role });
    await comesIn(email);
    const accepted = await world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
      token: tokens.get(email),
      body: { secret },
    });
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
  };
  const idOf = async (email: string): Promise<string> => {
    const { items } = (await done(owner, 'GET', '/members')) as unknown as {
      items: { email: string | null; principalId: string }[];
    };
    return items.find((one) => one.email === email)?.principalId ?? '';
  };
  const proposes = async (token: string, pillar: string, name: string, args: object): Promise<Json> => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const answer = await world.call(`${world.server.addresses.mcp}/p/${pillar}`, { token, tenant, body });
    return answer.body['result']?.['structuredContent'] as Json;
  };
  let asked = 0;
  const ask = async (amount: string): Promise<Json> => {
    asked += 1;
    const args = {
      date: '2026-03-15',
      currency: 'EUR',
      narration: `Withdrawn ${asked}`,
      lines: [
        { account: '3100', debit: amount },
        { account: '1000', credit: amount },
      ],
    };
    return proposes(agent, 'accounting', tool, args);
  };
  const waiting = async (amount: string): Promise<{ id: string; previewHash: string }> => {
    const id = String((await ask(amount))['pending_action_id']);
    return (await done(owner, 'GET', `/pending-actions/${id}`)) as unknown as { id: string; previewHash: string };
  };
  const approves = async (who: string, { id, previewHash }: { id: string; previewHash: string }): Promise<string> => {
    const { body } = await portal(who, 'POST', `/pending-actions/${id}/approve`, { previewHash });
    return String(body['state'] ?? body['code']);
  };

  /** What takes the right away, and gives it back. */
  const ways: Readonly<Record<string, () => Promise<void>>> = {
    'is removed, and invited again': async () => {
      await done(owner, 'DELETE', `/members/user/${encodeURIComponent(await idOf(bob))}`);
      await invites(bob, 'accountant');
    },
    'becomes a viewer, and an accountant again': async () => {
      const path = `/members/user/${encodeURIComponent(await idOf(bob))}`;
      await done(owner, 'PATCH', path, { role: 'viewer' });
      await done(owner, 'PATCH', path, { role: 'accountant' });
    },
    'is suspended with the client that gave them another role, and restored': async () => {
      const recruiter = await world.token({ user: owner, agent: 'recruiter' });
      const change = { member: bob, role: 'admin' };
      const { pending_action_id: id } = await proposes(recruiter, 'portal', 'service_change_member_role', change);
      const action = (await done(owner, 'GET', `/pending-actions/${String(id)}`)) as unknown as Json;
      assert.equal(await approves(owner, { id: String(id), previewHash: String(action['previewHash']) }), 'executed');
      await done(owner, 'DELETE', '/agent-grants/recruiter');
      await done(owner, 'POST', '/suspensions/restore', { kind: 'member', id: `user:${await idOf(bob)}` });
    },
  };

  for (const [way, leaveAndReturn] of Object.entries(ways))
    test(`no standing rule lives on when its creator ${way}`, async () => {
      const rule = {
        tool,
        validUntil: new Date(Date.now() + 3_600_000).toISOString(),
        upTo: { amount: '100.00', currency: 'EUR' },
      };
      const { id } = await done(bob, 'POST', '/standing-rules', rule);
      assert.equal((await ask('90.00'))['status'], 'ok');
      await leaveAndReturn();
      assert.equal((await ask('90.00'))['status'], 'pending_approval');
      const { items } = (await done(owner, 'GET', '/standing-rules')) as unknown as {
        items: { id: string; revokedAt: string | null }[];
      };
      assert.notEqual(items.find((one) => one.id === String(id))?.revokedAt, null, 'it is shown as ended');
      const again = await done(bob, 'POST', '/standing-rules', rule);
      assert.equal((await ask('90.00'))['status'], 'ok', 'made anew, it holds');
      await done(bob, 'DELETE', `/standing-rules/${String(again['id'])}`);
    });

  test('a role that may approve as well ends no rule', async () => {
    const rule = {
      tool,
      validUntil: new Date(Date.now() + 3_600_000).toISOString(),
      upTo: { amount: '100.00', currency: 'EUR' },
    };
    const { id } = await done(bob, 'POST', '/standing-rules', rule);
    const path = `/members/user/${encodeURIComponent(await idOf(bob))}`;
    await done(owner, 'PATCH', path, { role: 'admin' });
    assert.equal((await ask('90.00'))['status'], 'ok');
    await done(owner, 'PATCH', path, { role: 'accountant' });
    assert.equal((await ask('90.00'))['status'], 'ok');
    await done(bob, 'DELETE', `/standing-rules/${String(id)}`);
  });

  test('a vote of before is none of whoever was invited again', async () => {
    const action = await waiting('2100.00');
    assert.equal(await approves(bob, action), 'pending');
    await ways['is removed, and invited again']?.();
    assert.equal(await approves(owner, action), 'pending', 'one person approved it');
    assert.equal(await approves('carol@example.com', action), 'executed');
  });

  test('votes that count again are enough for whoever says so once more', async () => {
    const action = await waiting('2100.00');
    const path = `/members/user/${encodeURIComponent(await idOf(bob))}`;
    assert.equal(await approves(bob, action), 'pending');
    await done(owner, 'PATCH', path, { role: 'viewer' });
    assert.equal(await approves(owner, action), 'pending');
    assert.equal(await approves(owner, action), 'already_approved');
    await done(owner, 'PATCH', path, { role: 'accountant' });
    assert.equal(await approves(owner, action), 'executed');
  });
});
