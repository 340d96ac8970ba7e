import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { components } from '@steward/server/components';
import { openPool, sql } from '@steward/sql';
import { createWorld, type Json, type World } from '../world/index.ts';

/** Publishable: it stands in pages, so that an action may keep it. */
const publishable = ['service_issue_sdk_key', 'service_rotate_sdk_key'];

describe('a secret that people approved', () => {
  let world: World;
  let tenant: string;
  let agent: string;
  let approver: string;
  const portal = async (method: string, path: string, body?: object): Promise<Json> => {
    const given = { token: approver, tenant, method, ...(body === undefined ? {} : { body }) };
    return (await world.call(`${world.server.addresses.portal}/api${path}`, given)).body;
  };
  const call = async (at: string, name: string, args: object): Promise<Json> => {
    const params = { name, arguments: args };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await world.call(`${world.server.addresses.mcp}/p/${at}`, { token: agent, tenant, body });
    return answer.body['result']?.['structuredContent'] ?? answer.body;
  };
  /** Approves what awaits a person. @returns the action, as it stands then */
  const approved = async (asked: Json): Promise<Json> => {
    assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
    const action = `/pending-actions/${String(asked['pending_action_id'])}`;
    const { previewHash } = await portal('GET', action);
    const { state } = await portal('POST', `${action}/approve`, { previewHash });
    assert.equal(String(state), 'executed', JSON.stringify(asked));
    return portal('GET', action);
  };
  before(async () => {
    world = await createWorld();
    const user = 'owner@example.com';
    ({ tenant } = await world.signUp(user));
    agent = await world.token({ user, agent: 'assistant-1' });
    approver = await world.token({ user, approver: true });
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is in no action, by any tool that answers one: whoever may see the action would read it for ever', async () => {
    const selling = 'commerce/selling';
    const brandId = String(((await portal('GET', '/brands'))['items'] as unknown as Json[])[0]?.['id']);
    const issue = { brand_id: brandId, profile_url: 'https://agent.example' };
    const issued = (await call(selling, 'service_issue_agent_credential', issue))['data']?.['credential'];
    assert.match(String(issued?.['key']), /^ak_test_/, 'at once it is shown');
    const webhook = { url: 'https://hooks.example/steward', types: ['commerce.order.placed'] };
    const made = await approved(await call('portal', 'service_create_webhook', webhook));
    const asks: Record<string, () => Promise<Json>> = {
      service_issue_agent_credential: async () => call(selling, 'service_issue_agent_credential', issue),
      service_rotate_agent_credential: async () =>
        call(selling, 'service_rotate_agent_credential', { credential_id: issued?.['id'] }),
      service_rotate_webhook_secret: async () =>
        call('portal', 'service_rotate_webhook_secret', {
          webhook_id: made['result']?.['data']?.['webhook']?.['id'],
        }),
    };
    const answering = components.flatMap(({ tools = [] }) =>
      tools.filter(({ answersSecret }) => answersSecret === true).map(({ name }) => name),
    );
    assert.deepEqual(answering.toSorted(), [...Object.keys(asks), ...publishable].toSorted());
    const policy = await portal('GET', '/approval-policy');
    const tools = Object.fromEntries(Object.keys(asks).map((name) => [name, { tier: 'approval' }]));
    await portal('PUT', '/approval-policy', { ...policy, tools });
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    for (const [name, ask] of Object.entries(asks)) {
      const action = await approved(await ask());
      const [row] = await admin.query(
        sql`select a::text as all from approvals.action a where action_id = ${String(action['id'])}::uuid`,
      );
      assert.doesNotMatch(`${JSON.stringify(action)} ${String(row?.['all'])}`, /ak_test_[\w-]{9}|whsec_\w/, name);
    }
  });
});
