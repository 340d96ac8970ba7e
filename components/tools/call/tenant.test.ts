import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantA, tenantB } from '../fixtures/callers.ts';
import { call } from '../fixtures/requests.ts';
import { codeOf, resultOf } from '../fixtures/results.ts';
import { startWorld, type World } from '../fixtures/world.ts';

const nowhere = '0190a0a0-0000-7000-8000-0000000000ff';
const inA = { 'x-tenant-id': tenantA };

describe('the tenant of a call', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('takes the tenant from the header, the address, the token or the argument', async () => {
    const name = 'service_list_things';
    for (const [path, args, headers] of [
      ['/mcp', {}, inA],
      [`/mcp/t/${tenantA}`, {}, {}],
      [`/rpc/t/${tenantA}/p/accounting`, {}, {}],
      ['/mcp', {}, { authorization: 'Bearer alice-in-a' }],
      ['/mcp', { tenant_id: tenantA }, {}],
      [`/mcp/t/${tenantA}`, { tenant_id: tenantA }, { ...inA, authorization: 'Bearer alice-in-a' }],
    ] as const) {
      const result = resultOf(await world.post(path, call(name, args), headers));
      assert.equal(result['data']?.['tenant'], tenantA, `${path} ${JSON.stringify(args)}`);
    }
  });

  test('refuses two tenants that differ, wherever they stand', async () => {
    for (const [path, args, headers] of [
      ['/mcp', { tenant_id: tenantB }, inA],
      [`/mcp/t/${tenantA}`, { tenant_id: tenantB }, {}],
      [`/mcp/t/${tenantA}`, {}, { 'x-tenant-id': tenantB }],
      ['/mcp', { tenant_id: tenantB }, { authorization: 'Bearer alice-in-a' }],
      [`/mcp/t/${tenantB}`, {}, { authorization: 'Bearer alice-in-a' }],
    ] as const) {
      assert.equal(codeOf(await world.post(path, call('service_list_things', args), headers)), 'tenant_mismatch');
    }
  });

  test('without a tenant, says how to give one, and not whether there is such a tool', async () => {
    const answers = await Promise.all(
      ['service_list_things', 'service_audit_things', 'service_no_such_tool', '', '__proto__', 'constructor'].map(
        async (name) => world.post('/mcp', call(name)),
      ),
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const [first] = answers;
    assert.ok(first);
    const result = resultOf(first);
    assert.equal(result['error_code'], 'tenant_required');
    assert.match(String(result['summary']), /service_set_org.*X-Tenant-ID.*tenant_id.*\/t\//);
  });

  test('a tenant of others and one that does not exist are one answer', async () => {
    const answers = await Promise.all(
      [tenantB, nowhere, 'not-an-id', tenantA.toUpperCase()].map(async (tenant) =>
        world.post('/mcp', call('service_list_things'), { 'x-tenant-id': tenant }),
      ),
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(codeOf(answers[0] as (typeof answers)[0]), 'tenant_forbidden');
    assert.equal(
      world.denials.some(({ tenant }) => tenant !== tenantA),
      false,
    );
  });

  test('selecting an organization answers the header to send, and checks that it can be sent', async () => {
    const select = async (tenant: unknown, path = '/mcp', headers: Record<string, string> = {}) =>
      world.post(path, call('service_set_org', { tenant_id: tenant }), headers);
    const selected = resultOf(await select(tenantA));
    assert.deepEqual(selected['next_request_headers'], { 'X-Tenant-ID': tenantA });
    assert.deepEqual(selected['data']?.['organization'], { id: tenantA, name: 'Acme', role: 'owner' });
    assert.equal(codeOf(await select(tenantB)), 'tenant_forbidden');
    assert.equal(codeOf(await select(nowhere)), 'tenant_forbidden');
    assert.equal(codeOf(await select('nonsense')), 'tenant_forbidden');
    assert.equal(codeOf(await select(undefined)), 'invalid_arguments');
    // It replaces what the header says, but no address or token.
    assert.equal(resultOf(await select(tenantA, '/mcp', inA))['status'], 'ok');
    assert.equal(codeOf(await select(tenantB, `/mcp/t/${tenantA}`)), 'tenant_mismatch');
    assert.equal(codeOf(await select(tenantB, '/mcp', { authorization: 'Bearer alice-in-a' })), 'tenant_mismatch');
  });

  test('says who calls', async () => {
    const agent = resultOf(await world.post('/mcp', call('service_whoami'), inA));
    assert.deepEqual(agent['data'], {
      principal: { type: 'agent', id: 'assistant' },
      acting_for: { type: 'user', id: 'alice' },
      display_name: 'alice',
      scopes: ['mcp:read', 'mcp:write'],
      organization: { id: tenantA, role: 'owner', persona: 'retail', shut_out: false },
    });
    const nobody = resultOf(await world.post('/mcp', call('service_list_orgs'), { authorization: 'Bearer bob' }));
    assert.deepEqual(nobody['data'], { organizations: [] });
  });
});
