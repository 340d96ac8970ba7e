import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as within } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeServiceToken } from '@steward/identity';
import {
  createProcessWorld,
  hireAgent,
  openShop,
  signed,
  outputOf,
  type Answer,
  type ProcessWorld,
} from '@steward/conformance/world';
import { type DnsServer, startDns } from '@steward/testing';
import { Wire } from './wire.ts';

/** Somebody who calls: what they send with every request. */
export interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Callers that are looked at together, by what they differ in. */
export type Callers = Readonly<Record<string, readonly Caller[]>>;

export interface Setting extends AsyncDisposable {
  readonly world: ProcessWorld;
  /** What the server asks whose a host is. */
  readonly dns: DnsServer;
  readonly wire: Wire;
  readonly origin: string;
  readonly callers: Callers;
  readonly owner: Caller;
  readonly agent: Caller;
  /** With a login that may decide. */
  readonly approver: Caller;
  /** The tenant that most of it happens in. */
  readonly tenant: string;
  /** `POST /portal/api/members`, of every listener's router; parameters as `:name`. */
  readonly routes: readonly string[];
}

const roles = ['admin', 'accountant', 'merchandiser', 'developer', 'viewer'];
const plans = { reader: { entitlements: ['read'] }, writer: { entitlements: ['read', 'write'] } };

