import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Answer, type Json, type World } from '@steward/conformance/world';

describe('what takes two people', () => {
  let world: World;
  let tenant: string;
  let agent: string;
  const tokens = new Map<string, string>();
  const owner = 'owner@example.com';
  before(async () => {
    world = await createWorld();
    ({ tenant } = await world.signUp(owner, 'Two', { defaultCurrency: 'EUR' }));
    agent = await world.token({ user: owner, agent: 'bookkeeper' });
    await comesIn(owner);
    const { body: policy } = await portal(owner, 'GET', '/approval-policy');
    const limits = { fourEyesAbove: [{ amount: '100.00', currency: 'EUR' }], newPayeeFourEyes: false };
    assert.equal((await portal(owner, 'PUT', '/approval-policy', { ...policy, ...limits })).status, 200);
    await invites(owner, 'eve@example.com', 'admin');
    await invites(owner, 'carol@example.com', 'accountant');
    await invites('eve@example.com', 'sock@example.com', 'accountant');
    await invites('eve@example.com', 'shoe@example.com', 'admin');
    await invites('shoe@example.com', 'lace@example.com', 'accountant');
  });
  after(async () => world[Symbol.asyncDispose]());

  const portal = async (who: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, { token: tokens.get(who), tenant, method, body });
  const comesIn = async (user: string): Promise<void> =>
    void tokens.set(user, await world.token({ user, approver: true }));
  const invites = async (by: string, email: string, role: string): Promise<void> => {
    const { body } = await portal(by, 'POST', '/invitations', { email, role });
    await comesIn(email);
    const accepted = await world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
      token: tokens.get(email),
      body: { secret: body['secret'] },
    });
    assert.equal(accepted.status, 200, JSON.stringify([body, accepted.body]));
  };
  const remove = async (by: string, who: string): Promise<void> => {
    const { items } = (await portal(owner, 'GET', '/members?limit=200')).body as unknown as {
      readonly items: readonly { readonly principalId: string; readonly email: string }[];
    };
    const id = items.find(({ email }) => email === `${who}@example.com`)?.principalId ?? assert.fail(who);
    const { status, body } = await portal(`${by}@example.com`, 'DELETE', `/members/user/${encodeURIComponent(id)}`);
    assert.equal(status, 200, JSON.stringify(body));
  };
  let asked = 0;
  const askedFor = async (): Promise<Json> => {
    asked += 1;
    const args = {
      date: '2026-03-15',
      currency: 'EUR',
      narration: `Withdrawn ${asked}`,
      lines: [
        { account: '3100', debit: '900.00' },
        { account: '1000', credit: '900.00' },
      ],
    };
    const params = { name: 'service_post_journal_entry', arguments: args };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await world.call(`${world.server.addresses.mcp}/p/accounting`, { token: agent, tenant, body });
    const id = String(answer.body['result']?.['structuredContent']?.['pending_action_id']);
    return (await portal(owner, 'GET', `/pending-actions/${id}`)).body;
  };
  /** What becomes of an action when people approve it one after the other. */
  const approvedBy = async (...people: readonly string[]): Promise<string[]> => {
    const { id, previewHash } = await askedFor();
    const became: string[] = [];
    for (const who of people) {
      const { body } = await portal(`${who}@example.com`, 'POST', `/pending-actions/${String(id)}/approve`, {
        previewHash,
      });
      became.push(String(body['state'] ?? body['code']));
    }
    return became;
  };

  test('takes nobody with those whom they brought in themselves, in either order and however far', async () => {
    for (const [first, second] of [
      ['eve', 'sock'],
      ['sock', 'eve'],
      ['sock', 'shoe'],
      ['lace', 'eve'],
      ['lace', 'sock'],
    ] as const)
      assert.deepEqual(await approvedBy(first, second), ['pending', 'already_approved'], `${first} ${second}`);
    assert.deepEqual(await approvedBy('eve', 'sock', 'carol'), ['pending', 'already_approved', 'executed']);
  });

  test('takes any two whom an owner brought, and an owner with anybody', async () => {
    for (const [first, second] of [
      ['eve', 'carol'],
      ['carol', 'sock'],
      ['lace', 'owner'],
      ['owner', 'eve'],
    ] as const)
      assert.deepEqual(await approvedBy(first, second), ['pending', 'executed'], `${first} ${second}`);
  });

  test('takes nobody with those whom they had invited for an agent of the owner, as it was asked or as they edited it', async () => {
    for (const [asked, edited] of [
      ['glove@example.com', undefined],
      ['somebody@example.com', 'mitten@example.com'],
    ] as const) {
      const params = { name: 'service_invite_member', arguments: { email: asked, role: 'accountant' } };
      const answer = await world.call(world.server.addresses.mcp, {
        token: agent,
        tenant,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      });
      const id = String(answer.body['result']?.['structuredContent']?.['pending_action_id']);
      const { previewHash } = (await portal('eve@example.com', 'GET', `/pending-actions/${id}`)).body;
      const decision =
        edited === undefined
          ? { previewHash }
          : { previewHash, arguments: { email: edited, role: 'accountant' }, approve: true };
      const decided = edited === undefined ? 'approve' : 'edit';
      const { body } = await portal('eve@example.com', 'POST', `/pending-actions/${id}/${decided}`, decision);
      assert.equal(String(body['state']), 'executed', JSON.stringify(body));
      const who = edited ?? asked;
      const { items } = (await portal('eve@example.com', 'GET', '/invitations')).body as unknown as {
        readonly items: readonly { readonly id: string; readonly email: string }[];
      };
      const invitation = items.find(({ email }) => email === who)?.id ?? '';
      const made = await portal('eve@example.com', 'POST', `/invitations/${invitation}/secret`);
      await comesIn(who);
      const accepted = await world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
        token: tokens.get(who),
        body: { secret: made.body['secret'] },
      });
      assert.equal(accepted.status, 200, JSON.stringify([made.body, accepted.body]));
      const [name = ''] = who.split('@');
      assert.deepEqual(await approvedBy('eve', name), ['pending', 'already_approved'], who);
    }
  });

  test('takes nobody with those whom they brought through somebody who is suspended or was removed since, by whomever', async () => {
    await invites('shoe@example.com', 'tie@example.com', 'admin');
    await invites('tie@example.com', 'pin@example.com', 'accountant');
    await remove('owner', 'tie');
    assert.deepEqual(await approvedBy('eve', 'pin'), ['pending', 'already_approved']);
    await remove('eve', 'shoe');
    for (const [first, second] of [
      ['eve', 'lace'],
      ['lace', 'sock'],
      ['pin', 'lace'],
    ] as const)
      assert.deepEqual(await approvedBy(first, second), ['pending', 'already_approved'], `${first} ${second}`);
    assert.deepEqual(await approvedBy('lace', 'carol'), ['pending', 'executed']);
  });

  test('takes any two whom an owner brought who left since', async () => {
    await invites(owner, 'second@example.com', 'owner');
    await invites('second@example.com', 'dan@example.com', 'accountant');
    await invites('second@example.com', 'dot@example.com', 'accountant');
    await remove('owner', 'second');
    assert.deepEqual(await approvedBy('dan', 'dot'), ['pending', 'executed']);
  });

  test('takes nobody with those whom they brought, and had bring them back', async () => {
    await invites(owner, 'mal@example.com', 'admin');
    await invites('mal@example.com', 'puppet@example.com', 'admin');
    await remove('puppet', 'mal');
    await invites('puppet@example.com', 'mal@example.com', 'admin');
    assert.deepEqual(await approvedBy('mal', 'puppet'), ['pending', 'already_approved']);
    // Nor once an honest person has brought one of them back.
    await remove('owner', 'puppet');
    await invites(owner, 'puppet@example.com', 'accountant');
    assert.deepEqual(await approvedBy('mal', 'puppet'), ['pending', 'already_approved']);
  });

  test('takes any two whom the founder brought who is no owner any more, and an owner whom the founder brought with either', async () => {
    await invites(owner, 'third@example.com', 'owner');
    await invites(owner, 'ada@example.com', 'accountant');
    await invites(owner, 'ben@example.com', 'accountant');
    const { items } = (await portal(owner, 'GET', '/members?limit=200')).body as unknown as {
      readonly items: readonly { readonly principalId: string; readonly email: string }[];
    };
    const founder = encodeURIComponent(items.find(({ email }) => email === owner)?.principalId ?? '');
    const lowered = await portal('third@example.com', 'PATCH', `/members/user/${founder}`, { role: 'admin' });
    assert.equal(lowered.status, 200, JSON.stringify(lowered.body));
    for (const [first, second] of [
      ['ada', 'ben'],
      ['third', 'ada'],
    ] as const)
      assert.deepEqual(await approvedBy(first, second), ['pending', 'executed'], `${first} ${second}`);
  });
});
