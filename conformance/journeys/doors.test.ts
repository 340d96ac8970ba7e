import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { newId } from '@steward/kernel';
import {
  createWorld,
  inTurns,
  outputOf,
  waysIn,
  type Answer,
  type Json,
  type Way,
  toolPaths,
  type World,
} from '../world/index.ts';

describe('every door binds an agent alike', () => {
  let world: World;
  let tenant: string;
  let owner: string;
  let approver: string;
  let ways: readonly Way[];
  const user = 'owner@example.com';
  const agentOf = async (agent: string, scope?: string): Promise<string> =>
    world.token({ user, agent, ...(scope === undefined ? {} : { scope }) });

  before(async () => {
    world = await createWorld();
    ({ tenant, token: owner } = await world.signUp(user));
    approver = await world.token({ user, approver: true });
    ways = await waysIn(world, owner, tenant);
    assert.ok(ways.filter(({ changes }) => changes).length > 60, 'they were found');
  });
  after(async () => world[Symbol.asyncDispose]());

  const post = async (token: string, query: string): Promise<Answer> =>
    world.call(`${world.server.addresses.accounting}/graphql`, { token, tenant, body: { query } });

  /** The code of each way that `pick` names, for whoever holds the token. */
  const codes = async (token: string, pick: (way: Way) => boolean): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const way of ways.filter(pick)) found[way.name] = code(await way.go(token));
    return found;
  };
  const some = inTurns(process.env['LONG_RUNS'] !== undefined);
  /** Finds what its caller may list, of any kind, so that nothing but being let in is asked for. */
  const search = 'GET /portal/api/search';
  /** As `codes`, of a part of the ways, which is another one each time, for what other callers ask of the other ways. */
  const codesOfSome = async (token: string, pick: (way: Way) => boolean): Promise<Record<string, string>> => {
    const part = new Set(some(ways.filter((way) => way.name !== search && pick(way))));
    return codes(token, (way) => part.has(way));
  };
  const only = (found: Record<string, string>, ...allowed: readonly string[]): void =>
    assert.deepEqual(
      Object.entries(found).filter(([, one]) => !allowed.includes(one)),
      [],
    );
  const setToolPolicy = async (change: object): Promise<void> => {
    const url = `${world.server.addresses.portal}/api/tool-policy`;
    const { body } = await world.call(url, { token: approver, tenant });
    const put = await world.call(url, { token: approver, tenant, method: 'PUT', body: { ...body, ...change } });
    assert.equal(put.status, 200, JSON.stringify(put.body));
  };
  const setApprovalPolicy = async (names: readonly string[]): Promise<void> => {
    const url = `${world.server.addresses.portal}/api/approval-policy`;
    const { body } = await world.call(url, { token: approver, tenant });
    const tools = Object.fromEntries(names.map((name) => [name, { tier: 'approval' }]));
    const put = await world.call(url, { token: approver, tenant, method: 'PUT', body: { ...body, tools } });
    assert.equal(put.status, 200, JSON.stringify(put.body));
  };
  /** What the tool endpoint says of a tool, over the official client: its status, or the code of the protocol. */
  const overTools = async (token: string, name: string, args: Record<string, unknown>): Promise<string> => {
    await using client = await connected(token);
    try {
      const { structuredContent } = await client.client.callTool({ name, arguments: args });
      return String((structuredContent as Json)['status']);
    } catch (error) {
      return String((error as { code?: number }).code);
    }
  };
  /** What a tool says, or the answer says of it. */
  const toldByTool = async (token: string, name: string): Promise<string> => {
    await using client = await connected(token);
    try {
      const { structuredContent } = await client.client.callTool({ name, arguments: {} });
      return String((structuredContent as Json)['summary']);
    } catch (error) {
      return (error as Error).message.replace(/^MCP error -32602: /, '');
    }
  };
  const connected = async (token: string) => {
    const client = new Client({ name: 'doors', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${world.server.addresses.mcp}/t/${tenant}`), { requestInit }),
    );
    return { client, [Symbol.asyncDispose]: async () => client.close() };
  };
  const createSite = async (token: string): Promise<Answer> =>
    world.call(`${world.server.addresses.studio}/api/sites`, { token, tenant, body: { name: 'A site' } });
  const createParty = async (token: string): Promise<Answer> =>
    post(token, 'mutation { createParty(input: { name: "A party" }) { id } }');

  test('whoever is no member of the tenant gets nothing of it by any of them, not the heading of a file either', async () => {
    const stranger = { user: 'stranger@example.com' };
    for (const token of [await world.token(stranger), await world.token({ ...stranger, agent: 'assistant' })]) {
      const found = await codes(token, () => true);
      assert.deepEqual(
        Object.keys(found).filter((name) => found[name] === 'none'),
        [],
      );
      const files = Object.entries(found).filter(([name]) => name.endsWith('.csv'));
      assert.ok(files.length > 15, 'they were found');
      only(Object.fromEntries(files), 'tenant_forbidden');
    }
  });

  test('a route that does what a tool does lets in the agent that has the tool', async () => {
    const found = await codes(await agentOf('assistant'), ({ tool }) => tool !== undefined);
    assert.ok(Object.keys(found).length > 50, 'they were found');
    assert.deepEqual(
      Object.entries(found).filter(([, one]) => ['not_human', 'tool_denied'].includes(one)),
      [],
    );
    assert.equal(found['GET /portal/api/brands'], 'none');
    assert.notEqual(found['PATCH /portal/api/organization'], 'approval_required');
  });

  test('a token that only reads changes nothing, by any of them', async () => {
    const reader = await agentOf('reader', 'mcp:read');
    only(await codesOfSome(reader, ({ changes }) => changes), 'insufficient_scope', 'not_human');
    assert.equal(await overTools(reader, 'service_create_site', { name: 'A site' }), '-32602');
    assert.equal(code(await createSite(await agentOf('writer'))), 'none');
    const { status, headers } = await createSite(reader);
    assert.deepEqual(
      [status, headers.get('www-authenticate')],
      [403, 'Bearer error="insufficient_scope", scope="mcp:write"'],
    );
  });

  test('nor does one read that only writes, or that has none of the scopes, or those of another pillar', async () => {
    const writer = await agentOf('writer', 'mcp:write');
    only(await codesOfSome(writer, ({ changes }) => !changes), 'insufficient_scope', 'not_human');
    const nothing = await agentOf('nobody', 'openid');
    only(await codesOfSome(nothing, () => true), 'insufficient_scope', 'not_human');
    const contacts = await agentOf('contacts', 'mcp:read mcp:write mcp:crm');
    const elsewhere = await codesOfSome(contacts, ({ name }) => !/contact|pending-actions/.test(name));
    only(elsewhere, 'insufficient_scope', 'not_human');
    const own = await codes(contacts, ({ tool }) => tool === 'service_search_contacts');
    assert.deepEqual(Object.values(own), ['none', 'none']);
  });

  test('a person, with a token that names no scopes of tools, is not held to what binds agents', async () => {
    const person = await world.token({ user, scope: 'openid' });
    await setToolPolicy({ deniedTools: ['service_create_site', 'service_list_sites'], agentsNeedGrant: true });
    assert.equal(code(await createSite(person)), 'none');
    assert.equal(code(await createParty(person)), 'none');
    assert.equal(
      code(await world.call(`${world.server.addresses.studio}/api/sites`, { token: person, tenant })),
      'none',
    );
    await setToolPolicy({ deniedTools: [], agentsNeedGrant: false });
  });

  test('a person’s token that names scopes of tools is held to them, also where only people act', async () => {
    const token = async (scope: string): Promise<string> => world.token({ user, scope });
    const reader = await token('openid mcp:read');
    only(await codesOfSome(reader, ({ changes }) => changes), 'insufficient_scope');
    const ofStudio = { user, scope: 'openid mcp:read', audiences: [world.server.addresses.studio] };
    assert.equal(code(await createSite(await world.token(ofStudio))), 'insufficient_scope');
    const sites = `${world.server.addresses.studio}/api/sites`;
    assert.equal(code(await world.call(sites, { token: reader, tenant })), 'none');
    const members = `${world.server.addresses.portal}/api/members`;
    assert.equal(code(await world.call(members, { token: reader, tenant })), 'none');
    const writer = await token('openid mcp:write');
    only(await codesOfSome(writer, ({ changes }) => !changes), 'insufficient_scope');
    assert.equal(code(await createSite(writer)), 'none');
    const contacts = await token('openid mcp:read mcp:write mcp:crm');
    only(await codesOfSome(contacts, ({ name }) => !/contact|pending-actions/.test(name)), 'insufficient_scope');
    assert.equal(code(await world.call(members, { token: contacts, tenant })), 'insufficient_scope');
  });

  test('a tool that the policy switched off is off over REST, GraphQL and MCP, and back on again', async () => {
    const agent = await agentOf('assistant');
    const verdicts = async (): Promise<string[]> => [
      code(await createSite(agent)),
      code(await createParty(agent)),
      await overTools(agent, 'service_create_site', { name: 'A site' }),
      await overTools(agent, 'service_create_party', { name: 'A party' }),
    ];
    assert.deepEqual(await verdicts(), ['none', 'none', 'ok', 'ok']);
    await setToolPolicy({ deniedTools: ['service_create_site', 'service_create_party'] });
    assert.deepEqual(await verdicts(), ['tool_denied', 'tool_denied', '-32602', '-32602']);
    await setToolPolicy({ deniedTools: [...new Set(ways.flatMap(({ tool }) => (tool === undefined ? [] : [tool])))] });
    only(await codesOfSome(agent, ({ tool }) => tool !== undefined), 'tool_denied', 'not_human');
    await setToolPolicy({ deniedTools: [] });
    assert.deepEqual(await verdicts(), ['none', 'none', 'ok', 'ok']);
  });

  test('what a tool shows that is switched off is not shown beneath what another shows', async () => {
    const agent = await agentOf('assistant');
    const made = await createParty(agent);
    const line = '{ description: "x", unitPrice: "1.00", account: "4000" }';
    const drafted = await post(
      agent,
      `mutation { createDocument(kind: invoice, input: { partyId: "${String(made.body['data']?.['createParty']?.['id'])}", issueDate: "2026-03-02", lines: [${line}] }) { id } }`,
    );
    assert.equal(code(drafted), 'none', JSON.stringify(drafted.body));
    await setToolPolicy({ deniedTools: ['service_get_party'] });
    const query = '{ documents { items { partyName party { email } } } }';
    const shown = await post(agent, query);
    assert.deepEqual(shown.body['data']?.['documents']?.['items'], [{ partyName: 'A party', party: null }]);
    assert.equal(code(shown), 'tool_denied');
    assert.equal(code(await post(owner, query)), 'none');
    await setToolPolicy({ deniedTools: ['service_create_invoice'] });
    const again = await post(
      agent,
      `mutation { createDocument(kind: credit_note, input: { partyId: "${newId()}", issueDate: "2026-03-02", lines: [${line}] }) { id } }`,
    );
    assert.equal(code(again), 'tool_denied');
    await setToolPolicy({ deniedTools: [] });
  });

  test('where agents need a grant, one without is shut out of all of them, and a grant opens what it names', async () => {
    const agent = await agentOf('newcomer');
    await setToolPolicy({ agentsNeedGrant: true });
    only(await codes(agent, () => true), 'tenant_forbidden', 'not_human');
    assert.equal(await overTools(agent, 'service_list_sites', {}), '-32602');
    const tools = ['service_list_sites', 'service_create_party'];
    const grants = `${world.server.addresses.portal}/api/agent-grants`;
    assert.equal(
      (await world.call(grants, { token: approver, tenant, body: { agentId: 'newcomer', tools } })).status,
      201,
    );
    assert.equal(code(await createParty(agent)), 'none');
    assert.equal(code(await createSite(agent)), 'tool_denied');
    const open = await codes(agent, ({ tool }) => tool === 'service_list_sites');
    assert.deepEqual(open, { 'GET /studio/api/sites': 'none' });
    only(
      await codesOfSome(agent, ({ name, tool }) => !tools.includes(tool ?? '') && name !== 'Mutation.createParty'),
      'tool_denied',
      'not_human',
    );
    await world.call(`${grants}/newcomer`, { token: owner, tenant, method: 'DELETE' });
    only(await codesOfSome(agent, () => true), 'tenant_forbidden', 'not_human');
    await setToolPolicy({ agentsNeedGrant: false });
  });

  test('a billing tier that only reads holds people and agents alike, tells both why, and is heeded by a running server', async () => {
    const agent = await agentOf('assistant');
    const manifest = async (path: string): Promise<Json[]> =>
      list((await world.call(`${world.server.addresses.mcp}${path}/manifest`, { token: agent, tenant })).body['tools']);
    const paths = toolPaths.map((path) => `/p/${path}`);
    const tools = (await Promise.all(['', ...paths].map(manifest))).flat();
    const writing = new Set(
      tools.filter(({ requires }) => String(requires?.['entitlement']) === 'write').map(({ name }) => String(name)),
    );
    assert.ok(writing.size > 40, `${writing.size}`);
    const whoami = async (): Promise<Json> => {
      await using client = await connected(agent);
      return (await client.client.callTool({ name: 'service_whoami', arguments: {} })).structuredContent as Json;
    };
    const unknown = async (name: string): Promise<string> => {
      await using client = await connected(agent);
      return await client.client.callTool({ name, arguments: {} }).then(() => '', String);
    };
    assert.equal((await whoami())['warning'], undefined);
    const tier = async (name: string): Promise<unknown> =>
      outputOf(world.command(['tenant', 'tier', '--tenant', tenant, '--tier', name]));
    const until = async (token: string, wanted: string): Promise<void> => {
      for (let tries = 0; tries < 50 && code(await createSite(token)) !== wanted; tries += 1) await sleep(50);
      assert.equal(code(await createSite(token)), wanted);
    };
    await tier('free');
    for (const token of [agent, owner, approver]) {
      await until(token, 'not_entitled');
      const found = await codesOfSome(token, (way) => way.changes && writing.has(way.tool ?? ''));
      assert.ok(Object.keys(found).length > 15, `${Object.keys(found).length} were found`);
      only(found, 'not_entitled');
      only(await codesOfSome(token, ({ name }) => name.startsWith('Mutation.')), 'not_entitled');
      const reading = await codesOfSome(token, ({ changes }) => !changes);
      assert.deepEqual(
        Object.entries(reading).filter(([, one]) => one === 'not_entitled'),
        [],
      );
    }
    assert.match(String((await whoami())['warning']), /billing tier \(free\) does not allow changes/);
    assert.match(await unknown('service_create_site'), /billing tier or the scopes of your token exclude/);
    assert.equal(await unknown('service_create_site'), await unknown('service_no_such_tool'), 'one text for all names');
    const members = await codes(owner, ({ name, changes }) => changes && /members|invitations|tool-policy/.test(name));
    assert.deepEqual(
      Object.entries(members).filter(([, one]) => one === 'not_entitled'),
      [],
    );
    await tier('community');
    for (const token of [agent, owner, approver]) await until(token, 'none');
  });

  test('what the policy makes wait is proposed, and done by no other door; its answer says with what and where', async () => {
    const agent = await agentOf('assistant');
    const commands = await (async () => {
      await using client = await connected(agent);
      const { tools } = await client.client.listTools();
      return tools.filter(({ _meta }) => _meta?.['kind'] === 'command').map(({ name }) => name);
    })();
    const changing = [
      ...new Set(ways.filter(({ changes }) => changes).flatMap(({ tool }) => (tool === undefined ? [] : [tool]))),
    ];
    await setApprovalPolicy([...new Set([...commands, ...changing])]);
    const found = await codes(agent, ({ changes, tool }) => changes && tool !== undefined);
    only(found, 'approval_required', 'not_human');
    assert.ok(Object.values(found).filter((one) => one === 'approval_required').length > 20);
    const { body } = await createSite(agent);
    assert.deepEqual(
      [String(body['tool']), String(body['detail'])],
      [
        'service_create_site',
        `This needs a person’s approval: propose it with the tool service_create_site at ${world.server.addresses.mcp}.`,
      ],
    );
    const graph = await createParty(agent);
    assert.equal(String(list(graph.body['errors'])[0]?.['extensions']?.['tool']), 'service_create_party');
    assert.equal(await overTools(agent, 'service_create_site', { name: 'A site' }), 'pending_approval');
    assert.equal(code(await createSite(owner)), 'client_not_approver', 'a person, whose token may not decide');
    assert.equal(code(await createSite(approver)), 'none');
    const rename = async (token: string): Promise<string> =>
      code(
        await world.call(`${world.server.addresses.portal}/api/organization`, {
          token,
          tenant,
          method: 'PATCH',
          body: { name: 'Renamed' },
        }),
      );
    assert.deepEqual(
      [await rename(agent), await rename(owner), await rename(approver)],
      ['approval_required', 'client_not_approver', 'none'],
    );
    await setApprovalPolicy([]);
    assert.equal(code(await createSite(agent)), 'none');
  });

  test('a machine that is a member is held to its grant and to the scopes of tools, where its token has any', async () => {
    const members = `${world.server.addresses.portal}/api/members`;
    const body = { principalType: 'service', principalId: 'ci-bot', role: 'developer' };
    assert.equal((await world.call(members, { token: approver, tenant, body })).status, 201);
    const bot = async (scope: string): Promise<string> => world.token({ client: 'ci-bot', scope });
    assert.equal(code(await createSite(await bot('mcp:read'))), 'insufficient_scope');
    assert.equal(code(await createSite(await bot('openid'))), 'none');
    const grants = `${world.server.addresses.portal}/api/agent-grants`;
    await world.call(`${grants}/ci-bot`, { token: owner, tenant, method: 'DELETE' });
    assert.equal(code(await createSite(await bot('openid'))), 'tenant_forbidden');
  });

  test('a client that was shut out is so with a token of the person, by every door, and cannot let itself in', async () => {
    const grants = `${world.server.addresses.portal}/api/agent-grants`;
    const grant = async (token: string, terms: object = {}): Promise<string> =>
      code(await world.call(grants, { token, tenant, body: { agentId: 'steward-cli', ...terms } }));
    const revoked = await world.call(`${grants}/steward-cli`, { token: owner, tenant, method: 'DELETE' });
    assert.equal(revoked.status, 204);
    only(await codes(owner, () => true), 'tenant_forbidden');
    assert.equal(await overTools(owner, 'service_list_sites', {}), '-32602');
    for (const tool of ['service_list_sites', 'service_none'])
      assert.match(await toldByTool(owner, tool), /^This agent has no tools .*: it was shut out.*An owner/);
    assert.match(
      await toldByTool(owner, 'service_whoami'),
      /^This agent has no tools in the organization: it was shut out/,
    );
    assert.match(await toldByTool(owner, 'service_list_orgs'), /None of them lets this agent call tools/);
    assert.doesNotMatch(
      await toldByTool(approver, 'service_whoami'),
      /shut out/,
      'the same person with another client',
    );
    assert.equal(code(await post(owner, '{ __typename }')), 'tenant_forbidden', 'what is no field either');
    assert.equal(await grant(owner), 'tenant_forbidden');
    assert.equal(code(await createSite(approver)), 'none', 'the same person with another client');
    assert.equal(await grant(approver, { tiers: ['read'] }), 'none');
    assert.equal(await overTools(owner, 'service_create_site', { name: 'A site' }), '-32602');
    assert.equal(await grant(owner), 'not_human', 'not to widen what it was granted either');
    assert.equal(code(await createSite(owner)), 'tool_denied');
    assert.equal(await grant(approver), 'none');
    assert.equal(await grant(owner), 'own_client');
    assert.equal(await overTools(owner, 'service_create_site', { name: 'A site' }), 'ok');
  });

  test('an agent that may propose and change nothing proposes what others do at once, and does it by no door', async () => {
    const portal = `${world.server.addresses.portal}/api`;
    const body = { agentId: 'proposer', tiers: ['read', 'approval'] };
    assert.equal(code(await world.call(`${portal}/agent-grants`, { token: approver, tenant, body })), 'none');
    const proposer = await agentOf('proposer');
    const withdraws = 'POST /portal/api/pending-actions/{id}/withdraw';
    const { [withdraws]: withdrawn, ...found } = await codes(proposer, ({ changes }) => changes);
    assert.equal(withdrawn, 'not_found', 'what it proposed it takes back itself');
    only(found, 'approval_required', 'not_human', 'tool_denied');
    assert.ok(Object.values(found).filter((one) => one === 'approval_required').length > 20, JSON.stringify(found));
    const sites = async (): Promise<number> => {
      const { body: listed } = await world.call(`${world.server.addresses.studio}/api/sites?limit=200`, {
        token: owner,
        tenant,
      });
      return list(listed['items']).filter(({ name }) => String(name) === 'A proposed site').length;
    };
    assert.equal(await overTools(proposer, 'service_create_site', { name: 'A proposed site' }), 'pending_approval');
    assert.equal(await sites(), 0);
    const { body: listed } = await world.call(`${portal}/pending-actions?state=pending`, { token: owner, tenant });
    const first = String(list(listed['items'])[0]?.['id']);
    assert.equal(
      await overTools(proposer, 'service_withdraw_pending_action', { pending_action_id: first }),
      'ok',
      'its own, at once',
    );
    assert.equal(await overTools(proposer, 'service_create_site', { name: 'A proposed site' }), 'pending_approval');
    const url = `${portal}/pending-actions?tool=service_create_site&state=pending`;
    const [action] = list((await world.call(url, { token: owner, tenant })).body['items']);
    const { previewHash } = action ?? {};
    const approved = await world.call(`${portal}/pending-actions/${String(action?.['id'])}/approve`, {
      token: approver,
      tenant,
      body: { previewHash },
    });
    assert.equal(String(approved.body['state']), 'executed', JSON.stringify(approved.body));
    assert.equal(await sites(), 1);
  });

  test('a client that was granted something acts as that agent with a token of the person, by every door', async () => {
    const grants = `${world.server.addresses.portal}/api/agent-grants`;
    const grant = async (token: string, terms: object = {}): Promise<Answer> =>
      world.call(grants, { token, tenant, body: { agentId: 'steward-cli', ...terms } });
    assert.equal(code(await grant(approver, { tiers: ['read', 'approval'] })), 'none');
    const withdraws = 'POST /portal/api/pending-actions/{id}/withdraw';
    const { [withdraws]: withdrawn, ...found } = await codes(owner, ({ changes }) => changes);
    assert.equal(withdrawn, 'not_found', 'what it proposed it takes back itself');
    only(found, 'approval_required', 'not_human', 'tool_denied');
    assert.ok(Object.values(found).filter((one) => one === 'approval_required').length > 20, JSON.stringify(found));
    assert.equal(code(await createParty(owner)), 'approval_required');
    assert.equal(await overTools(owner, 'service_create_site', { name: 'A site' }), 'pending_approval');
    const widened = await grant(owner);
    assert.equal(code(widened), 'not_human');
    assert.match(String(widened.body['detail']), /limits the client steward-cli by a grant.*use another client/);
    assert.equal(code(await createSite(await world.token({ user, scope: 'openid mcp:read' }))), 'insufficient_scope');
    assert.equal(code(await createSite(approver)), 'none', 'the same person where people decide');
    assert.equal(code(await grant(approver, { pillars: ['crm'] })), 'none');
    const sites = `${world.server.addresses.studio}/api/sites`;
    assert.equal(code(await world.call(sites, { token: owner, tenant })), 'tool_denied', 'nor does it read more');
    assert.equal(code(await grant(approver)), 'none');
    assert.equal(code(await createSite(owner)), 'none', 'with a grant that limits nothing it is the person again');
  });

  test('a grant with the name of a client that people decide with keeps nobody from deciding', async () => {
    const portal = `${world.server.addresses.portal}/api`;
    const decided = async (terms: object): Promise<void> => {
      const body = { tool: 'service_grant_agent', arguments: { agent_id: 'steward-console', ...terms } };
      const proposed = await world.call(`${portal}/pending-actions`, { token: owner, tenant, body });
      const { id, previewHash } = proposed.body;
      const approved = await world.call(`${portal}/pending-actions/${String(id)}/approve`, {
        token: approver,
        tenant,
        body: { previewHash },
      });
      assert.equal(String(approved.body['state']), 'executed', JSON.stringify([proposed.body, approved.body]));
    };
    await decided({ tiers: ['read'] });
    assert.equal(
      await overTools(approver, 'service_create_site', { name: 'A site' }),
      '-32602',
      'it is held as an agent',
    );
    assert.equal(code(await createSite(approver)), 'none');
    await setToolPolicy({});
    await decided({});
  });

  test('a policy is tightened by any client of the person, and loosened by one that may decide', async () => {
    const url = `${world.server.addresses.portal}/api/tool-policy`;
    const put = async (token: string, change: object): Promise<string> => {
      const { body } = await world.call(url, { token, tenant });
      return code(await world.call(url, { token, tenant, method: 'PUT', body: { ...body, ...change } }));
    };
    assert.equal(await put(owner, { deniedTools: ['service_create_site'], agentsNeedGrant: true }), 'none');
    assert.equal(await put(owner, { deniedTools: ['service_list_sites'] }), 'client_not_approver');
    assert.equal(await put(owner, { agentsNeedGrant: false }), 'client_not_approver');
    assert.equal(await put(owner, { deniedTools: ['service_create_site', 'service_list_sites'] }), 'none');
    assert.equal(await put(approver, { deniedTools: [], agentsNeedGrant: false }), 'none');
  });

  test('what was refused stands in the audit log, by the name of the door', async () => {
    const reader = await agentOf('reader-of-record', 'mcp:read');
    await createSite(reader);
    await createParty(reader);
    const url = `${world.server.addresses.accounting}/api/audit/events?type=tools.call.denied&limit=2`;
    const { body } = await world.call(url, { token: owner, tenant });
    assert.deepEqual(
      list(body['items']).map(({ principal_chain, payload }) => [list(principal_chain)[1]?.['principal_id'], payload]),
      [
        ['reader-of-record', { tool: 'Mutation.createParty', code: 'insufficient_scope', surface: 'graphql' }],
        ['reader-of-record', { tool: 'POST /api/sites', code: 'insufficient_scope', surface: 'rest' }],
      ],
    );
  });

  test('what a person does over REST or GraphQL names the client in the audit log, and the agent alone over MCP', async () => {
    await createParty(owner);
    await createSite(approver);
    await overTools(owner, 'service_create_site', { name: 'A site' });
    const url = `${world.server.addresses.accounting}/api/audit/events`;
    const found = async (query: string): Promise<unknown> => {
      const { body } = await world.call(`${url}?${query}`, { token: owner, tenant });
      return list(body['items']).map(({ principal_chain, dimensional_tags }) => [
        list(principal_chain).map(({ principal_type }) => principal_type),
        dimensional_tags,
      ]);
    };
    assert.deepEqual(await found('type=studio.site.created&limit=2'), [
      [['user', 'agent'], undefined],
      [['user'], { client: 'steward-console' }],
    ]);
    assert.deepEqual(await found('resource=steward-cli&type=accounting.**&limit=1'), [
      [['user'], { client: 'steward-cli' }],
    ]);
  });
});

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];

/** The code of a refusal by either kind of door; `none` where it was done. */
function code({ body }: Answer): string {
  const of = body['code'] ?? list(body['errors'])[0]?.['extensions']?.['code'];
  return of === undefined ? 'none' : String(of);
}
