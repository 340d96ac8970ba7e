import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { permit } from '@steward/access';
import { undeclared } from '@steward/kernel';
import { sql } from '@steward/sql';
import { verifyChains } from '@steward/verification';
import { anything, createWorld, sample, type Process, type World } from '../fixtures/world.ts';
import { listEvents } from '../events/list.ts';

describe('recording by verbs', () => {
  let world: World;
  let one: Process;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    tenant = await one.tenant({ alice: 'owner', vera: 'viewer' });
  });
  after(async () => world[Symbol.asyncDispose]());

  const event = undeclared({
    type: 'portal.member.invited',
    eventVersion: '1.0.0',
    grammar: 'portal',
    source: 'portal',
    payload: { role: 'viewer' },
  });
  const latest = async () => {
    const [found] = await listEvents(one.as(tenant, 'alice'), {}, { limit: 1 });
    assert.ok(found);
    return found;
  };

  test('opens a chain at its genesis with its first event', async () => {
    const [first] = await listEvents(one.as(tenant, 'alice'), { type: 'audit.chain.opened' }, { limit: 1 });
    assert.equal(first?.sequence, 1);
    assert.equal(first?.envelope.payload['genesis'], first?.prevHash);
    assert.deepEqual(first?.envelope.principalChain, [{ principalType: 'system', principalId: 'signup' }]);
  });

  test('carries chain, caller, correlation and cause of the call, and answers the id', async () => {
    const chain = [
      { type: 'user', id: 'alice' },
      { type: 'agent', id: 'assistant-1' },
    ] as const;
    const context = one.tenancy.context({
      tenant,
      chain,
      subject: chain[0],
      caller: chain[1],
      requestId: 'r-1',
      correlationId: 'w-1',
      causalId: 'c-1',
    });
    const id = await context.require(anything).write(async (tx) => tx.record(event));
    const { envelope } = await latest();
    assert.equal(envelope.id, id);
    assert.deepEqual(envelope.principalChain, [
      { principalType: 'user', principalId: 'alice' },
      { principalType: 'agent', principalId: 'assistant-1' },
    ]);
    assert.deepEqual(envelope.ingestedBy, { principalType: 'agent', principalId: 'assistant-1' });
    assert.deepEqual([envelope.correlationId, envelope.causalId], ['w-1', 'c-1']);
  });

  test('stands and falls with the change', async () => {
    const { sequence } = await latest();
    const write = one.as(tenant, 'alice').require(anything);
    await assert.rejects(
      write.write(async (tx) => {
        tx.record(event);
        throw new Error('on second thoughts');
      }),
      /second thoughts/,
    );
    await write.write(async (tx) => {
      tx.record(event);
      tx.record({ ...event, causalId: 'x' });
    });
    assert.equal((await latest()).sequence, sequence + 2);
  });

  test('fails the verb when its own event is at fault', async () => {
    const members = async () => world.admin.query(sql`select from identity.member where tenant_id = ${tenant}`);
    const before = (await members()).length;
    for (const wrong of [
      { grammar: 'astrology' },
      { type: 'Portal' },
      { type: 'audit.chain.opened', grammar: 'audit' },
    ]) {
      await assert.rejects(
        one
          .as(tenant, 'alice')
          .require(anything)
          .write(async (tx) => {
            await tx.query(sql`insert into identity.member (tenant_id, principal_type, principal_id, role)
            values (${tenant}, 'user', 'ghost', 'viewer')`);
            tx.record({ ...event, ...wrong });
          }),
      );
    }
    assert.equal((await members()).length, before);
  });

  test('asks for the chain to be opened first', async () => {
    const nowhere = one.tenancy.systemContext({ ...one.as('01a00000-0000-7000-8000-000000000009', 'alice') });
    await assert.rejects(
      nowhere.require(permit('x', ['platform'])).write(async (tx) => tx.record(event)),
      /no audit chain/,
    );
  });

  test('shares the chain with ingest under load, without a gap', async () => {
    const other = world.process();
    const busy = await one.tenant();
    await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const { audit, as } = n % 4 < 2 ? one : other;
        if (n % 2 === 0) await audit.ingest(as(busy, 'alice'), sample(), 'snake');
        else
          await as(busy, 'alice')
            .require(anything)
            .write(async (tx) => tx.record(event));
      }),
    );
    const { findings, events } = await verifyChains({ ownerUrl: world.database.ownerUrl, tenant: busy });
    assert.deepEqual([findings, events], [[], 121]);
  });

  test('never receives an event before the one before it, nor in a sealed day', async () => {
    const future = await one.tenant();
    await world.admin.query(sql`set session_replication_role = replica`);
    await world.admin.query(sql`alter table audit.head disable trigger moves_with_chain`);
    await world.admin.query(
      sql`update audit.head set sealed_through = (clock_timestamp() at time zone 'UTC')::date + 2 where tenant_id = ${future}`,
    );
    await world.admin.query(sql`alter table audit.head enable always trigger moves_with_chain`);
    const { event: first } = await one.audit.ingest(one.as(future, 'alice'), sample(), 'snake');
    const { event: second } = await one.audit.ingest(one.as(future, 'alice'), sample(), 'snake');
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    assert.equal(first.receivedAt, `${day}T00:00:00.000Z`);
    assert.equal(second.receivedAt, first.receivedAt);
    assert.deepEqual((await verifyChains({ ownerUrl: world.database.ownerUrl, tenant: future })).findings, []);
  });
});