/** A running server, tenants that differ in what is decided about tools, and everybody who may call. */
export async function openSetting(): Promise<Setting> {
  const folder = await mkdtemp(within(tmpdir(), 'steward-recordings-'));
  const probe = within(folder, 'port');
  const service = makeServiceToken('recorder');
  const dns = await startDns();
  const world = await createProcessWorld({
    BRAND_HOST_DNS: dns.address,
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('../stall/probe.ts', import.meta.url))}`,
    STALL_PROBE: probe,
    SERVICE_TOKENS: service.entry,
    PLANS: JSON.stringify(plans),
    STOREFRONT_PER_IP_PER_MINUTE: '1000000',
    STOREFRONT_PER_KEY_PER_MINUTE: '1000000',
  });
  const { portal: portalBase, mcp } = world.server.addresses;
  const rest = async (token: string, tenant: string, method: string, path: string, body?: unknown): Promise<Answer> => {
    const more = body === undefined ? {} : { body };
    const answer = await world.call(`${portalBase}/api${path}`, { token, tenant, method, ...more });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const caller = (name: string, token: string, tenant?: string): Caller => ({
    name,
    headers: { authorization: `Bearer ${token}`, ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }) },
  });

  const user = 'owner@example.com';
  await using hired = await hireAgent(world, user);
  const { tenant } = hired;
  const approver = await world.token({ user, approver: true });
  const token = await world.token({ user });
  const join = async (email: string, role: string, invitation?: string): Promise<string> => {
    const path = invitation === undefined ? '/invitations' : `/invitations/${invitation}/secret`;
    const { body } = await rest(approver, tenant, 'POST', path, invitation === undefined ? { email, role } : undefined);
    const member = await world.token({ user: email });
    const accept = `${portalBase}/api/invitations/accept`;
    const { status } = await world.call(accept, { token: member, body: { secret: body['secret'] } });
    if (status >= 400) throw new Error(`${email} is not let in`);
    return member;
  };
  /** An invitation that an agent proposed and a person approved: whoever accepts it was made through that agent. */
  const invitedBy = async (agentId: string): Promise<string> => {
    const params = {
      name: 'service_invite_member',
      arguments: { email: 'suspended@example.com', role: 'admin' },
    };
    const { body } = await world.call(`${mcp}/p/portal`, {
      token: await agent(agentId),
      tenant,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    const path = `/pending-actions/${String(body['result']?.['structuredContent']?.['pending_action_id'])}`;
    const { previewHash } = (await rest(approver, tenant, 'GET', path)).body;
    const approved = await rest(approver, tenant, 'POST', `${path}/approve`, { previewHash });
    return String(approved.body['result']?.['data']?.['invitation_id']);
  };
  const principalOf = async (email: string): Promise<string> => {
    const { body } = await rest(token, tenant, 'GET', '/members?limit=200');
    const items = body['items'] as unknown as readonly { principalId: string; email?: string }[];
    return items.find((one) => one.email === email)?.principalId ?? '';
  };
  const agent = async (agentId: string, scope?: string, of = user): Promise<string> =>
    world.token({ user: of, agent: agentId, ...(scope === undefined ? {} : { scope }) });

  const grants: Readonly<Record<string, object>> = {
    'granted-all': {},
    'granted-reading': { tiers: ['read'] },
    'granted-no-approval': { tiers: ['read', 'write'] },
    'granted-accounting': { pillars: ['accounting'] },
    'granted-two-tools': { tools: ['service_list_accounts', 'service_create_party'] },
  };
  for (const [agentId, grant] of Object.entries(grants))
    await rest(approver, tenant, 'POST', '/agent-grants', { agentId, ...grant });
  const byRole = new Map<string, string>();
  for (const role of roles) byRole.set(role, await join(`${role}@example.com`, role));
  const removed = await join('removed@example.com', 'admin');
  await rest(approver, tenant, 'DELETE', `/members/user/${await principalOf('removed@example.com')}`);
  for (const [client, role] of [
    ['robot', 'admin'],
    ['robot-viewer', 'viewer'],
  ])
    await rest(approver, tenant, 'POST', '/members', { principalType: 'service', principalId: client, role });
  const suspended = await join('suspended@example.com', 'admin', await invitedBy('rogue'));
  await rest(approver, tenant, 'DELETE', '/agent-grants/rogue');
  const shop = await openShop(hired, ['https://shop.example'], []);
  const keyOf = async (mode: string): Promise<string> => {
    const { sdk_key } = await hired.call('service_issue_sdk_key', { site_id: shop.siteId, mode, label: mode });
    return String(sdk_key?.['key']);
  };

  const people = [
    caller('owner', token, tenant),
    caller('owner-deciding', approver, tenant),
    ...[...byRole].map(([role, held]) => caller(role, held, tenant)),
    ...(await Promise.all(
      roles.map(async (role) =>
        caller(`${role}-deciding`, await world.token({ user: `${role}@example.com`, approver: true }), tenant),
      ),
    )),
    caller('removed', removed, tenant),
    caller('suspended', suspended, tenant),
    caller('stranger', await world.token({ user: 'stranger@example.com' }), tenant),
  ];
  const scopesOf: Readonly<Record<string, string>> = {
    none: 'openid',
    read: 'mcp:read',
    write: 'mcp:write',
    crm: 'mcp:crm',
    'read-crm': 'mcp:read mcp:crm',
    'all-accounting': 'mcp:read mcp:write mcp:accounting',
  };
  const scopes = [
    ...(await Promise.all(
      Object.entries(scopesOf).map(async ([name, scope]) =>
        caller(`owner+${name}`, await world.token({ user, scope }), tenant),
      ),
    )),
    ...(await Promise.all(
      Object.entries(scopesOf).map(async ([name, scope]) =>
        caller(`agent+${name}`, await agent('assistant-1', scope), tenant),
      ),
    )),
    caller('viewer-agent+read', await agent('assistant-1', 'mcp:read', 'viewer@example.com'), tenant),
    caller('granted-read+crm', await agent('granted-reading', 'mcp:crm'), tenant),
    caller('granted-acc+crm', await agent('granted-accounting', 'mcp:read mcp:write mcp:crm'), tenant),
  ];
  const agents = [
    caller('agent', hired.token, tenant),
    ...(await Promise.all(
      roles.map(async (role) =>
        caller(`${role}-agent`, await agent('assistant-1', undefined, `${role}@example.com`), tenant),
      ),
    )),
    caller('client-alone', await signed(world, token, { aud: mcp, client_id: 'assistant-2' }), tenant),
    caller('unknown-client', await signed(world, token, { client_id: undefined }), tenant),
    caller('unknown-alone', await signed(world, token, { aud: mcp, client_id: undefined }), tenant),
    ...(await Promise.all(Object.keys(grants).map(async (agentId) => caller(agentId, await agent(agentId), tenant)))),
    caller('accountant-granted-r', await agent('granted-reading', undefined, 'accountant@example.com'), tenant),
    caller('granted-client', await signed(world, token, { client_id: 'granted-reading' }), tenant),
    caller('shut-out', await agent('rogue'), tenant),
    caller('shut-out-client', await signed(world, token, { client_id: 'rogue' }), tenant),
  ];
  const machine = await world.token({ client: 'robot' });
  const machines = [
    { name: 'nobody', headers: {} },
    { name: 'wrong-token', headers: { authorization: 'Bearer wrong', 'x-tenant-id': tenant } },
    caller('no-tenant', token),
    caller('other-tenant', token, '0190a0a0-0000-7000-8000-00000000000f'),
    caller('bound-elsewhere', await world.token({ user, tenant: '0190a0a0-0000-7000-8000-00000000000f' }), tenant),
    caller('machine-admin', machine, tenant),
    caller('machine-viewer', await world.token({ client: 'robot-viewer' }), tenant),
    caller('machine+read', await world.token({ client: 'robot', scope: 'mcp:read' }), tenant),
    caller('no-member-machine', await world.token({ client: 'robot-2' }), tenant),
    caller('service-token', service.token, tenant),
    caller('internal-scope', await world.token({ client: 'robot', scope: 'mcp:internal' }), tenant),
    { name: 'key-live', headers: { 'x-service-sdk-key': shop.key } },
    { name: 'key-test', headers: { 'x-service-sdk-key': await keyOf('test') } },
    caller('key-as-token', shop.key, tenant),
  ];

  /** Owner, agent and deciding owner of a tenant of their own, once something was decided there. */
  const elsewhere = async (
    name: string,
    decide: (tenant: string, deciding: string) => Promise<unknown>,
    more: (of: string, tenant: string) => Promise<Caller[]> = async () => [],
  ): Promise<Caller[]> => {
    const of = `${name}@example.com`;
    const { tenant: own, token: held } = await world.signUp(of);
    const deciding = await world.token({ user: of, approver: true });
    await decide(own, deciding);
    return [
      caller(`${name}-owner`, held, own),
      caller(`${name}-agent`, await agent('assistant-1', undefined, of), own),
      caller(`${name}-deciding`, deciding, own),
      ...(await more(of, own)),
    ];
  };
  const tier = (to: string) => async (own: string) =>
    outputOf(world.command(['tenant', 'tier', '--tenant', own, '--tier', to], { PLANS: JSON.stringify(plans) }));
  const change = (path: string, body: object) => async (own: string, deciding: string) => {
    const { body: before } = await rest(deciding, own, 'GET', path);
    return rest(deciding, own, 'PUT', path, { ...before, ...body });
  };
  const tiers = [
    ...(await elsewhere('free', tier('free'))),
    ...(await elsewhere('reader', tier('reader'))),
    ...(await elsewhere('writer', tier('writer'))),
  ];
  const denied = [
    'service_list_accounts',
    'service_create_party',
    'service_update_organization',
    'service_search_contacts',
  ];
  const gated = ['service_create_party', 'service_create_site', 'service_upsert_contact', 'service_attach_file'];
  const policies = [
    ...(await elsewhere('denied', change('/tool-policy', { deniedTools: denied }))),
    ...(await elsewhere(
      'grants',
      async (own, deciding) => {
        await rest(deciding, own, 'POST', '/agent-grants', { agentId: 'granted-all' });
        return change('/tool-policy', { agentsNeedGrant: true })(own, deciding);
      },
      async (of, own) => [caller('grants-granted', await agent('granted-all', undefined, of), own)],
    )),
    ...(await elsewhere(
      'gated',
      change('/approval-policy', { tools: Object.fromEntries(gated.map((name) => [name, { tier: 'approval' }])) }),
    )),
    ...(await elsewhere('retail', async (own, deciding) =>
      rest(deciding, own, 'PATCH', '/organization', {
        persona: 'retail',
        version: (await rest(deciding, own, 'GET', '/organization')).body['version'],
      }),
    )),
  ];
  const seen = (await (await fetch(`http://127.0.0.1:${await readFile(probe, 'utf8')}/seen`)).json()) as {
    routes: string[];
  };
  const wire = new Wire();
  return {
    world,
    dns,
    wire,
    origin: new URL(mcp).origin,
    callers: { people, scopes, agents, machines, tiers, policies },
    owner: people[0] as Caller,
    agent: agents[0] as Caller,
    approver: people[1] as Caller,
    tenant,
    routes: seen.routes,
    [Symbol.asyncDispose]: async () => {
      wire[Symbol.dispose]();
      await world[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
