import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createMetrics } from '@steward/kernel';
import { createWorld, type World } from '../fixtures/world.ts';
import { listEvents } from '../events/list.ts';

describe('denied calls', () => {
  let world: World;
  let now = Date.parse('2026-03-01T10:00:00Z');
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  const denial = { tool: 'service_pay_bill', code: 'not_visible', surface: 'public' };

  test('stand in the chain before the answer leaves', async () => {
    const one = world.process();
    const tenant = await one.tenant({ alice: 'owner', vera: 'viewer' });
    await one.audit.recordDenied(one.as(tenant, 'vera'), denial);
    const [event] = await listEvents(one.as(tenant, 'alice'), { type: 'tools.call.denied' }, { limit: 1 });
    assert.deepEqual(event?.envelope.payload, denial);
    assert.deepEqual(event?.envelope.principalChain, [{ principalType: 'user', principalId: 'vera' }]);
  });

  test('are recorded sixty times a minute and principal, and summed up beyond', async () => {
    const one = world.process({ clock: () => now });
    const tenant = await one.tenant({ alice: 'owner', vera: 'viewer' });
    const count = async (type: string): Promise<number> =>
      (await listEvents(one.as(tenant, 'alice'), { type }, { limit: 500 })).length;
    for (let n = 0; n < 75; n += 1) await one.audit.recordDenied(one.as(tenant, 'vera'), denial);
    await one.audit.recordDenied(one.as(tenant, 'alice'), denial);
    assert.equal(await count('tools.call.denied'), 61);
    assert.equal(await count('tools.calls.denied'), 0);
    now += 60_000;
    await one.audit.recordDenied(one.as(tenant, 'vera'), denial);
    assert.equal(await count('tools.call.denied'), 62);
    const [sum] = await listEvents(one.as(tenant, 'alice'), { type: 'tools.calls.denied' }, { limit: 1 });
    assert.deepEqual(sum?.envelope.payload, {
      count: 15,
      since: '2026-03-01T10:00:00.000Z',
      until: '2026-03-01T10:00:00.000Z',
    });
  });

  test('at once are limited too', async () => {
    const one = world.process();
    const tenant = await one.tenant();
    await Promise.all(Array.from({ length: 100 }, async () => one.audit.recordDenied(one.as(tenant, 'alice'), denial)));
    assert.equal((await listEvents(one.as(tenant, 'alice'), { type: 'tools.call.denied' }, { limit: 500 })).length, 60);
  });

  test('are summed up when the process stops', async () => {
    const one = world.process();
    const tenant = await one.tenant();
    for (let n = 0; n < 61; n += 1) await one.audit.recordDenied(one.as(tenant, 'alice'), denial);
    await one.stop();
    const reader = world.process();
    const [sum] = await listEvents(reader.as(tenant, 'alice'), { type: 'tools.calls.denied' }, { limit: 1 });
    assert.equal(sum?.envelope.payload['count'], 1);
  });

  test('of a stranger are counted and never written to the chain', async () => {
    const metrics = createMetrics();
    const one = world.process({ metrics });
    const tenant = await one.tenant();
    for (let n = 0; n < 70; n += 1) await one.audit.recordDenied(one.as(tenant, 'mallory'), denial);
    await one.stop();
    const reader = world.process();
    assert.equal((await listEvents(reader.as(tenant, 'alice'), {}, { limit: 10 })).length, 1);
    assert.match(await metrics.registry.metrics(), /steward_audit_denials_total\{outcome="stranger"\} 70/);
  });

  test('name tools as callers wrote them, cut to what an event may hold', async () => {
    const one = world.process();
    const tenant = await one.tenant();
    await one.audit.recordDenied(one.as(tenant, 'alice'), { tool: `${'x'.repeat(199)}😂\0`, code: 'unknown_tool' });
    const [event] = await listEvents(one.as(tenant, 'alice'), { type: 'tools.call.denied' }, { limit: 1 });
    assert.equal(event?.envelope.payload['tool'], `${'x'.repeat(199)}\ufffd`);
  });
});
