import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tenantA, tenantB } from '../fixtures/callers.ts';
import { call } from '../fixtures/requests.ts';
import { codeOf } from '../fixtures/results.ts';
import { startWorld } from '../fixtures/world.ts';

const inA = { 'x-tenant-id': tenantA };

describe('refused calls of a member', () => {
  test('are recorded before the answer leaves: what is invisible, what is unknown, what the role forbids', async () => {
    await using world = await startWorld();
    const victor = { ...inA, authorization: 'Bearer victor' };
    for (const [name, code, args] of [
      ['service_audit_things', 'tool_unavailable', {}],
      ['service_none', 'tool_unavailable', {}],
      ['service_refuse_things', 'insufficient_role', { how: 'role' }],
    ] as const) {
      await world.post('/mcp', call(name, args), victor);
      assert.deepEqual(world.denials.at(-1), { tenant: tenantA, tool: name, code, surface: 'public' });
    }
    const recorded = world.denials.length;
    await world.post('/mcp', call('service_none'), { 'x-tenant-id': tenantB });
    await world.post('/mcp', call('service_none'));
    await world.post('/mcp', call('service_refuse_things', { how: 'missing' }), victor);
    assert.equal(world.denials.length, recorded);
  });

  test('are not answered when they cannot be recorded', async () => {
    await using world = await startWorld({
      recordDenied: async () => {
        throw new Error('the log is away');
      },
    });
    assert.equal(codeOf(await world.post('/mcp', call('service_none'), inA)), 'internal_error');
  });
});
