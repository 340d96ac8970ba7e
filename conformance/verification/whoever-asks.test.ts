import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type World } from '@steward/conformance/world';

describe('verification of a log that nobody touched', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const ways = {
    'a person at the tool endpoint': {},
    'an agent of a person': { agent: 'assistant-1' },
  } as const;
  for (const [who, options] of Object.entries(ways))
    test(`finds nothing after ${who} proposed an action`, async () => {
      const user = `${who.replaceAll(' ', '-')}@example.com`;
      const { tenant } = await world.signUp(user);
      const token = await world.token({ user, ...options });
      const { body } = await world.call(world.server.addresses.mcp, {
        token,
        tenant,
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'service_invite_member', arguments: { email: 'bob@example.com', role: 'accountant' } },
        },
      });
      assert.equal(String(body['result']?.['structuredContent']?.['status']), 'pending_approval', JSON.stringify(body));
      const { code, out } = await world.command(['audit', 'verify', '--tenant', tenant]);
      assert.equal(code, 0, out);
    });

  test('finds nothing after a person proposed an action over REST', async () => {
    const { tenant, token } = await world.signUp('rest@example.com');
    const { status, body } = await world.call(`${world.server.addresses.portal}/api/pending-actions`, {
      token,
      tenant,
      body: { tool: 'service_invite_member', arguments: { email: 'bob@example.com', role: 'accountant' } },
    });
    assert.equal(status, 201, JSON.stringify(body));
    const { code, out } = await world.command(['audit', 'verify', '--tenant', tenant]);
    assert.equal(code, 0, out);
  });
});
