import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantA } from '../fixtures/callers.ts';
import { startWorld, type World } from '../fixtures/world.ts';

describe('protected-resource metadata', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  const wellKnown = (suffix: string): string =>
    `${new URL(world.addresses.mcp).origin}/.well-known/oauth-protected-resource${suffix}`;

  test('names the resource exactly as it is typed, at every address and at the root', async () => {
    const { mcp, mcpAlias, issuer } = world.addresses;
    for (const [suffix, resource] of [
      ['', mcp],
      ['/mcp', mcp],
      ['/rpc', mcpAlias],
      [`/mcp/t/${tenantA}`, `${mcp}/t/${tenantA}`],
      ['/mcp/p/accounting', `${mcp}/p/accounting`],
      [`/rpc/t/${tenantA}/p/crm`, `${mcpAlias}/t/${tenantA}/p/crm`],
    ] as const) {
      const { status, json, headers } = await world.fetch(wellKnown(suffix));
      assert.equal(status, 200, suffix);
      assert.deepEqual(json, {
        resource,
        authorization_servers: [issuer],
        scopes_supported: ['mcp:read', 'mcp:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Steward tools',
      });
      assert.equal(headers.get('access-control-allow-origin'), '*');
    }
  });

  test('is there for no address that is none, and does not tell tenants from others', async () => {
    for (const suffix of ['/mcp/nothing', '/mcp/t/x', '/mcp/p/none', '/mcp/manifest', '/portal', '/mcp/sse']) {
      assert.equal((await world.fetch(wellKnown(suffix))).status, 404, suffix);
    }
    const stranger = '0190a0a0-0000-7000-8000-0000000000ff';
    assert.equal((await world.fetch(wellKnown(`/mcp/t/${stranger}`))).status, 200);
  });

  test('is read, not written', async () => {
    assert.equal((await world.fetch(wellKnown('/mcp'), { method: 'POST' })).status, 405);
    assert.equal((await world.fetch(wellKnown('/mcp'), { method: 'OPTIONS' })).status, 204);
    assert.equal((await world.fetch(wellKnown('/mcp'), { method: 'HEAD' })).status, 200);
  });
});
