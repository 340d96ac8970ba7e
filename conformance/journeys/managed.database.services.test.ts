import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterVariable } from '@steward/testing';

// A server that is not ours and not the newest: PostgreSQL of the machine, reached over TCP with logins of its own.
process.env[clusterVariable] = process.env['DATABASE_URL_TEST'];
const { createProcessWorld } = await import('@steward/conformance/world');

describe('on a database of the machine', () => {
  test('migrates, signs up, calls a tool, appends and stops; another process joins', async () => {
    await using world = await createProcessWorld();
    const { tenant, token } = await world.signUp('alice@example.com', 'Elsewhere');
    const accounts = await world.call(`${world.server.addresses.accounting}/api/accounts?limit=1`, { token, tenant });
    assert.equal(accounts.status, 200);
    const call = await world.call(world.server.addresses.mcp, {
      token,
      tenant,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_update_organization', arguments: { name: 'Moved' } },
      },
    });
    assert.equal(call.body['result']?.['structuredContent']?.['status'], 'ok');
    const other = await world.another();
    const there = await world.token({ user: 'alice@example.com' }, other);
    const organization = await world.call(`${other.addresses.portal}/api/organization`, { token: there, tenant });
    assert.equal(organization.body['name'], 'Moved');
    assert.equal(await other.stop(), 0);
    assert.equal(await world.server.stop(), 0);
  });

  test('a login that row-level security would not bind is refused', async () => {
    await using world = await createProcessWorld();
    await world.server.stop();
    const { startServer } = await import('@steward/conformance/world');
    await assert.rejects(
      startServer({
        DATABASE_URL: world.db.adminUrl,
        DATABASE_OWNER_URL: world.db.ownerUrl,
        DATA_DIR: `${world.dataDir}-x`,
      }),
      /is a superuser, so row-level security would not hold/,
    );
  });
});
