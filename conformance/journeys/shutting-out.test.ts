import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { createWorld, signed, type Answer, type Json, toolPaths, type World } from '../world/index.ts';

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];
const code = ({ body }: Answer): string => String(body['code'] ?? 'none');

/** An organization of its own: its owner with a login that decides, one that does not, and whoever else comes. */
interface Organization {
  readonly tenant: string;
  readonly owner: string;
  readonly plain: string;
  readonly decides: string;
  portal(token: string, method: string, path: string, body?: unknown): Promise<Answer>;
  tool(token: string, name: string, args: object): Promise<Json>;
  agent(id: string): Promise<string>;
  /** Has an agent of the owner propose it, and the owner approve it. */
  through(agent: string, name: string, args: object): Promise<Json>;
  /** Has the agent propose to invite somebody, who accepts; answers a login of theirs that decides nothing, and one that decides. */
  bring(agent: string, email: string): Promise<readonly [plain: string, decides: string]>;
  /** Has somebody invite another, who accepts. */
  invite(token: string, email: string, role?: string): Promise<readonly [plain: string, decides: string]>;
  idOf(email: string): Promise<string>;
  suspended(): Promise<string[]>;
}

describe('shutting out a client', () => {
  let world: World;
  let admin: SqlPool;
  before(async () => {
    world = await createWorld();
    admin = openPool({ url: world.db.adminUrl, size: 1 });
  });
  after(async () => {
    await admin.close();
    await world[Symbol.asyncDispose]();
  });

  let organizations = 0;
  let foretold = 0;
  const openOrganization = async (): Promise<Organization> => {
    organizations += 1;
    const owner = `owner-${organizations}@example.com`;
    const { tenant, token: plain } = await world.signUp(owner, `Organization ${organizations}`);
    const decides = await world.token({ user: owner, approver: true });
    const ask: Organization['portal'] = async (token, method, path, body) =>
      world.call(`${world.server.addresses.portal}/api${path}`, {
        token,
        tenant,
        method,
        ...(body === undefined ? {} : { body }),
      });
    const suspensions = async (token: string, path: string): Promise<string[]> =>
      list((await ask(token, 'GET', path)).body['items'])
        .map(({ kind, id, email }) => `${String(kind)} ${String(id)} ${String(email)}`)
        .toSorted();
    const portal: Organization['portal'] = async (token, method, path, body) => {
      if (method !== 'DELETE' || !path.startsWith('/agent-grants/')) return ask(token, method, path, body);
      // What is told in advance is what is suspended then, whoever asks.
      const before = new Set(await suspensions(token, '/suspensions'));
      const told = await suspensions(token, `${path.replace(/\?.*$/, '')}/suspensions`);
      const answer = await ask(token, method, path, body);
      const now = (await suspensions(token, '/suspensions')).filter((one) => !before.has(one));
      if (answer.status === 204) {
        assert.deepEqual(told, now, path);
        foretold += now.length;
      }
      return answer;
    };
    const tool: Organization['tool'] = async (token, name, args) => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const { body } = await world.call(`${world.server.addresses.mcp}/p/portal`, { token, tenant, body: call });
      return body['result']?.['structuredContent'] ?? body;
    };
    const agent: Organization['agent'] = async (id) =>
      signed(world, await world.token({ user: owner, agent: 'x' }), { act: { sub: id } });
    const approve = async (id: unknown): Promise<Json> => {
      const { body } = await portal(decides, 'GET', `/pending-actions/${String(id)}`);
      const done = await portal(decides, 'POST', `/pending-actions/${String(id)}/approve`, {
        previewHash: body['previewHash'],
      });
      assert.equal(String(done.body['state']), 'executed', JSON.stringify(done.body));
      return done.body;
    };
    const accept = async (email: string, secret: unknown): Promise<readonly [string, string]> => {
      const token = await world.token({ user: email });
      const url = `${world.server.addresses.portal}/api/invitations/accept`;
      assert.equal(code(await world.call(url, { token, body: { secret } })), 'none');
      return [token, await world.token({ user: email, approver: true })];
    };
    const through: Organization['through'] = async (id, name, args) => {
      const asked = await tool(await agent(id), name, args);
      assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
      return approve(asked['pending_action_id']);
    };
    return {
      tenant,
      owner,
      plain,
      decides,
      portal,
      tool,
      agent,
      through,
      bring: async (id, email) => {
        const done = await through(id, 'service_invite_member', { email, role: 'admin' });
        const invitation = String(done['result']?.['data']?.['invitation_id']);
        const { body } = await portal(decides, 'POST', `/invitations/${invitation}/secret`);
        return accept(email, body['secret']);
      },
      invite: async (token, email, role = 'admin') => {
        const { status, body } = await portal(token, 'POST', '/invitations', { email, role });
        assert.equal(status, 201, JSON.stringify(body));
        return accept(email, body['secret']);
      },
      idOf: async (email) => {
        const { body } = await portal(decides, 'GET', '/members?limit=200');
        return String(list(body['items']).find((one) => String(one['email']) === email)?.['principalId']);
      },
      suspended: async () => {
        const { body } = await portal(decides, 'GET', '/suspensions');
        return list(body['items'])
          .map(({ kind, email, id }) => `${String(kind)} ${String(email ?? id)}`)
          .toSorted();
      },
    };
  };

  test('never suspends along a client that people decide with, though its grant was made through the one that is shut out', async () => {
    const { portal, decides, plain, invite, through, suspended } = await openOrganization();
    const [mallory, malloryDecides] = await invite(decides, 'mallory@example.com');
    const wish = { tool: 'service_grant_agent', arguments: { agent_id: 'steward-console' } };
    const { body: asked } = await portal(mallory, 'POST', '/pending-actions', wish);
    const approved = await portal(malloryDecides, 'POST', `/pending-actions/${String(asked['id'])}/approve`, {
      previewHash: asked['previewHash'],
    });
    assert.equal(String(approved.body['state']), 'executed', JSON.stringify(approved.body));
    assert.equal(code(await portal(mallory, 'DELETE', '/agent-grants/steward-cli')), 'none');
    assert.equal(code(await portal(decides, 'GET', '/members')), 'none', 'the owner still decides');
    assert.equal(code(await portal(plain, 'GET', '/members')), 'tenant_forbidden');
    assert.deepEqual(await suspended(), []);
    await invite(decides, 'honest@example.com');
    // The same by descent: an agent's grant was made through another, and that of the console through the agent.
    await through('outer', 'service_grant_agent', { agent_id: 'inner' });
    const tiers = ['read', 'write', 'approval'];
    await through('inner', 'service_grant_agent', { agent_id: 'steward-console', tiers });
    await through('inner', 'service_grant_agent', { agent_id: 'steward-console' });
    assert.equal(code(await portal(decides, 'DELETE', '/agent-grants/outer')), 'none');
    assert.equal(code(await portal(decides, 'GET', '/members')), 'none');
    assert.deepEqual(await suspended(), ['grant inner']);
  });

  test('finds what was made through it, though somebody repeats or narrows the grant with another client', async () => {
    const { portal, decides, plain, through, suspended } = await openOrganization();
    await through('evil', 'service_grant_agent', { agent_id: 'sleeper', tiers: ['read', 'write'] });
    for (const tiers of [['read', 'write'], ['read']]) {
      const again = await portal(plain, 'POST', '/agent-grants', { agentId: 'sleeper', tiers });
      assert.deepEqual([again.status, String(again.body['createdThrough'])], [201, 'evil']);
    }
    // Nor is an innocent grant moved to the client that narrows it.
    const fine = { agentId: 'fine', tiers: ['read', 'write'] };
    const { body: granted } = await portal(decides, 'POST', '/agent-grants', fine);
    const { body: narrowed } = await portal(plain, 'POST', '/agent-grants', { ...fine, tiers: ['read'] });
    const originOf = ({ createdThrough, grantedBy, grantedAt }: Json): unknown[] => [
      createdThrough,
      grantedBy,
      grantedAt,
    ];
    assert.deepEqual(originOf(narrowed), originOf(granted));
    // Whoever lets it do more decides, and answers for it from then on.
    const { body: widened } = await portal(decides, 'POST', '/agent-grants', { agentId: 'fine' });
    assert.equal(String(widened['createdThrough']), 'steward-console');
    assert.equal(code(await portal(decides, 'DELETE', '/agent-grants/evil')), 'none');
    assert.deepEqual(await suspended(), ['grant sleeper']);
  });

  test('takes every name that a token may bring, and so does whatever else names an agent, machine or member', async () => {
    const { portal, decides, tool, agent, through, suspended, tenant, plain } = await openOrganization();
    // A claim has 255 characters at most, and an issuer's prefix 32.
    const longest = `https://agent.example/${'a'.repeat(233)}`;
    assert.equal(longest.length, 255);
    const acts = await agent(longest);
    assert.equal(String((await tool(acts, 'service_list_brands', {}))['status']), 'ok');
    const narrow = await portal(decides, 'POST', '/agent-grants', { agentId: longest, tools: ['service_list_brands'] });
    assert.deepEqual([narrow.status, String(narrow.body['agentId'])], [201, longest]);
    await through(longest, 'service_grant_agent', { agent_id: `${longest.slice(0, -1)}b` }).then(
      () => assert.fail('it is narrowed'),
      () => undefined,
    );
    assert.equal(code(await portal(decides, 'POST', '/agent-grants', { agentId: longest })), 'none');
    await through(longest, 'service_grant_agent', { agent_id: `${longest.slice(0, -1)}b` });
    await through(longest, 'service_add_machine', { client_id: longest, role: 'viewer' });
    const path = encodeURIComponent(longest);
    assert.equal((await portal(decides, 'PATCH', `/members/service/${path}`, { role: 'developer' })).status, 200);
    const pages: Json[] = [];
    for (let cursor: unknown = null, tries = 0; tries < 5 && (tries === 0 || cursor !== null); tries += 1) {
      const at = cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
      const { body } = await portal(decides, 'GET', `/agent-grants?limit=1${at}`);
      pages.push(...list(body['items']));
      cursor = body['nextCursor'];
    }
    assert.equal(pages.length, 2);
    assert.equal(code(await portal(decides, 'DELETE', `/agent-grants/${path}`)), 'none');
    assert.equal(String((await tool(acts, 'service_list_brands', {}))['error']?.['code']), '-32602');
    assert.deepEqual(await suspended(), [`grant ${longest.slice(0, -1)}b`, `member service:${longest}`]);
    const id = `service:${longest}`;
    assert.equal(code(await portal(decides, 'POST', '/suspensions/restore', { kind: 'member', id })), 'none');
    assert.equal((await portal(decides, 'DELETE', `/members/service/${path}`)).status, 200);
    assert.deepEqual(await tooShort(tenant, plain), []);
  });

  test('is refused to whoever came through it while somebody else could, and done again finds what was left', async () => {
    const { tenant, portal, decides, plain, bring, invite, idOf, suspended } = await openOrganization();
    const [mal, malDecides] = await bring('evil', 'mal@example.com');
    const [deep, deepDecides] = await invite(malDecides, 'deep@example.com');
    for (const token of [mal, malDecides, deep, deepDecides])
      assert.equal(code(await portal(token, 'DELETE', '/agent-grants/evil')), 'own_origin');
    assert.equal(code(await portal(decides, 'DELETE', '/agent-grants/evil')), 'none');
    const both = ['member deep@example.com', 'member mal@example.com'];
    assert.deepEqual(await suspended(), both);
    const restored = { kind: 'member', id: `user:${await idOf('deep@example.com')}` };
    assert.equal(code(await portal(decides, 'POST', '/suspensions/restore', restored)), 'none');
    // Whoever restored it answers for it; somebody who was left in standing is found by doing it again.
    assert.equal(code(await portal(plain, 'DELETE', '/agent-grants/evil')), 'none');
    assert.deepEqual(await suspended(), ['member mal@example.com']);
    assert.equal(code(await portal(deepDecides, 'GET', '/organization')), 'none');
    await admin.query(sql`set session_replication_role = replica`);
    const left = await admin.query(
      sql`update identity.member set suspended_at = null where tenant_id = ${tenant}::uuid and created_through = 'evil' returning role`,
    );
    assert.equal(left.length, 1);
    assert.equal(code(await portal(plain, 'DELETE', '/agent-grants/evil')), 'client_not_approver');
    assert.equal(code(await portal(decides, 'DELETE', '/agent-grants/evil')), 'none');
    assert.deepEqual(await suspended(), ['member mal@example.com']);
  });

  test('can be done by whoever came through it where nobody else is left who could', async () => {
    const { portal, decides, owner, through, bring, invite, idOf } = await openOrganization();
    const [, heir] = await bring('helper', 'heir@example.com');
    await through('helper', 'service_invite_member', { email: 'open@example.com', role: 'viewer' });
    await invite(heir, 'colleague@example.com');
    const heirId = await idOf('heir@example.com');
    assert.equal(code(await portal(decides, 'PATCH', `/members/user/${heirId}`, { role: 'owner' })), 'none');
    assert.equal(code(await portal(heir, 'DELETE', '/agent-grants/helper')), 'own_origin');
    assert.equal((await portal(decides, 'DELETE', `/members/user/${await idOf(owner)}`)).status, 200);
    assert.equal(code(await portal(heir, 'DELETE', '/agent-grants/helper')), 'none');
    const { body } = await portal(heir, 'GET', '/suspensions');
    assert.deepEqual(
      list(body['items']).map(({ kind, email }) => `${String(kind)} ${String(email)}`),
      ['invitation open@example.com'],
    );
  });

  test('finds whom somebody brought who is no member any more', async () => {
    const { portal, decides, bring, invite, idOf, suspended } = await openOrganization();
    const [, mid] = await bring('evil', 'mid@example.com');
    const [, deep] = await invite(mid, 'below@example.com');
    const grant = await portal(mid, 'POST', '/agent-grants', { agentId: 'accomplice' });
    assert.equal(grant.status, 201);
    const open = await portal(mid, 'POST', '/invitations', { email: 'still-open@example.com', role: 'viewer' });
    assert.equal(open.status, 201);
    const gone = `/members/user/${await idOf('mid@example.com')}`;
    assert.equal((await portal(mid, 'DELETE', gone)).status, 200);
    assert.equal(code(await portal(decides, 'DELETE', '/agent-grants/evil')), 'none');
    assert.deepEqual(await suspended(), [
      'grant accomplice',
      'invitation still-open@example.com',
      'member below@example.com',
    ]);
    assert.equal(code(await portal(deep, 'GET', '/organization')), 'tenant_forbidden');
  });

  test('suspends whom it gave another role, until a person restores them', async () => {
    const { portal, decides, plain, through, invite, idOf, suspended } = await openOrganization();
    const [, low] = await invite(decides, 'low@example.com', 'viewer');
    await through('evil', 'service_change_member_role', { member: 'low@example.com', role: 'admin' });
    assert.equal(code(await portal(plain, 'DELETE', '/agent-grants/evil')), 'client_not_approver');
    assert.equal(code(await portal(decides, 'DELETE', '/agent-grants/evil')), 'none');
    assert.deepEqual(await suspended(), ['member low@example.com']);
    const { body } = await portal(decides, 'GET', '/suspensions');
    assert.deepEqual(
      list(body['items']).map(({ roleThrough }) => String(roleThrough)),
      ['evil'],
    );
    assert.equal(code(await portal(low, 'GET', '/organization')), 'tenant_forbidden');
    const id = `user:${await idOf('low@example.com')}`;
    assert.equal(code(await portal(decides, 'POST', '/suspensions/restore', { kind: 'member', id })), 'none');
    assert.equal(code(await portal(low, 'GET', '/organization')), 'none');
  });

  test('tells a machine from a person of the same id', async () => {
    const { portal, decides, owner, through, invite, idOf, suspended } = await openOrganization();
    await invite(decides, 'guest@example.com');
    const ownerId = await idOf(owner);
    await through('evil', 'service_add_machine', { client_id: ownerId, role: 'viewer' });
    assert.equal(code(await portal(decides, 'DELETE', '/agent-grants/evil')), 'none');
    assert.deepEqual(await suspended(), [`member service:${ownerId}`]);
  });

  test('before it comes takes deciding, for as many names as grants have room', async () => {
    const { tenant, portal, decides, plain, tool, agent } = await openOrganization();
    for (const name of ['to-come', 'steward-console-2'])
      assert.equal(code(await portal(plain, 'DELETE', `/agent-grants/${name}?ahead=true`)), 'client_not_approver');
    assert.equal(code(await portal(decides, 'DELETE', '/agent-grants/to-come?ahead=true')), 'none');
    await tool(await agent('came'), 'service_list_brands', {});
    await admin.query(sql`set session_replication_role = replica`);
    await admin.query(sql`
      insert into portal.agent_grant (tenant_id, agent_id, granted_by) select ${tenant}::uuid, 'filler-' || n, 'x' from generate_series(1, 999) n`);
    assert.equal(code(await portal(decides, 'DELETE', '/agent-grants/one-more?ahead=true')), 'grant_limit');
    assert.equal(code(await portal(decides, 'POST', '/agent-grants', { agentId: 'one-more' })), 'grant_limit');
    assert.equal(code(await portal(decides, 'POST', '/agent-grants', { agentId: 'filler-1', tools: [] })), 'none');
    assert.equal(
      code(await portal(plain, 'DELETE', '/agent-grants/came')),
      'none',
      'whoever came is shut out in any case',
    );
  });

  test('knows the newest clients that came; that one came is noted beside what it came for', async () => {
    const { tenant, portal, plain, tool, agent } = await openOrganization();
    await admin.query(sql`
      insert into portal.client_seen (tenant_id, agent_id, first_seen_at)
      select ${tenant}::uuid, 'old-' || n, now() - make_interval(days => n) from generate_series(1, 1000) n`);
    assert.equal(String((await tool(await agent('newest'), 'service_list_brands', {}))['status']), 'ok');
    assert.equal(code(await portal(plain, 'DELETE', '/agent-grants/newest')), 'none');
    assert.equal(code(await portal(plain, 'DELETE', '/agent-grants/old-1')), 'none');
    assert.equal(code(await portal(plain, 'DELETE', '/agent-grants/old-1000')), 'unknown_client');
    const kept = await admin.query(sql`select from portal.client_seen where tenant_id = ${tenant}::uuid`);
    assert.equal(kept.length, 1000);
    await admin.query(sql`alter table portal.client_seen add constraint noted check (agent_id <> 'not-noted')`);
    assert.equal(String((await tool(await agent('not-noted'), 'service_list_brands', {}))['status']), 'ok');
  });

  test('suspends what it was told beforehand that it would suspend, in all of these', () =>
    assert.ok(foretold >= 10, `${foretold}`));

  /** What names an agent, a client, a machine or a member in the schemas of REST and tools, and takes less than a token may bring. */
  async function tooShort(tenant: string, token: string): Promise<string[]> {
    const naming = /^(?:agent_?id|client_?id|principal_?id|member)$/i;
    const short: string[] = [];
    let named = 0;
    const walk = (at: string, key: unknown, node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { maxLength, name } = node as { maxLength?: number; name?: unknown };
      if (typeof key === 'string' && naming.test(key) && maxLength !== undefined) {
        named += 1;
        if (maxLength < 287) short.push(`${at}: ${maxLength}`);
      }
      for (const [field, value] of Object.entries(node))
        walk(`${at}/${field}`, field === 'schema' ? name : field, value);
    };
    walk('rest', '', JSON.parse(await readFile(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')));
    for (const path of toolPaths) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      const answer = await world.call(`${world.server.addresses.mcp}/p/${path}`, { token, tenant, body });
      for (const { name, inputSchema } of list(answer.body['result']?.['tools'])) walk(String(name), '', inputSchema);
    }
    assert.ok(named >= 8, `${named}`);
    return short;
  }
});
