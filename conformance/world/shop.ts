import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Json, World } from './world.ts';

/** An owner's agent with an official client; tools answer with their data. */
export interface Agent extends AsyncDisposable {
  readonly tenant: string;
  readonly token: string;
  call(name: string, args: Record<string, unknown>): Promise<Json>;
  /** The same where its owner may have to approve it, which they do. */
  propose(name: string, args: Record<string, unknown>): Promise<void>;
}

/** @param pillar where the tools are listed that the endpoint itself leaves out */
export async function hireAgent(world: World, user: string, pillar = ''): Promise<Agent> {
  const { tenant } = await world.signUp(user);
  const token = await world.token({ user, agent: 'assistant-1' });
  const client = new Client({ name: 'journey', version: '1.0.0' });
  const address = new URL(`${world.server.addresses.mcp}/t/${tenant}${pillar === '' ? '' : `/p/${pillar}`}`);
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  const ask = async (name: string, args: object): Promise<Json> => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: { ...args } });
    const answer = structuredContent as Json;
    if (isError === true) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    tenant,
    token,
    call: async (name, args) => (await ask(name, args))['data'] ?? {},
    propose: async (name, args) => {
      const asked = await ask(name, args);
      const { pending_action_id: id } = asked;
      if (id === undefined) return;
      const person = { token: await world.token({ user, approver: true }), tenant };
      const at = `${world.server.addresses.portal}/api/pending-actions/${String(id)}`;
      const { previewHash } = (await world.call(at, person)).body;
      const { body } = await world.call(`${at}/approve`, { ...person, body: { previewHash } });
      assert.equal(String(body['state']), 'executed', JSON.stringify(body));
    },
    [Symbol.asyncDispose]: async () => client.close(),
  };
}

/** A form that pages can show. */
export interface Shop {
  readonly siteId: string;
  readonly key: string;
  readonly formId: string;
}

/** Site, key and published form, each by one call of a tool. */
export async function openShop(agent: Agent, origins: readonly string[], notify: readonly string[]): Promise<Shop> {
  const { site } = await agent.call('service_create_site', { name: 'Online shop', origins });
  const siteId = String(site?.['id']);
  const { sdk_key } = await agent.call('service_issue_sdk_key', { site_id: siteId, mode: 'live', label: 'Shop pages' });
  const { form } = await agent.call('service_create_form', {
    site_id: siteId,
    name: 'Ask us',
    fields: [
      { name: 'full_name', label: 'Your name', type: 'text', required: true, maps_to: 'name' },
      { name: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' },
      { name: 'topic', label: 'Topic', type: 'select', options: ['Repairs', 'Rental'] },
      { name: 'message', label: 'Message', type: 'textarea', help_text: 'What shall we know?' },
      { name: 'consent', label: 'You may write to me', type: 'checkbox', required: true },
    ],
    validation_rules: [{ field: 'message', rule: 'max_length', value: 200 }],
    target_entity_type: 'crm_contact',
    notification_emails: notify,
  });
  const formId = String(form?.['id']);
  await agent.propose('service_publish_form', { form_id: formId });
  return { siteId, key: String(sdk_key?.['key']), formId };
}
