import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { createWorld, outputOf, type Answer, type Json, type Serving, type World } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';

describe('administration of a tenant', () => {
  let world: World;
  let portal: string;
  let tenant: string;
  let owner: string;
  /** The owner where people decide, freshly logged in: who may do what takes that. */
  let deciding: string;
  before(async () => {
    world = await createWorld();
    portal = world.server.addresses.portal;
    ({ tenant, token: owner } = await world.signUp('owner@example.com', 'Administered'));
    deciding = await world.token({ user: 'owner@example.com', approver: true });
  });
  after(async () => world[Symbol.asyncDispose]());

  const as = async (token: string, method: string, path: string, body?: unknown, at = tenant): Promise<Answer> =>
    world.call(`${portal}/api${path}`, { token, tenant: at, method, ...(body === undefined ? {} : { body }) });
  const tools = async (token: string, running: Serving = world.server): Promise<string[]> => {
    const { body } = await world.call(running.addresses.mcp, {
      token,
      tenant,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    return ((body['result']?.['tools'] ?? []) as unknown as { name: string }[]).map(({ name }) => name);
  };
  const code = (answer: Answer): unknown[] => [answer.status, answer.body['code']];
  const items = (answer: Answer): Json[] => answer.body['items'] as unknown as Json[];
  const join = async (user: string, role: string): Promise<{ token: string; id: string }> => {
    const invited = await as(deciding, 'POST', '/invitations', { email: user, role });
    assert.equal(invited.status, 201, JSON.stringify(invited.body));
    const token = await world.token({ user });
    const accepted = await world.call(`${portal}/api/invitations/accept`, {
      token,
      body: { secret: invited.body['secret'] },
    });
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    const members = items(await as(owner, 'GET', '/members?limit=200'));
    return { token, id: String(members.find((member) => String(member['email']) === user)?.['principalId']) };
  };

  test('an invited person becomes a member with the role, and only with the secret sent to them', async () => {
    const invited = await as(deciding, 'POST', '/invitations', { email: 'Viewer@Example.com', role: 'viewer' });
    assert.equal(invited.body['email'], 'viewer@example.com');
    assert.deepEqual(code(await as(deciding, 'POST', '/invitations', { email: 'viewer@example.com', role: 'admin' })), [
      409,
      'invitation_open',
    ]);
    const token = await world.token({ user: 'viewer@example.com' });
    const accept = async (by: string, secret: unknown): Promise<Answer> =>
      world.call(`${portal}/api/invitations/accept`, { token: by, body: { secret } });
    assert.deepEqual(code(await as(token, 'GET', '/organization')), [403, 'tenant_forbidden']);
    assert.deepEqual(code(await accept(token, 'guess')), [404, 'not_found']);
    assert.deepEqual(code(await accept(await world.token({ user: 'mallory@example.com' }), invited.body['secret'])), [
      403,
      'invitation_for_another_address',
    ]);
    assert.equal((await accept(token, invited.body['secret'])).status, 200);
    assert.deepEqual(code(await accept(token, invited.body['secret'])), [404, 'not_found']);
    assert.equal((await as(token, 'GET', '/organization')).status, 200);
    assert.deepEqual(code(await as(token, 'PATCH', '/organization', { name: 'Mine' })), [403, 'insufficient_role']);
    const invites = { email: 'x@example.com', role: 'viewer' };
    assert.deepEqual(code(await as(token, 'POST', '/invitations', invites)), [403, 'insufficient_role']);
    const fresh = await world.token({ user: 'viewer@example.com', approver: true });
    assert.deepEqual(code(await as(fresh, 'POST', '/invitations', invites)), [403, 'insufficient_role']);
  });

  test('whoever is a member already is not invited, and accepts nothing, with words on how roles are changed', async () => {
    await join('early@example.com', 'viewer');
    const refused = (answer: Answer): void => {
      assert.deepEqual(code(answer), [409, 'already_member']);
      assert.match(String(answer.body['detail']), /service_change_member_role/);
    };
    const wanted = { email: 'Early@example.com', role: 'admin' };
    refused(await as(deciding, 'POST', '/invitations', wanted));
    refused(await as(owner, 'POST', '/pending-actions', { tool: 'service_invite_member', arguments: wanted }));
    // Whose address became known only afterwards: the only owner is told the same, not that somebody must stay owner.
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const known = async (email: string | null): Promise<unknown> =>
      admin.query(sql`update identity.person set email = ${email} where id in (
        select principal_id from identity.member where tenant_id = ${tenant}::uuid and role = 'owner')`);
    await known(null);
    const invited = await as(deciding, 'POST', '/invitations', { email: 'owner@example.com', role: 'viewer' });
    assert.equal(invited.status, 201);
    await known('owner@example.com');
    const { secret, id } = invited.body;
    refused(await world.call(`${portal}/api/invitations/accept`, { token: owner, body: { secret } }));
    assert.equal((await as(deciding, 'DELETE', `/invitations/${String(id)}`)).status, 204);
  });

  test('a changed role and an ended membership count from the next request, and within a second in another server', async () => {
    await using other = await world.beside();
    const member = await join('fleeting@example.com', 'admin');
    const there = await world.token({ user: 'fleeting@example.com' }, other);
    assert.ok((await tools(member.token)).includes('service_update_organization'));
    assert.ok((await tools(there, other)).includes('service_update_organization'));
    assert.equal(
      (await as(deciding, 'PATCH', `/members/user/${encodeURIComponent(member.id)}`, { role: 'viewer' })).status,
      200,
    );
    assert.ok(!(await tools(member.token)).includes('service_update_organization'));
    await until(async () => !(await tools(there, other)).includes('service_update_organization'));
    assert.equal((await as(deciding, 'DELETE', `/members/user/${encodeURIComponent(member.id)}`)).status, 200);
    assert.deepEqual(code(await as(member.token, 'GET', '/organization')), [403, 'tenant_forbidden']);
    assert.deepEqual(await tools(member.token), []);
    assert.deepEqual(code(await as(deciding, 'DELETE', `/members/user/${encodeURIComponent(member.id)}`)), [
      404,
      'not_found',
    ]);
  });

  test('an admin makes and unmakes no owner, and the last owner stays', async () => {
    const admin = await join('admin@example.com', 'admin');
    const members = items(await as(owner, 'GET', '/members?limit=200'));
    const ownerId = encodeURIComponent(
      String(members.find((member) => String(member['role']) === 'owner')?.['principalId']),
    );
    for (const [method, path, body] of [
      ['DELETE', `/members/user/${ownerId}`, undefined],
      ['PATCH', `/members/user/${ownerId}`, { role: 'viewer' }],
      ['PATCH', `/members/user/${encodeURIComponent(admin.id)}`, { role: 'owner' }],
      ['POST', '/invitations', { email: 'friend@example.com', role: 'owner' }],
    ] as const) {
      const fresh = await world.token({ user: 'admin@example.com', approver: true });
      assert.deepEqual(code(await as(fresh, method, path, body)), [403, 'insufficient_role'], path);
    }
    assert.deepEqual(code(await as(deciding, 'DELETE', `/members/user/${ownerId}`)), [409, 'last_owner']);
    assert.deepEqual(code(await as(deciding, 'PATCH', `/members/user/${ownerId}`, { role: 'admin' })), [
      409,
      'last_owner',
    ]);
  });

  test('a machine may be a member but never an owner, and never administers', async () => {
    const added = await as(deciding, 'POST', '/members', {
      principalType: 'service',
      principalId: 'ci-bot',
      role: 'developer',
    });
    assert.equal(added.status, 201);
    assert.deepEqual(
      code(await as(deciding, 'POST', '/members', { principalType: 'service', principalId: 'ci-bot', role: 'viewer' })),
      [409, 'already_member'],
    );
    assert.deepEqual(code(await as(deciding, 'PATCH', '/members/service/ci-bot', { role: 'owner' })), [
      403,
      'not_human',
    ]);
    const bot = await world.token({ client: 'ci-bot' });
    assert.deepEqual(code(await as(bot, 'GET', '/members')), [403, 'not_human']);
    const accounts = await world.call(`${world.server.addresses.accounting}/api/accounts?limit=1`, {
      token: bot,
      tenant,
    });
    assert.equal(accounts.status, 200);
  });

  test('an agent grant narrows what the agent sees, and a revoked agent sees nothing', async () => {
    const agent = await world.token({ user: 'owner@example.com', agent: 'assistant-1' });
    assert.ok((await tools(agent)).includes('service_update_organization'));
    assert.equal(
      (
        await as(deciding, 'POST', '/agent-grants', {
          agentId: 'assistant-1',
          tiers: ['read'],
          pillars: ['accounting'],
        })
      ).status,
      201,
    );
    const narrowed = await tools(agent);
    assert.ok(
      narrowed.includes('service_list_accounts') &&
        !narrowed.includes('service_list_brands') &&
        !narrowed.includes('service_update_organization'),
    );
    assert.equal((await as(owner, 'DELETE', '/agent-grants/assistant-1')).status, 204);
    const revoked = await tools(agent);
    assert.ok(!revoked.includes('service_list_accounts'), revoked.join());
    const [listed] = items(await as(owner, 'GET', '/agent-grants'));
    assert.deepEqual([String(listed?.['agentId']), String(listed?.['status'])], ['assistant-1', 'revoked']);
    assert.ok((await tools(owner)).includes('service_list_accounts'), 'the owner with another client is not touched');
  });

  test('the tool policy switches tools off for everyone, from the version that was read', async () => {
    const { body: policy } = await as(owner, 'GET', '/tool-policy');
    assert.deepEqual(
      code(await as(owner, 'PUT', '/tool-policy', { ...policy, deniedTools: ['service_no_such_tool'] })),
      [400, 'invalid_request'],
    );
    const changed = await as(owner, 'PUT', '/tool-policy', { ...policy, deniedTools: ['service_list_brands'] });
    assert.equal(changed.status, 200);
    assert.ok(!(await tools(owner)).includes('service_list_brands'));
    assert.deepEqual(code(await as(owner, 'PUT', '/tool-policy', { ...policy, deniedTools: [] })), [
      409,
      'version_conflict',
    ]);
    const looser = { deniedTools: [], agentsNeedGrant: true, version: changed.body['version'] };
    assert.deepEqual(code(await as(owner, 'PUT', '/tool-policy', looser)), [403, 'client_not_approver']);
    const console = await world.token({ user: 'owner@example.com', approver: true });
    const strict = await as(console, 'PUT', '/tool-policy', looser);
    assert.equal(strict.status, 200);
    const unknown = await tools(await world.token({ user: 'owner@example.com', agent: 'assistant-2' }));
    assert.ok(!unknown.includes('service_list_accounts'), 'an agent without a grant of its own');
    const open = { deniedTools: [], agentsNeedGrant: false, version: strict.body['version'] };
    assert.deepEqual(code(await as(owner, 'PUT', '/tool-policy', open)), [403, 'client_not_approver']);
    assert.equal((await as(console, 'PUT', '/tool-policy', open)).status, 200);
    assert.ok((await tools(owner)).includes('service_list_brands'));
  });

  test('a policy replaced by itself is no change: no version, and no action that somebody reads goes out of date', async () => {
    const console = await world.token({ user: 'owner@example.com', approver: true });
    for (const [token, path] of [
      [owner, '/tool-policy'],
      [console, '/approval-policy'],
    ] as const) {
      const { body: policy } = await as(token, 'GET', path);
      const again = await as(token, 'PUT', path, policy);
      assert.deepEqual([again.status, again.body], [200, policy], path);
      assert.deepEqual((await as(token, 'GET', path)).body, policy, path);
    }
  });

  test('a trial ends by the clock: where nobody is charged all goes on, else reading stays and an operator lifts it', async () => {
    const { tenant: trial, token } = await world.signUp('trial@example.com', 'On trial');
    await using charging = await world.beside({ AFTER_TRIAL: 'free', TRIAL_DAYS: '30' });
    const there = await world.token({ user: 'trial@example.com' }, charging);
    const longer = await world.call(`${charging.addresses.portal}/api/external-agent/signup`, {
      token: there,
      body: { organizationName: 'On a longer trial', idempotencyKey: 'a-longer-trial' },
    });
    const days = (Date.parse(String(longer.body['billing']?.['trialEndsAt'])) - Date.now()) / 86_400_000;
    assert.equal(Math.ceil(days), 30, JSON.stringify(longer.body));
    const list = async (at: Serving): Promise<string> =>
      JSON.stringify(
        (
          await world.call(at.addresses.mcp, {
            token: at === charging ? there : token,
            tenant: trial,
            body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
          })
        ).body,
      );
    const billing = async (at: Serving): Promise<string[]> => {
      const { body } = await world.call(`${at.addresses.portal}/api/billing`, {
        token: at === charging ? there : token,
        tenant: trial,
      });
      return [String(body['tier']), String(body['status'])];
    };
    const { addresses } = world.server;
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    await admin.query(
      sql`update portal.billing set trial_ends_at = clock_timestamp() + interval '1500 milliseconds' where tenant_id = ${trial}::uuid`,
    );
    const write = 'service_create_site';
    await until(async () => !(await list(charging)).includes(write));
    assert.match(await list(charging), /service_list_accounts/);
    assert.deepEqual(await billing(charging), ['free', 'trial_ended']);
    assert.ok((await list(world.server)).includes(write));
    assert.deepEqual(await billing(world.server), ['community', 'active']);

    const tier = async (...args: readonly string[]) =>
      outputOf(world.command(['tenant', 'tier', ...args], { AFTER_TRIAL: 'free' }));
    const moved = await tier('--tenant', trial, '--tier', 'community');
    assert.match(moved, /→ community \(active\)/);
    await until(async () => (await list(charging)).includes(write));
    assert.deepEqual(await billing(charging), ['community', 'active']);
    await assert.rejects(tier('--tenant', trial, '--tier', 'gold'), /Give a tier other than trial: free/);
    const events = `${addresses.accounting}/api/audit/events?type=portal.billing.changed`;
    const [event] = ((await world.call(events, { token, tenant: trial })).body['items'] ?? []) as unknown as Json[];
    assert.deepEqual(event?.['payload'], { before: 'free', after: 'community', status: 'active' });
  });

  test('the operator lists tenants by name and page by page, with the tiers that they have at this moment', async () => {
    const made = new Map<string, string>();
    for (const name of ['Listed 1', 'LISTED 2', 'listed 3'])
      made.set((await world.signUp(`${name.replace(' ', '')}@example.com`, name)).tenant, name);
    const [first = '', second = '', third = ''] = [...made.keys()].toSorted();
    const list = async (...args: readonly string[]): Promise<string> =>
      outputOf(world.command(['tenant', 'list', ...args], { AFTER_TRIAL: 'free' }));
    await outputOf(world.command(['tenant', 'tier', '--tenant', second, '--tier', 'community']));
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    await admin.query(
      sql`update portal.billing set trial_ends_at = clock_timestamp() - interval '1 day' where tenant_id = ${third}::uuid`,
    );
    const day = (await admin.query(sql`select created_at from portal.tenant where tenant_id = ${first}::uuid`))[0];
    const lines = (await list('--name', 'lIsTed')).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => line.split(/ {2,}/)),
      [
        [first, JSON.stringify(day?.['created_at']).slice(1, 11), 'trial (trialing)', made.get(first)],
        [second, lines[1]?.split(/ {2,}/)[1], 'community (active)', made.get(second)],
        [third, lines[2]?.split(/ {2,}/)[1], 'free (trial_ended)', made.get(third)],
      ],
    );
    const paged = await list('--name', 'listed', '--limit', '2');
    assert.match(paged, new RegExp(`^${first} .*\n${second} .*\nThere are more: --after ${second}\n$`));
    assert.equal((await list('--name', 'listed', '--limit', '2', '--after', second)).trimEnd(), lines[2]);
    assert.equal(await list('--name', 'nobody is called so'), 'No tenant.\n');
    const all = JSON.parse(await list('--json', '--limit', '1000')) as { items: Json[]; next: string | null };
    assert.equal(all.next, null);
    const known = await admin.query(sql`select tenant_id as id, name from portal.tenant order by tenant_id`);
    assert.deepEqual(
      all.items.map(({ id, name }) => ({ id, name })),
      known.map((row) => ({ ...row })),
    );
    for (const wrong of [
      ['--limit', '0'],
      ['--limit', '1001'],
      ['--after', 'x'],
      ['--name', ''],
    ])
      await assert.rejects(list(...wrong), { code: 2 });
    const kept = await world.command(['tenant', 'list'], { DATABASE_OWNER_URL: '' });
    assert.deepEqual([kept.code, kept.err], [1, 'Set DATABASE_OWNER_URL: this reads every tenant.\n']);
  });

  test('where no payment provider is configured nothing is sold, nobody is charged, and what pretends to be one is not heard', async () => {
    const { body } = await as(owner, 'GET', '/billing');
    assert.deepEqual([body['offered'], body['liveChargesRequired'], body['graceEndsAt']], [[], false, null]);
    assert.deepEqual(code(await as(owner, 'POST', '/billing/checkout', { tier: 'community' })), [
      503,
      'provider_not_configured',
    ]);
    assert.deepEqual(code(await as(owner, 'POST', '/billing/portal', {})), [503, 'provider_not_configured']);
    const event = { id: 'evt_1', type: 'invoice.paid', data: { object: { customer: 'cus_1' } } };
    const sent = await world.call(`${portal}/webhooks/card_payments`, {
      body: event,
      headers: { 'stripe-signature': 't=1,v1=00' },
    });
    assert.deepEqual(code(sent), [503, 'provider_not_configured']);
  });

  test('brands are listed, made, renamed and archived; the default one stays', async () => {
    const made = await as(owner, 'POST', '/brands', { name: 'Second' });
    assert.equal(made.status, 201);
    const id = String(made.body['id']);
    for (const _again of [1, 2])
      assert.equal((await as(owner, 'PATCH', `/brands/${id}`, { name: 'Renamed' })).body['name'], 'Renamed');
    const renames = `${world.server.addresses.accounting}/api/audit/events?type=portal.brand.renamed`;
    assert.equal(items(await world.call(renames, { token: owner, tenant })).length, 1, 'nothing changed');
    const first = await as(owner, 'GET', '/brands?limit=1');
    assert.equal(items(first).length, 1);
    const second = await as(owner, 'GET', `/brands?limit=1&cursor=${String(first.body['nextCursor'])}`);
    assert.deepEqual([String(items(second)[0]?.['name']), second.body['nextCursor']], ['Renamed', null]);
    assert.equal((await as(owner, 'DELETE', `/brands/${id}`)).status, 204);
    assert.equal((await as(owner, 'DELETE', `/brands/${id}`)).status, 204);
    assert.deepEqual(code(await as(owner, 'DELETE', `/brands/${String(items(first)[0]?.['id'])}`)), [
      409,
      'default_brand',
    ]);
  });

  test("another tenant's resources answer like ones that do not exist", async () => {
    const stranger = await world.signUp('stranger@example.com', 'Stranger');
    const brand = String(items(await as(owner, 'GET', '/brands'))[0]?.['id']);
    const [theirs, missing] = await Promise.all([
      as(stranger.token, 'PATCH', `/brands/${brand}`, { name: 'x' }, stranger.tenant),
      as(stranger.token, 'PATCH', '/brands/01900000-0000-7000-8000-000000000000', { name: 'x' }, stranger.tenant),
    ]);
    assert.deepEqual([code(theirs), theirs.body['detail']], [code(missing), missing.body['detail']]);
    const [member, nobody] = await Promise.all([
      as(stranger.token, 'GET', '/organization'),
      as(stranger.token, 'GET', '/organization', undefined, '01900000-0000-7000-8000-000000000000'),
    ]);
    assert.deepEqual([code(member), member.body['detail']], [code(nobody), nobody.body['detail']]);
  });

  test('what a role forbids is refused and stands in the audit log, by route and code', async () => {
    const viewer = await join('denied@example.com', 'viewer');
    assert.deepEqual(code(await as(viewer.token, 'PATCH', '/organization', { name: 'Mine' })), [
      403,
      'insufficient_role',
    ]);
    const { body } = await world.call(
      `${world.server.addresses.accounting}/api/audit/events?type=tools.call.denied&limit=1`,
      { token: owner, tenant },
    );
    const [denied] = items({ status: 200, headers: new Headers(), body });
    assert.deepEqual(denied?.['payload'], {
      tool: 'PATCH /api/organization',
      code: 'insufficient_role',
      surface: 'rest',
    });
    assert.equal(String(denied?.['principal_chain']?.['0']?.['principal_id']), viewer.id);
  });

  test('every change stands in the audit log with who made it', async () => {
    const { body } = await world.call(`${world.server.addresses.accounting}/api/audit/events?limit=500`, {
      token: owner,
      tenant,
    });
    const events = body['items'] as unknown as { type: string; display_names?: unknown }[];
    const types = new Set(events.map(({ type }) => type));
    for (const type of [
      'invitation.sent',
      'invitation.accepted',
      'member.added',
      'member.role_changed',
      'member.removed',
      'agent_grant.granted',
      'agent_grant.revoked',
      'tool_policy.changed',
      'brand.created',
      'brand.renamed',
      'brand.archived',
    ]) {
      assert.ok(types.has(`portal.${type}`), type);
    }
    // Names are looked up while they are read; without one of their own, people are called by their address here.
    const kept = events.map(({ display_names: _names, ...event }) => event);
    assert.doesNotMatch(JSON.stringify(kept), /@example\.com/, 'events carry ids and no addresses');
  });

  test('bad input is a 400 that points at the fault', async () => {
    for (const [method, path, body, pointer] of [
      ['PATCH', '/organization', { nmae: 'x' }, '/nmae'],
      ['PATCH', '/organization', { name: 7 }, '/name'],
      ['POST', '/invitations', { email: 'no', role: 'viewer' }, '/email'],
      ['POST', '/invitations', { email: 'a@example.com', role: 'king' }, '/role'],
      ['GET', '/brands?limit=0', undefined, '?limit'],
      ['GET', '/brands?limit=201', undefined, '?limit'],
      ['GET', '/brands?limit=abc', undefined, '?limit'],
      ['GET', '/brands?cursor=1', undefined, '?cursor'],
      ['GET', '/brands?lmit=1', undefined, '?lmit'],
      ['PATCH', '/brands/not-a-uuid', { name: 'x' }, '{brandId}'],
      ['POST', '/agent-grants', { agentId: '' }, '/agentId'],
      ['POST', '/agent-grants', { agentId: 'a', tools: ['service_list_accounts', 'service_no_such'] }, '/tools/1'],
    ] as const) {
      const answer = await as(deciding, method, path, body);
      assert.deepEqual(code(answer), [400, 'invalid_request'], `${method} ${path} ${JSON.stringify(answer.body)}`);
      assert.equal((answer.body['errors'] as unknown as { pointer: string }[])[0]?.pointer, pointer, path);
    }
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await holds()) return;
    await sleep(50);
  }
  assert.fail('it did not come to hold');
}
