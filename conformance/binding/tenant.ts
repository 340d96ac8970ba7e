import assert from 'node:assert/strict';
import { type Answer, type Json, toolPaths, type World } from '@steward/conformance/world';
import type { Do, Things } from './commands.ts';
import type { DnsServer } from '@steward/testing';
import { feeding } from './feed.ts';
import { calledBack } from './callbacks.ts';
import { ordering } from './order.ts';
import { givingTokens } from './product-feed.ts';

/** A tenant where an agent asks for commands and one person approves them. */
export interface CommandTenant {
  readonly tenant: string;
  /** The commands that the agent is offered. */
  readonly offered: ReadonlyMap<string, { readonly tier: string; readonly description: string }>;
  /** What a tool answered to the agent. */
  call(name: string, args: object): Promise<Json>;
  /** A route of the portal, as a person who may decide. */
  rest(method: string, path: string, body?: unknown): Promise<Answer>;
  /** One person is enough for anything, and these wait for them. */
  gate(...tools: string[]): Promise<void>;
  /** The pending action, as a person reads it. */
  read(id: string): Promise<Json>;
  approve(id: string, previewHash: unknown): Promise<Answer>;
  /** A command that waits; as a person reads it. */
  propose(name: string, args: object): Promise<Json>;
  readonly act: Do;
  things(): Promise<Things>;
}

export async function openTenant(world: World, dns: Pick<DnsServer, 'texts'>): Promise<CommandTenant> {
  const { tenant } = await world.signUp('owner@example.com', 'Bound');
  const agent = await world.token({ user: 'owner@example.com', agent: 'assistant-1' });
  const approver = await world.token({ user: 'owner@example.com', approver: true });
  const pathOf = new Map<string, string>();
  const offered = new Map<string, { tier: string; description: string }>();
  const rpc = async (path: string, method: string, params: object): Promise<Answer> =>
    world.call(`${world.server.addresses.mcp}/t/${tenant}/p/${path}`, {
      token: agent,
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
  const call = async (name: string, args: object): Promise<Json> => {
    const answer = await rpc(pathOf.get(name) ?? 'accounting', 'tools/call', { name, arguments: args });
    return answer.body['result']?.['structuredContent'] ?? answer.body;
  };
  const rest = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, {
      token: approver,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const gate = async (...tools: string[]): Promise<void> => {
    const { body } = await rest('GET', '/approval-policy');
    const policy = {
      ...body,
      fourEyesAbove: [
        { amount: '1000000.00', currency: 'USD' },
        { amount: '1000000.00', currency: 'CHF' },
      ],
      newPayeeFourEyes: false,
      soleApprover: true,
      tools: Object.fromEntries(tools.map((name) => [name, { tier: 'approval' }])),
    };
    assert.equal((await rest('PUT', '/approval-policy', policy)).status, 200);
  };
  const read = async (id: string): Promise<Json> => (await rest('GET', `/pending-actions/${id}`)).body;
  const approve = async (id: string, previewHash: unknown): Promise<Answer> =>
    rest('POST', `/pending-actions/${id}/approve`, { previewHash });
  const propose = async (name: string, args: object): Promise<Json> => {
    const asked = await call(name, args);
    assert.equal(String(asked['status']), 'pending_approval', `${name}: ${JSON.stringify(asked)}`);
    return read(String(asked['pending_action_id']));
  };
  const act: Do = async (name, args) => {
    const asked = await call(name, args);
    if (String(asked['status']) === 'ok') return asked['data'] ?? {};
    assert.equal(String(asked['status']), 'pending_approval', `${name}: ${JSON.stringify(asked)}`);
    const id = String(asked['pending_action_id']);
    const { body } = await approve(id, (await read(id))['previewHash']);
    assert.equal(String(body['state']), 'executed', `${name}: ${JSON.stringify(body)}`);
    return (body['result']?.['data'] ?? {}) as Json;
  };
  let last = 1_000;
  const things = async (): Promise<Things> => ({
    tenant,
    brand: String(((await act('service_list_brands', {}))['brands'] as unknown as Json[])[0]?.['id']),
    next: () => (last += 1),
    pending: async () => {
      await gate('service_create_party');
      const asked = await call('service_create_party', { name: 'Waiting Ltd' });
      return String(asked['pending_action_id']);
    },
    order: ordering(world, tenant),
    feed: feeding(world, { rest, act, next: () => (last += 1) }),
    ...calledBack(world, tenant),
    withToken: givingTokens(world, tenant, 'owner@example.com'),
    inDns: (name, value) => void dns.texts.set(name, [value]),
    submit: async (form, site, email, mode = 'live') => {
      const { sdk_key } = await act('service_issue_sdk_key', { site_id: site, mode, label: 'Pages' });
      const answer = await world.call(`${world.server.addresses.storefront}/forms/${form}/submit`, {
        body: { data: { email } },
        headers: { 'x-service-sdk-key': String(sdk_key?.['key']) },
      });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return String(answer.body['submissionId']);
    },
  });

  for (const path of toolPaths) {
    const { tools } = (await rpc(path, 'tools/list', {})).body['result'] ?? {};
    for (const { name, description, _meta: about } of tools as unknown as Json[]) {
      pathOf.set(String(name), path);
      if (String(about?.['kind']) === 'command')
        offered.set(String(name), { tier: String(about?.['tier']), description: String(description) });
    }
  }
  await gate();
  return { tenant, offered, call, rest, gate, read, approve, propose, act, things };
}
