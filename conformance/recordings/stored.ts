import { openPool, statement } from '@steward/sql';
import type { Answer, Json } from '@steward/conformance/world';
import { commands, type Do } from '../binding/commands.ts';
import { normalised } from './normalised.ts';
import type { Setting } from './setting.ts';

/** A type alias: a row is open to any column. */
type Stored = { readonly type: string; readonly text: string };

/**
 * What is kept for good, once every command was carried out and everybody was made who calls here: of each type the log's event that
 * says most, and of each type the row of the outbox that does. As they are stored, but for ids, times and digests.
 */
export async function stored(setting: Setting): Promise<Record<string, string>> {
  const { world } = setting;
  await everyCommand(setting);
  const admin = openPool({ url: world.db.adminUrl, size: 1 });
  try {
    const rows = async (text: string): Promise<readonly Stored[]> => admin.query<Stored>(statement(text));
    const addresses = [setting.origin, world.server.internalUrl];
    const fullest = (all: readonly Stored[]): string => {
      const found = new Map<string, string>();
      for (const { type, text } of all) {
        const one = normalised(text, addresses);
        const other = found.get(type) ?? '';
        if (one.length > other.length || (one.length === other.length && one < other)) found.set(type, one);
      }
      return [...found]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, text]) => `${text}\n`)
        .join('');
    };
    return {
      'stored/events.jsonl': fullest(await rows('select type, event as text from audit.event')),
      'stored/announced.txt': fullest(
        await rows(`select type, type || ' ' || source || ' ' || data as text from bus.outbox`),
      ),
    };
  } finally {
    await admin.close();
  }
}

/** Each command there is, carried out by an agent in a tenant of its own, where one person approves what waits. */
async function everyCommand({ world }: Setting): Promise<void> {
  const user = 'recorded@example.com';
  const { tenant } = await world.signUp(user, 'Recorded');
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
  const pillars = ['portal', 'accounting', 'studio', 'crm'];
  const rpc = async (pillar: string, method: string, params: object): Promise<Json> => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    return (await world.call(`${world.server.addresses.mcp}/p/${pillar}`, { token: agent, tenant, body })).body;
  };
  const pillarOf = new Map<string, string>();
  for (const pillar of pillars) {
    const { tools } = (await rpc(pillar, 'tools/list', {}))['result'] ?? {};
    for (const { name } of tools as unknown as Json[]) pillarOf.set(String(name), pillar);
  }
  const call: Do = async (name, args) => {
    const answer = await rpc(pillarOf.get(name) ?? 'accounting', 'tools/call', { name, arguments: args });
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
  const things = {
    tenant,
    brand: String((brands as unknown as Json[])[0]?.['id']),
    next: () => (last += 1),
    pending: async () => {
      await gate('service_create_party');
      return String((await call('service_create_party', { name: 'Waiting Ltd' }))['pending_action_id']);
    },
    submit: async (form: string, site: string, email: string, mode: 'live' | 'test' = 'live') => {
      const { sdk_key } = await act('service_issue_sdk_key', { site_id: site, mode, label: 'Pages' });
      const headers = { 'x-service-sdk-key': String(sdk_key?.['key']) };
      const url = `${world.server.addresses.storefront}/forms/${form}/submit`;
      const { status, body } = await world.call(url, { body: { data: { email } }, headers });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return String(body['submissionId']);
    },
  };
  for (const [name, argumentsOf] of Object.entries(commands)) await act(name, await argumentsOf(act, things));
}
