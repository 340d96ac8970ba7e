import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { inTransaction, openPool, sql, type SqlPool } from '@steward/sql';
import {
  createWorld,
  openMailbox,
  sample,
  signed,
  waysIn,
  type Answer,
  type Json,
  type Mailbox,
  type Schema,
  toolPaths,
  type World,
} from '../world/index.ts';

async function until<T>(found: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const value = found();
    if (value !== undefined) return value;
    await sleep(50);
  }
  throw new Error('it did not come to be');
}

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];
const code = ({ body }: Answer): string =>
  String(body['code'] ?? list(body['errors'])[0]?.['extensions']?.['code'] ?? 'none');

/** Who may do what stands in these, and in nothing else. */
const tables = [
  'identity.member',
  'portal.invitation',
  'portal.agent_grant',
  'portal.tool_policy',
  'approvals.policy',
  'approvals.standing_rule',
];

describe('who may do what is decided by people alone', () => {
  let world: World;
  let mailbox: Mailbox;
  let admin: SqlPool;
  let tenant: string;
  let signup: string;
  let approver: string;
  /** Every kind of token that a person's agent or a machine may come to hold, and the logins that decide nothing. */
  let others: ReadonlyMap<string, string>;
  const user = 'alice@example.com';
  const now = Math.floor(Date.now() / 1000);

  before(async () => {
    mailbox = await openMailbox();
    world = await createWorld({ SMTP_URL: mailbox.url });
    admin = openPool({ url: world.db.adminUrl, size: 1 });
    ({ tenant, token: signup } = await world.signUp(user, 'Alice and sons'));
    approver = await world.token({ user, approver: true });
    const machine = { principalType: 'service', principalId: 'ci-bot', role: 'admin' };
    assert.equal((await portal(approver, 'POST', '/members', machine)).status, 201);
    others = new Map([
      ['signup', signup],
      ['registered', await signed(world, approver, { client_id: 'dcr-4711' })],
      ['nameless', await signed(world, approver, { client_id: undefined })],
      ['machine', await world.token({ client: 'ci-bot' })],
      ['agent', await world.token({ user, agent: 'assistant-1' })],
      ['agent of the console', await signed(world, approver, { act: { sub: 'assistant-1' } })],
      ['stale', await signed(world, approver, { auth_time: now - 3600 })],
      ['future', await signed(world, approver, { auth_time: now + 3600 })],
      ['undated', await signed(world, approver, { auth_time: undefined })],
      ['unscoped', await signed(world, approver, { scope: 'openid mcp:read mcp:write' })],
    ]);
  });
  after(async () => {
    await admin.close();
    await world[Symbol.asyncDispose]();
    await mailbox[Symbol.asyncDispose]();
  });

  const portal = async (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, {
      token,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const rpc = async (token: string, method: string, params: object, at = '/p/portal'): Promise<Json> => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    return (await world.call(`${world.server.addresses.mcp}${at}`, { token, tenant, body })).body;
  };
  const tool = async (token: string, name: string, args: object, at?: string): Promise<Json> => {
    const answer = await rpc(token, 'tools/call', { name, arguments: args }, at);
    return answer['result']?.['structuredContent'] ?? answer;
  };
  const standing = async (): Promise<Record<string, unknown[]>> => {
    const found: Record<string, unknown[]> = {};
    for (const table of tables) {
      const text = `select to_jsonb(t)::text as row from ${table} t where tenant_id = '${tenant}' order by 1`;
      found[table] = (await admin.query({ ...sql`select 1`, text })).map(({ row }) => row);
    }
    return found;
  };
  const member = async (email: string): Promise<Json | undefined> =>
    list((await portal(signup, 'GET', '/members?limit=200')).body['items']).find(
      (one) => String(one['email']) === email,
    );
  const accept = async (email: string, secret: unknown): Promise<string> =>
    code(
      await world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
        token: await world.token({ user: email }),
        body: { secret },
      }),
    );
  const join = async (email: string, role: string): Promise<string> => {
    const invited = await portal(approver, 'POST', '/invitations', { email, role });
    assert.equal(invited.status, 201, JSON.stringify(invited.body));
    assert.equal(await accept(email, invited.body['secret']), 'none');
    return String((await member(email))?.['principalId']);
  };
  const approve = async (token: string, id: unknown): Promise<Answer> => {
    const { body } = await portal(approver, 'GET', `/pending-actions/${String(id)}`);
    return portal(token, 'POST', `/pending-actions/${String(id)}/approve`, { previewHash: body['previewHash'] });
  };
  const types = async (): Promise<string[]> => {
    const url = `${world.server.addresses.accounting}/api/audit/events?limit=500`;
    return list((await world.call(url, { token: signup, tenant })).body['items']).map(({ type }) => String(type));
  };

  test('every way that appoints or widens is closed to every token but that of a person who decides here and now', async () => {
    const bob = await join('bob@example.com', 'admin');
    const open = (await portal(approver, 'POST', '/invitations', { email: 'open@example.com', role: 'admin' })).body;
    const denied = { deniedTools: ['service_list_brands'], agentsNeedGrant: true };
    const before = (await portal(approver, 'GET', '/tool-policy')).body;
    assert.equal((await portal(approver, 'PUT', '/tool-policy', { ...before, ...denied })).status, 200);
    assert.equal((await portal(approver, 'DELETE', '/agent-grants/rogue?ahead=true')).status, 204);
    const narrow = { agentId: 'narrow', tools: ['service_list_brands'] };
    assert.equal((await portal(approver, 'POST', '/agent-grants', narrow)).status, 201);
    assert.equal((await portal(approver, 'POST', '/agent-grants', { agentId: 'assistant-1' })).status, 201);
    const toolPolicy = (await portal(approver, 'GET', '/tool-policy')).body;
    const approvalPolicy = (await portal(approver, 'GET', '/approval-policy')).body;
    const rule = {
      tool: 'service_update_organization',
      validUntil: new Date(Date.now() + 86_400_000).toISOString(),
    };
    const standingRule = (await portal(approver, 'POST', '/standing-rules', rule)).body;
    const attempts: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['POST', '/invitations', { email: 'trudy@example.com', role: 'owner' }],
      ['POST', `/invitations/${String(open['id'])}/secret`],
      ['DELETE', `/invitations/${String(open['id'])}`],
      ['POST', '/members', { principalType: 'service', principalId: 'bot-2', role: 'admin' }],
      ['PATCH', `/members/user/${bob}`, { role: 'owner' }],
      ['PATCH', `/members/user/${bob}`, { role: 'viewer' }],
      ['DELETE', `/members/user/${bob}`],
      ['POST', '/agent-grants', { agentId: 'newcomer' }],
      ['POST', '/agent-grants', { agentId: 'rogue' }],
      ['POST', '/agent-grants', { agentId: 'narrow', tools: ['service_list_brands', 'service_list_accounts'] }],
      ['DELETE', '/agent-grants/steward-console'],
      ['PUT', '/tool-policy', { ...toolPolicy, deniedTools: [] }],
      ['PUT', '/tool-policy', { ...toolPolicy, agentsNeedGrant: false }],
      ['PUT', '/approval-policy', { ...approvalPolicy, soleApprover: true }],
      ['POST', '/standing-rules', rule],
      ['DELETE', `/standing-rules/${String(standingRule['id'])}`],
      ['POST', '/suspensions/restore', { kind: 'member', id: `user:${bob}` }],
    ];
    const held = await standing();
    const codes = ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old', 'approval_required'];
    for (const [kind, token] of others) {
      for (const [method, path, body] of attempts) {
        const found = code(await portal(token, method, path, body));
        assert.ok(
          [...codes, 'tool_denied', 'tenant_forbidden'].includes(found),
          `${kind}: ${method} ${path}: ${found}`,
        );
        assert.deepEqual(await standing(), held, `${kind}: ${method} ${path}`);
      }
      for (const [name, args] of [
        ['service_invite_member', { email: 'trudy@example.com', role: 'owner' }],
        ['service_add_machine', { client_id: 'bot-2', role: 'admin' }],
        ['service_change_member_role', { member: 'bob@example.com', role: 'owner' }],
        ['service_remove_member', { member: 'bob@example.com' }],
        ['service_grant_agent', { agent_id: 'rogue' }],
      ] as const) {
        const found = await tool(token, name, args);
        const status = String(found['status'] ?? found['error']?.['code'] ?? code({ body: found } as Answer));
        assert.ok(
          ['pending_approval', 'error', '-32602', 'client_not_approver'].includes(status),
          `${kind}: ${name}: ${JSON.stringify(found)}`,
        );
        assert.deepEqual(await standing(), held, `${kind}: ${name}`);
      }
    }
    // With a fresh login of the console each of them is done, or refused for what it asks.
    for (const [method, path, body] of attempts) {
      const found = code(await portal(approver, method, path, body));
      assert.ok(!codes.includes(found), `${method} ${path}: ${found}`);
    }
    const after = await standing();
    for (const table of tables) assert.notDeepEqual(after[table], held[table], table);
    const policy = (await portal(approver, 'GET', '/tool-policy')).body;
    const loose = { ...policy, deniedTools: [], agentsNeedGrant: false };
    assert.equal(code(await portal(approver, 'PUT', '/tool-policy', loose)), 'none');
  });

  test('no other route, field or tool changes who may do what, with arguments that fit its schema', async () => {
    const reference = await readFile(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8');
    const { paths } = JSON.parse(reference) as {
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
    };
    const { origin } = new URL(world.server.addresses.portal);
    const held = await standing();
    // What only narrows takes no more than it did; that it does not widen is tried above.
    const narrowing = ['/portal/api/tool-policy', '/portal/api/agent-grants/{agentId}'];
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { requestBody }] of Object.entries(operations)) {
        if (method === 'get' || narrowing.includes(path)) continue;
        const schema = requestBody?.content['application/json']?.schema;
        const url = origin + path.replaceAll(/\{\w+\}/g, '01900000-0000-7000-8000-000000000000');
        for (const kind of ['signup', 'agent', 'machine'] as const) {
          const body = schema === undefined ? {} : { body: sample(schema) };
          await world.call(url, { token: others.get(kind) ?? '', tenant, method: method.toUpperCase(), ...body });
        }
        assert.deepEqual(await standing(), held, `${method} ${path}`);
      }
    }
    for (const way of (await waysIn(world, signup, tenant)).filter(({ name }) => name.startsWith('Mutation.'))) {
      await way.go(signup);
      assert.deepEqual(await standing(), held, way.name);
    }
    for (const path of toolPaths) {
      const { result } = await rpc(signup, 'tools/list', {}, `/p/${path}`);
      for (const { name, inputSchema, _meta } of list(result?.['tools'])) {
        if (String(_meta?.['tier']) === 'read') continue;
        const {
          idempotency_key: _key,
          tenant_id: _tenant,
          preview: _preview,
          ...args
        } = sample(inputSchema as unknown as Schema) as Record<string, unknown>;
        await tool(signup, String(name), args, `/p/${path}`);
        assert.deepEqual(await standing(), held, String(name));
      }
    }
  });

  test('whatever writes who may do what is one of these, each of them tried above', async () => {
    const found: string[] = [];
    const root = new URL('../../components/', import.meta.url);
    const writes = new RegExp(
      `(?:insert into|update|delete from)\\s+(?:${tables.join('|').replaceAll('.', '\\.')})\\b`,
      'i',
    );
    for (const path of await readdir(root, { recursive: true })) {
      if (!path.endsWith('.ts') || path.endsWith('.test.ts') || path.includes('fixtures/')) continue;
      if (writes.test(await readFile(new URL(path, root), 'utf8'))) found.push(path);
    }
    assert.deepEqual(found.toSorted(), [
      'approvals/policy/policy.ts',
      'approvals/rules/create.ts',
      'approvals/rules/end.ts',
      'approvals/rules/revoke.ts',
      'identity/membership/remove.ts',
      'identity/membership/set.ts',
      'identity/membership/suspend.ts',
      'portal/grants/grant.ts',
      'portal/grants/revoke.ts',
      'portal/invitations/accept.ts',
      'portal/invitations/invite.ts',
      'portal/invitations/reissue.ts',
      'portal/invitations/revoke.ts',
      'portal/policy/policy.ts',
      'portal/signup/provision.ts',
      'portal/suspensions/restore.ts',
    ]);
  });

  test('an agent with its owner’s signup token appoints no accomplice, pays nobody and removes nobody; the owner does, and it is in the log', async () => {
    const carol = await join('carol@example.com', 'owner');
    const entry = {
      date: '2026-03-02',
      currency: 'USD',
      narration: 'Consulting',
      lines: [
        { account: '6000', debit: '50000.00' },
        { account: '1000', credit: '50000.00' },
      ],
    };
    const invite = { email: 'mallory@example.com', role: 'owner' };
    const held = await standing();
    // The attack, by every door that the token opens.
    assert.equal(code(await portal(signup, 'POST', '/invitations', invite)), 'client_not_approver');
    const proposed = await tool(signup, 'service_invite_member', invite);
    assert.equal(String(proposed['status']), 'pending_approval', JSON.stringify(proposed));
    const asked = await portal(signup, 'POST', '/pending-actions', {
      tool: 'service_invite_member',
      arguments: { ...invite, email: 'eve@example.com' },
    });
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    const payment = await tool(signup, 'service_post_journal_entry', entry, '');
    assert.equal(String(payment['status']), 'pending_approval', JSON.stringify(payment));
    for (const id of [proposed['pending_action_id'], asked.body['id'], payment['pending_action_id']])
      assert.equal(code(await approve(signup, id)), 'client_not_approver');
    assert.equal(code(await portal(signup, 'DELETE', `/members/user/${carol}`)), 'client_not_approver');
    const mallory = await world.token({ user: 'mallory@example.com', approver: true });
    assert.equal(code(await approve(mallory, payment['pending_action_id'])), 'tenant_forbidden');
    assert.deepEqual(await standing(), held);
    const shown = (await portal(approver, 'GET', `/pending-actions/${String(proposed['pending_action_id'])}`)).body;
    assert.match(String(shown['summary']), /^Would invite mallory@example\.com as owner, who may do everything/);
    assert.deepEqual(shown['preview']?.['email'], 'mallory@example.com');
    // The owner, freshly logged in where people decide.
    const approved = await approve(approver, proposed['pending_action_id']);
    assert.equal(String(approved.body['state']), 'executed', JSON.stringify(approved.body));
    assert.doesNotMatch(JSON.stringify(approved.body), /secret":/);
    const invitation = approved.body['result']?.['data']?.['invitation_id'];
    const fresh = await portal(approver, 'POST', `/invitations/${String(invitation)}/secret`);
    assert.equal(fresh.status, 201, JSON.stringify(fresh.body));
    assert.equal(await accept('mallory@example.com', fresh.body['secret']), 'none');
    assert.equal(String((await member('mallory@example.com'))?.['role']), 'owner');
    const first = await approve(approver, payment['pending_action_id']);
    assert.equal(String(first.body['state']), 'pending', JSON.stringify(first.body));
    const second = await approve(mallory, payment['pending_action_id']);
    assert.equal(String(second.body['state']), 'executed', JSON.stringify(second.body));
    assert.equal((await portal(mallory, 'DELETE', `/members/user/${carol}`)).status, 200);
    const log = await types();
    for (const type of [
      'approvals.action.requested',
      'approvals.action.approved',
      'approvals.action.executed',
      'portal.invitation.sent',
      'portal.invitation.reissued',
      'portal.invitation.accepted',
      'portal.member.added',
      'portal.member.removed',
      'tools.call.denied',
    ])
      assert.ok(log.includes(type), type);
  });

  test('whoever may approve is told who asks, for which organization, about what, and what is for good', async () => {
    const agent = others.get('agent') ?? '';
    const letter = async (name: string, args: object): Promise<string> => {
      const asked = await tool(agent, name, args, '/p/accounting/books');
      const id = String(asked['pending_action_id']);
      assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
      const { body } = await until(() => mailbox.emails.find((one) => one.body.includes(`/approvals/${id}`)));
      await portal(approver, 'POST', `/pending-actions/${id}/reject`, { reason: 'no' });
      return body.replaceAll('\r\n', '\n');
    };
    const year = await letter('service_close_fiscal_year', { day: '2025-03-31' });
    const { name } = (await portal(approver, 'GET', '/organization')).body;
    for (const said of [`organization: ${String(name)}\n`, 'agent: assistant-1', 'day: 2025-03-31', 'CANNOT BE UNDONE'])
      assert.ok(year.includes(said), `${said} in ${year}`);
    assert.match(year, /person: /);
    const lines = [
      { account: '6000', debit: '70.00' },
      { account: '1000', credit: '70.00' },
    ];
    const narration = 'look at evil.example.com';
    const entry = { date: '2026-03-02', currency: 'USD', narration, lines };
    const posted = await letter('service_post_journal_entry', entry);
    assert.deepEqual([...posted.matchAll(/^ {4}account: (\d+)/gm)].map(([, number]) => number).toSorted(), [
      '1000',
      '6000',
    ]);
    assert.match(posted, /date: 2026-03-02/);
    assert.ok(!posted.includes('evil'), 'nothing that the agent wrote');
  });

  test('an administrator approves no owner, and no standing rule stands in for people', async () => {
    await join('adam@example.com', 'admin');
    const adam = await world.token({ user: 'adam@example.com', approver: true });
    const agent = others.get('agent') ?? '';
    const owner = await tool(agent, 'service_invite_member', { email: 'o@example.com', role: 'owner' });
    assert.equal(code(await approve(adam, owner['pending_action_id'])), 'insufficient_role');
    const made = await tool(agent, 'service_change_member_role', { member: 'adam@example.com', role: 'owner' });
    assert.equal(code(await approve(adam, made['pending_action_id'])), 'insufficient_role');
    const gone = await tool(agent, 'service_remove_member', { member: user });
    assert.ok(['insufficient_role', 'stale_preview'].includes(code(await approve(adam, gone['pending_action_id']))));
    const viewer = await tool(agent, 'service_invite_member', { email: 'v@example.com', role: 'viewer' });
    assert.equal(String((await approve(adam, viewer['pending_action_id'])).body['state']), 'executed');
    const until = new Date(Date.now() + 86_400_000).toISOString();
    for (const name of ['service_invite_member', 'service_grant_agent', 'service_remove_member'])
      assert.equal(
        code(await portal(approver, 'POST', '/standing-rules', { tool: name, validUntil: until })),
        'invalid_request',
      );
    for (const name of [owner, made])
      await portal(approver, 'POST', `/pending-actions/${String(name['pending_action_id'])}/reject`, { reason: 'no' });
  });

  test('what is so already awaits nobody and leaves no trace, by every door', async () => {
    await join('eve@example.com', 'viewer');
    const terms = { tiers: ['read'], tools: ['service_list_accounts'] };
    const granted = await portal(approver, 'POST', '/agent-grants', { agentId: 'assistant-9', ...terms });
    assert.deepEqual([granted.status, granted.body['seen']], [201, false], 'nobody came by that name yet');
    // Denials of what was tried before are summed up and written later.
    const traces = async (): Promise<string[]> =>
      (await types()).filter((type) => !/^tools\.calls?\.denied$/.test(type));
    const before = await traces();
    const agent = others.get('agent') ?? '';
    for (const [name, args] of [
      ['service_change_member_role', { member: 'eve@example.com', role: 'viewer' }],
      ['service_grant_agent', { agent_id: 'assistant-9', ...terms }],
    ] as const) {
      const answer = await tool(agent, name, args);
      assert.deepEqual([String(answer['status']), answer['pending_action_id']], ['ok', undefined], name);
      assert.match(String(answer['summary']), /already.*: nothing changes\.$/);
      const asked = await portal(signup, 'POST', '/pending-actions', { tool: name, arguments: args });
      assert.deepEqual([asked.status, code(asked)], [409, 'nothing_to_approve']);
    }
    const eve = encodeURIComponent(String((await member('eve@example.com'))?.['principalId']));
    const same = await portal(approver, 'PATCH', `/members/user/${eve}`, { role: 'viewer' });
    assert.deepEqual([same.status, String(same.body['role'])], [200, 'viewer']);
    const again = await portal(approver, 'POST', '/agent-grants', { agentId: 'assistant-9', ...terms });
    assert.deepEqual([again.status, again.body], [201, granted.body]);
    assert.deepEqual(await traces(), before);
  });

  test('a person asks for what awaits approval with a login that decides nothing, once by one key, and only for what their role may use', async () => {
    const wish = {
      tool: 'service_change_member_role',
      arguments: { member: 'adam@example.com', role: 'viewer' },
      idempotencyKey: 'make-adam-a-viewer',
    };
    const one = await portal(signup, 'POST', '/pending-actions', wish);
    assert.deepEqual([one.status, String(one.body['state'])], [201, 'pending'], JSON.stringify(one.body));
    assert.equal(String(one.body['title']), "Change a member's role");
    assert.deepEqual(
      list(one.body['requestedBy']).map(({ type }) => type),
      ['user'],
    );
    assert.equal(String(one.body['preview']?.['member']?.['email']), 'adam@example.com');
    assert.deepEqual((await portal(signup, 'POST', '/pending-actions', wish)).body['id'], one.body['id']);
    const other = { ...wish, arguments: { ...wish.arguments, role: 'developer' } };
    assert.equal(code(await portal(signup, 'POST', '/pending-actions', other)), 'idempotency_conflict');
    const bad = await portal(signup, 'POST', '/pending-actions', {
      ...wish,
      arguments: { role: 'king' },
      idempotencyKey: 'another-key',
    });
    assert.deepEqual([bad.status, code(bad)], [400, 'invalid_arguments']);
    assert.ok(list(bad.body['errors']).every(({ pointer }) => String(pointer).startsWith('/arguments/')));
    for (const name of ['service_none', 'service_list_brands', 'service_create_site']) {
      const refused = await portal(signup, 'POST', '/pending-actions', { tool: name, arguments: {} });
      assert.equal(String(list(refused.body['errors'])[0]?.['pointer']), '/tool', name);
    }
    await join('vera@example.com', 'viewer');
    const vera = await world.token({ user: 'vera@example.com' });
    const beyond = await portal(vera, 'POST', '/pending-actions', { ...wish, idempotencyKey: 'vera-tries-it' });
    assert.deepEqual([beyond.status, code(beyond)], [400, 'invalid_request']);
    for (const kind of ['agent', 'machine'])
      assert.equal(code(await portal(others.get(kind) ?? '', 'POST', '/pending-actions', wish)), 'not_human', kind);
    assert.equal(String((await approve(approver, one.body['id'])).body['state']), 'executed');
    assert.equal(String((await member('adam@example.com'))?.['role']), 'viewer');
    const again = await portal(signup, 'POST', '/pending-actions', wish);
    assert.deepEqual([again.status, String(again.body['state'])], [201, 'executed']);
  });

  test('shutting out a client suspends what was made through it and withdraws what was asked through it, and each is restored by itself', async () => {
    const rogue = await world.token({ user, agent: 'rogue-2' });
    const invited = await tool(rogue, 'service_invite_member', { email: 'helper@example.com', role: 'accountant' });
    const granted = await tool(rogue, 'service_grant_agent', { agent_id: 'accomplice' });
    const opened = await tool(rogue, 'service_invite_member', { email: 'later@example.com', role: 'viewer' });
    const done: Json[] = [];
    for (const asked of [invited, granted, opened])
      done.push((await approve(approver, asked['pending_action_id'])).body);
    assert.deepEqual(
      done.map(({ state }) => String(state)),
      ['executed', 'executed', 'executed'],
    );
    const decided = list((await portal(approver, 'GET', '/pending-actions?state=executed')).body['items']);
    assert.deepEqual(
      [...done, ...decided].filter(({ decidedBy, approvals }) => decidedBy !== list(approvals).at(-1)?.['approver']),
      [],
      'and who decided is told',
    );
    const secretOf = async (at: number): Promise<unknown> => {
      const id = String(done[at]?.['result']?.['data']?.['invitation_id']);
      return (await portal(approver, 'POST', `/invitations/${id}/secret`)).body['secret'];
    };
    assert.equal(await accept('helper@example.com', await secretOf(0)), 'none');
    const later = await secretOf(2);
    const helper = await world.token({ user: 'helper@example.com', approver: true });
    const accomplice = await world.token({ user, agent: 'accomplice' });
    const deep = await tool(accomplice, 'service_invite_member', { email: 'deep@example.com', role: 'viewer' });
    assert.equal(String((await approve(approver, deep['pending_action_id'])).body['state']), 'executed');
    const waits = await tool(rogue, 'service_remove_member', { member: 'helper@example.com' });
    const theirs = await tool(accomplice, 'service_invite_member', { email: 'x@example.com', role: 'viewer' });
    const mine = await tool(others.get('agent') ?? '', 'service_invite_member', {
      email: 'y@example.com',
      role: 'viewer',
    });
    for (const asked of [waits, theirs, mine])
      assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));

    assert.equal(
      code(await portal(signup, 'DELETE', '/agent-grants/rogue-2')),
      'client_not_approver',
      'it would remove somebody who approves',
    );
    const awaited = String(waits['pending_action_id']);
    await until(() => mailbox.emails.find(({ body }) => body.includes(awaited)));
    assert.equal(code(await portal(helper, 'GET', '/organization')), 'none');
    assert.equal((await portal(approver, 'DELETE', '/agent-grants/rogue-2')).status, 204);

    const { items } = (await portal(signup, 'GET', '/suspensions')).body;
    assert.deepEqual(
      list(items)
        .map(({ kind, client, email, role }) => [kind, client, email, role])
        .map(String)
        .toSorted(),
      [
        ['grant', 'rogue-2', null, null],
        ['invitation', 'accomplice', 'deep@example.com', 'viewer'],
        ['invitation', 'rogue-2', 'later@example.com', 'viewer'],
        ['member', 'rogue-2', 'helper@example.com', 'accountant'],
      ].map(String),
    );
    assert.equal(code(await portal(helper, 'GET', '/organization')), 'tenant_forbidden');
    assert.deepEqual(list((await portal(helper, 'GET', '/organizations')).body['items']), []);
    assert.equal(await accept('later@example.com', later), 'not_found');
    const state = async (asked: Json): Promise<string[]> => {
      const { body } = await portal(approver, 'GET', `/pending-actions/${String(asked['pending_action_id'])}`);
      return [String(body['state']), String(body['reason'])];
    };
    const shut = ['withdrawn', 'The client that proposed it was shut out.'];
    assert.deepEqual([await state(waits), await state(theirs)], [shut, shut]);
    assert.equal((await state(mine))[0], 'pending');
    const told = await until(() =>
      mailbox.emails.find(({ head, body }) => /No longer waits/.test(head) && body.includes(awaited)),
    );
    assert.match(told.body, /was withdrawn\. You need not decide any more\. The client/);
    assert.equal(code(await approve(approver, waits['pending_action_id'])), 'not_pending');
    assert.equal(String((await tool(accomplice, 'service_list_brands', {}))['error']?.['code']), '-32602');

    for (const { kind, id } of list(items)) {
      assert.equal(code(await portal(signup, 'POST', '/suspensions/restore', { kind, id })), 'client_not_approver');
      assert.equal((await portal(approver, 'POST', '/suspensions/restore', { kind, id })).status, 204);
      assert.equal(code(await portal(approver, 'POST', '/suspensions/restore', { kind, id })), 'not_found');
    }
    assert.equal(code(await portal(helper, 'GET', '/organization')), 'none');
    assert.equal(await accept('later@example.com', later), 'none');
    assert.equal(String((await tool(accomplice, 'service_list_brands', {}))['status']), 'ok');
    assert.equal(
      String((await tool(rogue, 'service_list_brands', {}))['error']?.['code']),
      '-32602',
      'the client stays shut out',
    );
    const log = await types();
    for (const type of [
      'member.suspended',
      'member.restored',
      'agent_grant.suspended',
      'agent_grant.restored',
      'invitation.suspended',
      'invitation.restored',
    ])
      assert.ok(log.includes(`portal.${type}`), type);
  });

  test('whom a suspended member has brought is suspended too, and whom those have brought; nobody of them is invited anew', async () => {
    const rogue = await world.token({ user, agent: 'rogue-3' });
    const asked = await tool(rogue, 'service_invite_member', { email: 'second@example.com', role: 'admin' });
    const done = (await approve(approver, asked['pending_action_id'])).body;
    const invitation = String(done['result']?.['data']?.['invitation_id']);
    const { secret } = (await portal(approver, 'POST', `/invitations/${invitation}/secret`)).body;
    assert.equal(await accept('second@example.com', secret), 'none');
    const bring = async (by: string, email: string): Promise<string> => {
      const invited = await portal(await world.token({ user: by, approver: true }), 'POST', '/invitations', {
        email,
        role: 'admin',
      });
      assert.equal(invited.status, 201, JSON.stringify(invited.body));
      assert.equal(await accept(email, invited.body['secret']), 'none');
      return String((await member(email))?.['principalId']);
    };
    await bring('second@example.com', 'third@example.com');
    const fourth = await bring('third@example.com', 'fourth@example.com');
    const third = await world.token({ user: 'third@example.com', approver: true });
    const machine = { principalType: 'service', principalId: 'their-bot', role: 'viewer' };
    assert.equal((await portal(third, 'POST', '/members', machine)).status, 201);
    const waits = await tool(
      await world.token({ user: 'fourth@example.com', agent: 'fine' }),
      'service_invite_member',
      {
        email: 'fifth@example.com',
        role: 'viewer',
      },
    );
    // Whom somebody else has brought stays.
    await join('stays@example.com', 'viewer');

    assert.equal((await portal(approver, 'DELETE', '/agent-grants/rogue-3')).status, 204);
    const { items } = (await portal(signup, 'GET', '/suspensions')).body;
    const brought = list(items).filter(({ kind }) => String(kind) === 'member');
    assert.deepEqual(
      brought.map(({ email, id }) => String(email ?? id)).toSorted(),
      ['fourth@example.com', 'second@example.com', 'service:their-bot', 'third@example.com'].toSorted(),
    );
    const thirdId = String((await member('third@example.com'))?.['principalId']);
    assert.equal(String(brought.find(({ email }) => String(email) === 'fourth@example.com')?.['createdBy']), thirdId);
    assert.equal(code(await portal(third, 'GET', '/organization')), 'tenant_forbidden');
    const { body } = await portal(approver, 'GET', `/pending-actions/${String(waits['pending_action_id'])}`);
    assert.equal(String(body['state']), 'withdrawn');

    const again = await portal(approver, 'POST', '/invitations', { email: 'fourth@example.com', role: 'viewer' });
    assert.deepEqual([again.status, code(again)], [409, 'member_suspended']);
    assert.match(String(again.body['detail']), new RegExp(`suspensions/restore .*user:${fourth}`));
    const anew = await tool(others.get('agent') ?? '', 'service_invite_member', {
      email: 'fourth@example.com',
      role: 'viewer',
    });
    assert.equal(String(anew['error_code']), 'member_suspended');
    assert.equal(code(await portal(approver, 'POST', '/members', machine)), 'member_suspended');
    const aside = await portal(approver, 'POST', '/invitations', { email: 'alias@example.com', role: 'owner' });
    const nameless = await signed(world, await world.token({ user: 'fourth@example.com' }), { email: undefined });
    const taken = await world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
      token: nameless,
      body: { secret: aside.body['secret'] },
    });
    assert.equal(code(taken), 'member_suspended');
    assert.match(String(taken.body['detail']), /end the suspension/);
    assert.equal((await portal(approver, 'DELETE', `/invitations/${String(aside.body['id'])}`)).status, 204);
    for (const { id } of brought)
      assert.equal((await portal(approver, 'POST', '/suspensions/restore', { kind: 'member', id })).status, 204);
    assert.equal(code(await portal(third, 'GET', '/organization')), 'none');
  });

  test('a client that never came is shut out only where that is meant, and a mistyped name is told', async () => {
    const seen = await world.token({ user, agent: 'reader-1' });
    assert.equal(String((await tool(seen, 'service_list_brands', {}))['status']), 'ok');
    const typo = await portal(approver, 'DELETE', '/agent-grants/reader-l');
    assert.deepEqual([typo.status, code(typo)], [404, 'unknown_client']);
    assert.match(String(typo.body['detail']), /"reader-l".*ahead=true/);
    assert.equal(String((await tool(seen, 'service_list_brands', {}))['status']), 'ok');
    assert.equal((await portal(approver, 'DELETE', '/agent-grants/reader-1')).status, 204);
    assert.equal(String((await tool(seen, 'service_list_brands', {}))['error']?.['code']), '-32602');
    assert.equal((await portal(approver, 'DELETE', '/agent-grants/reader-1')).status, 204, 'again is the same');
    assert.equal((await portal(approver, 'DELETE', '/agent-grants/to-come?ahead=true')).status, 204);
    const came = await world.token({ user, agent: 'to-come' });
    assert.equal(String((await tool(came, 'service_list_brands', {}))['error']?.['code']), '-32602');
  });

  test('nobody withdraws what another member asked for: who may decide rejects it', async () => {
    const wish = { tool: 'service_invite_member', arguments: { email: 'wanted@example.com', role: 'viewer' } };
    const asked = await portal(signup, 'POST', '/pending-actions', wish);
    const byAgent = await tool(others.get('agent') ?? '', 'service_invite_member', {
      email: 'wished@example.com',
      role: 'viewer',
    });
    await join('peer@example.com', 'owner');
    await join('onlooker@example.com', 'viewer');
    const ids = [asked.body['id'], byAgent['pending_action_id']].map(String);
    const state = async (id: string): Promise<string> =>
      String((await portal(approver, 'GET', `/pending-actions/${id}`)).body['state']);
    for (const id of ids) {
      for (const [who, token, refused] of [
        ['a peer with a signup token', await world.token({ user: 'peer@example.com' }), 'insufficient_role'],
        ['a peer who decides', await world.token({ user: 'peer@example.com', approver: true }), 'insufficient_role'],
        ['an onlooker', await world.token({ user: 'onlooker@example.com' }), 'not_found'],
        ['a machine', others.get('machine') ?? '', 'insufficient_role'],
      ] as const) {
        assert.equal(code(await portal(token, 'POST', `/pending-actions/${id}/withdraw`)), refused, who);
        const found = await tool(token, 'service_withdraw_pending_action', { pending_action_id: id });
        assert.notEqual(String(found['status']), 'ok', who);
        assert.equal(await state(id), 'pending', who);
      }
    }
    const other = await world.token({ user, agent: 'assistant-2' });
    await tool(other, 'service_withdraw_pending_action', { pending_action_id: ids[1] });
    assert.equal(await state(ids[1] ?? ''), 'pending', 'another agent of the same member');
    for (const id of ids) assert.equal(code(await portal(signup, 'POST', `/pending-actions/${id}/withdraw`)), 'none');
    assert.deepEqual([await state(ids[0] ?? ''), await state(ids[1] ?? '')], ['withdrawn', 'withdrawn']);
  });

  test('what somebody, or an agent for them, had asked for waits no longer once they are no member', async () => {
    const leaver = await join('leaver@example.com', 'admin');
    const agent = await world.token({ user: 'leaver@example.com', agent: 'their-agent' });
    const asked = await tool(agent, 'service_invite_member', { email: 'friend@example.com', role: 'viewer' });
    assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
    assert.equal((await portal(approver, 'DELETE', `/members/user/${leaver}`)).status, 200);
    const { body } = await portal(approver, 'GET', `/pending-actions/${String(asked['pending_action_id'])}`);
    assert.deepEqual(
      [String(body['state']), String(body['reason'])],
      ['withdrawn', 'The person who proposed it is no longer a member.'],
    );
    assert.equal(code(await approve(approver, asked['pending_action_id'])), 'not_pending');
  });

  test('nobody comes by an invitation whose sender may not invite any more: they left, or their role fell', async () => {
    const invited = async (by: string, email: string, role: string): Promise<unknown> => {
      const token = await world.token({ user: by, approver: true });
      const { status, body } = await portal(token, 'POST', '/invitations', { email, role });
      assert.equal(status, 201, JSON.stringify(body));
      return body['secret'];
    };
    const falls: readonly (readonly [from: string, to: string | undefined, role: string])[] = [
      ['admin', undefined, 'admin'],
      ['admin', 'viewer', 'admin'],
      ['owner', 'admin', 'owner'],
    ];
    for (const [at, [from, to, role]] of falls.entries()) {
      const [sender, second] = [`sender-${at}@example.com`, `second-${at}@example.com`];
      const path = `/members/user/${await join(sender, from)}`;
      const secret = await invited(sender, second, role);
      const fallen = await (to === undefined
        ? portal(approver, 'DELETE', path)
        : portal(approver, 'PATCH', path, { role: to }));
      assert.ok(fallen.status < 300, JSON.stringify(fallen.body));
      assert.equal(await accept(second, secret), 'not_found', `${from}, then ${to}`);
      assert.equal(await member(second), undefined);
    }
    const kept = await join('still-admin@example.com', 'owner');
    const secret = await invited('still-admin@example.com', 'kept@example.com', 'admin');
    assert.equal((await portal(approver, 'PATCH', `/members/user/${kept}`, { role: 'admin' })).status, 200);
    assert.equal(await accept('kept@example.com', secret), 'none', 'an admin may invite an admin');
  });

  test('whether shutting out or approving comes first, nothing made through the client is left open', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = `racer-${round}`;
      const email = `${id}@example.com`;
      const racer = await world.token({ user, agent: id });
      const asked = await tool(racer, 'service_invite_member', { email, role: 'viewer' });
      const [shut] = await Promise.all([
        portal(approver, 'DELETE', `/agent-grants/${id}`),
        approve(approver, asked['pending_action_id']),
      ]);
      assert.equal(shut.status, 204, JSON.stringify(shut.body));
      const { items } = (await portal(approver, 'GET', '/invitations?limit=200')).body;
      const left = list(items).filter((one) => String(one['email']) === email);
      assert.ok(
        left.every(({ status }) => String(status) === 'suspended'),
        JSON.stringify(left),
      );
      const { body } = await portal(approver, 'GET', `/pending-actions/${String(asked['pending_action_id'])}`);
      assert.ok(['withdrawn', 'failed', 'executed'].includes(String(body['state'])), String(body['state']));
    }
  });

  test('what an agent had asked for waits no longer once its grant leaves it out, or it has none where each needs one', async () => {
    const agent = await world.token({ user, agent: 'narrowed' });
    const asked = await tool(agent, 'service_invite_member', { email: 'z@example.com', role: 'viewer' });
    const person = await portal(signup, 'POST', '/pending-actions', {
      tool: 'service_invite_member',
      arguments: { email: 'p@example.com', role: 'viewer' },
    });
    const narrower = { agentId: 'narrowed', tools: ['service_invite_member'] };
    // It narrows now, and would let the agent in once each needs a grant: who may come is decided when it is granted.
    for (const [kind, token] of others) {
      const found = code(await portal(token, 'POST', '/agent-grants', narrower));
      assert.ok(
        ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old'].includes(found),
        `${kind}: ${found}`,
      );
    }
    assert.equal((await portal(approver, 'POST', '/agent-grants', narrower)).status, 201);
    const state = async (id: unknown): Promise<string> =>
      String((await portal(approver, 'GET', `/pending-actions/${String(id)}`)).body['state']);
    assert.equal(await state(asked['pending_action_id']), 'pending');
    assert.equal(
      (await portal(signup, 'POST', '/agent-grants', { agentId: 'narrowed', tiers: ['read'], tools: [] })).status,
      201,
    );
    assert.equal(await state(asked['pending_action_id']), 'withdrawn');
    const told = await tool(others.get('agent') ?? '', 'service_get_pending_action', {
      pending_action_id: asked['pending_action_id'],
    });
    assert.match(String(told['data']?.['reason']), /no longer allows this/);
    const ungranted = await world.token({ user, agent: 'ungranted' });
    const waiting = await tool(ungranted, 'service_invite_member', { email: 'q@example.com', role: 'viewer' });
    const { body: policy } = await portal(signup, 'GET', '/tool-policy');
    assert.equal((await portal(signup, 'PUT', '/tool-policy', { ...policy, agentsNeedGrant: true })).status, 200);
    assert.equal(await state(waiting['pending_action_id']), 'withdrawn');
    assert.equal(await state(person.body['id']), 'pending', 'a person needs no grant');
  });

  test('a tool policy that opens is decided by a person, whatever changes the policy at the same time', async () => {
    const deniedTools = ['service_list_accounts', 'service_list_brands'];
    const { body: held } = await portal(approver, 'GET', '/tool-policy');
    const closed = await portal(approver, 'PUT', '/tool-policy', { ...held, deniedTools });
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    const opened = { ...closed.body, deniedTools: [], version: Number(closed.body['version']) + 1 };
    await using look = openPool({ url: world.db.adminUrl, size: 2 });
    let opening: Promise<Answer> | undefined;
    await inTransaction(look, [], async (tx) => {
      // Another change, which writes the version that is asked for after the policy was read and before it is replaced.
      await tx.query(sql`lock table portal.tool_policy in share row exclusive mode`);
      await tx.query(sql`set local session_replication_role = replica`);
      await tx.query(sql`update portal.tool_policy set version = version + 1 where tenant_id = ${tenant}::uuid`);
      opening = portal(signup, 'PUT', '/tool-policy', opened);
      const waiting = async (): Promise<unknown[]> =>
        look.query(sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      for (let round = 0; (await waiting()).length === 0; round += 1) {
        assert.ok(round < 400, 'it never waited');
        await sleep(25);
      }
    });
    assert.equal(code(await (opening ?? assert.fail('nobody asked'))), 'client_not_approver');
    assert.deepEqual((await portal(approver, 'GET', '/tool-policy')).body['deniedTools'], deniedTools);
  });
});
