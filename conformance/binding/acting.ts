import { type Answer, type Json, toolPaths, type World } from '@steward/conformance/world';
import type { Do, Things } from './commands.ts';
import type { DnsServer } from '@steward/testing';
import { feeding } from './feed.ts';
import { calledBack } from './callbacks.ts';
import { ordering } from './order.ts';
import { givingTokens } from './product-feed.ts';

/** An agent in a tenant of its own, and the person who approves alone what waits. */
export interface Acting {
  readonly tenant: string;
  readonly things: Things;
  /** What a call of a tool answers. */
  readonly call: Do;
  /** Calls a command, has it approved where it waits, and answers its data. */
  readonly act: Do;
}

export async function actingIn(
  world: World,
  user: string,
  organization: string,
  dns?: Pick<DnsServer, 'texts'>,
): Promise<Acting> {
  const { tenant } = await world.signUp(user, organization);
  const agent = await world.token({ user, agent: 'assistant-1' });
  const approver = await world.token({ user, approver: true });
  const rest = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const more = body === undefined ? {} : { body };
    return world.call(`${world.server.addresses.portal}/api${path}`, { token: approver, tenant, method, ...more });
  };
  const gate = async (...names: readonly string[]): Promise<void> => {
    const { body } = await rest('GET', '/approval-policy');
    const tools = Object.fromEntries(names.map((name) => [name, { tier: 'approval' }]));
    const policy = { ...body, newPayeeFourEyes: false, soleApprover: true, tools };
    const put = await rest('PUT', '/approval-policy', policy);
    if (put.status !== 200) throw new Error(JSON.stringify(put.body));
  };
  const rpc = async (path: string, method: string, params: object): Promise<Json> => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    return (await world.call(`${world.server.addresses.mcp}/p/${path}`, { token: agent, tenant, body })).body;
  };
  const pathOf = new Map<string, string>();
  for (const path of toolPaths) {
    const { tools } = (await rpc(path, 'tools/list', {}))['result'] ?? {};
    for (const { name } of tools as unknown as Json[]) pathOf.set(String(name), path);
  }
  const call: Do = async (name, args) => {
    const answer = await rpc(pathOf.get(name) ?? 'accounting', 'tools/call', { name, arguments: args });
    return answer['result']?.['structuredContent'] ?? answer;
  };
  const act: Do = async (name, args) => {
    const asked = await call(name, args);
    if (String(asked['status']) === 'ok') return asked['data'] ?? {};
    const path = `/pending-actions/${String(asked['pending_action_id'])}`;
    const { previewHash } = (await rest('GET', path)).body;
    const { body } = await rest('POST', `${path}/approve`, { previewHash });
    if (String(body['state']) !== 'executed') throw new Error(`${name}: ${JSON.stringify([asked, body])}`);
    return (body['result']?.['data'] ?? {}) as Json;
  };
  await gate();
  let last = 1_000;
  const { brands } = await act('service_list_brands', {});
  const things: Things = {
    tenant,
    brand: String((brands as unknown as Json[])[0]?.['id']),
    next: () => (last += 1),
    pending: async () => {
      await gate('service_create_party');
      const waiting = await call('service_create_party', { name: 'Waiting Ltd' });
      await gate();
      return String(waiting['pending_action_id']);
    },
    order: ordering(world, tenant),
    feed: feeding(world, { rest, act, next: () => (last += 1) }),
    ...calledBack(world, tenant),
    withToken: givingTokens(world, tenant, user),
    inDns: (name, value) => void dns?.texts.set(name, [value]),
    submit: async (form, site, email, mode = 'live') => {
      const { sdk_key } = await act('service_issue_sdk_key', { site_id: site, mode, label: 'Pages' });
      const headers = { 'x-service-sdk-key': String(sdk_key?.['key']) };
      const url = `${world.server.addresses.storefront}/forms/${form}/submit`;
      const { status, body } = await world.call(url, { body: { data: { email } }, headers });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return String(body['submissionId']);
    },
  };
  return { tenant, things, call, act };
}
