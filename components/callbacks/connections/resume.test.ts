import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql, type TenantContext } from '@steward/sql';
import { createWorld, type Process, stripeEvent, type World } from '../fixtures/world.ts';
import { pauseConnection, resumeConnection } from './change.ts';

const many = 1_200;

describe('a connection that is resumed after a long pause', () => {
  let world: World;
  let one: Process;
  let context: TenantContext;
  let connection: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    context = await world.tenant();
    connection = await world.connected(context, one);
    await pauseConnection(context, { connectionId: connection }, one.ports);
    // What happened last arrived first.
    await world.admin.query(sql`
      insert into callbacks.delivery (tenant_id, delivery_id, receiver, provider, connection_id, provider_delivery_id, event_id, topic, live, body_sha256,
        seal, status, occurred_at, received_at)
      select ${context.tenant}::uuid, gen_random_uuid(), 'shop.payments', 'stripe', ${connection}::uuid, n::text, n::text, 'thing.happened', true,
        sha256('x'), sha256('x'), 'held', now() - make_interval(secs => n), now() - make_interval(secs => ${many}::int - n)
      from generate_series(1, ${many}::int) n`);
  });
  after(async () => world[Symbol.asyncDispose]());

  const release = async (most: number): Promise<unknown> => {
    const [row] = await world.admin.query(
      sql`select released from callbacks.release('00000000-0000-0000-0000-000000000000'::uuid, ${most}::int)`,
    );
    return row?.['released'];
  };
  const ofStatus = async (status: string): Promise<number> =>
    (await world.deliveries(context.tenant)).filter((row) => row['status'] === status).length;
  const receive = async (id: string): Promise<unknown> => {
    await one.receive(stripeEvent(id), { connection });
    return (await world.deliveries(context.tenant)).find((row) => row['event_id'] === id)?.['status'];
  };

  test('has what was held carried out some at a time, in its order, and what comes meanwhile after that', async () => {
    const resumed = await resumeConnection(context, { connectionId: connection }, one.ports);
    assert.equal(resumed.status, 'active');
    assert.deepEqual([await ofStatus('held'), await ofStatus('waiting')], [many, 0], 'resuming itself moves none');
    assert.equal(await release(500), 500);
    const moved = (await world.deliveries(context.tenant)).filter(({ status }) => status === 'waiting');
    assert.deepEqual(
      moved.map((row) => Number(row['event_id'])).toSorted((a, b) => a - b),
      Array.from({ length: 500 }, (_, nth) => many - 499 + nth),
      'what happened first',
    );
    assert.equal(await receive('meanwhile'), 'held');
    assert.equal(await release(500), 500);
    assert.equal(await release(500), many - 1_000 + 1);
    assert.deepEqual([await ofStatus('held'), await ofStatus('waiting')], [0, many + 1]);
  });

  test('takes what comes as ever afterwards, and lets go of what a process still held that had not heard of it', async () => {
    // As another process does, of which each knows for a second what it read.
    const other = world.process();
    await other.receive(stripeEvent('at once'), { connection });
    const told = (await world.deliveries(context.tenant)).find((row) => row['event_id'] === 'at once');
    assert.equal(told?.['status'], 'waiting');
    await world.admin.query(
      sql`update callbacks.delivery set status = 'held', next_at = null where tenant_id = ${context.tenant}::uuid and event_id = 'at once'`,
    );
    assert.equal(await release(500), 1);
    await world.admin.query(
      sql`update callbacks.connection set release_until = now() where tenant_id = ${context.tenant}::uuid`,
    );
    assert.equal(await release(500), 0);
    assert.equal(await release(500), undefined, 'nothing is left to watch');
  });

  test('lets go of nothing once it is paused again', async () => {
    await pauseConnection(context, { connectionId: connection }, one.ports);
    await resumeConnection(context, { connectionId: connection }, one.ports);
    await pauseConnection(context, { connectionId: connection }, one.ports);
    assert.equal(await receive('paused again'), 'held');
    assert.equal(await release(500), undefined);
  });
});
