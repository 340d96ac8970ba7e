import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql, statement, type TenantContext } from '@steward/sql';
import { connection, health, selectConnections } from '../connections/connection.ts';
import { createWorld, type Process, type World } from '../fixtures/world.ts';
import { listDeliveries } from './list.ts';

describe('an organization to which providers have reported much', () => {
  let world: World;
  let one: Process;
  let context: TenantContext;
  before(async () => {
    world = await createWorld();
    one = world.process();
    context = await world.tenant();
    const id = await world.connected(context, one);
    await world.admin.query(sql`
      insert into callbacks.delivery (tenant_id, delivery_id, receiver, provider, connection_id, provider_delivery_id, event_id, topic, live, body_sha256,
        seal, status, settled_at)
      select ${context.tenant}::uuid, ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'shop.payments', 'stripe', ${id}::uuid, n::text, n::text,
        case n when 1 then 'thing.rare' else 'thing.happened' end, true, sha256('x'), sha256('x'), 'applied', now()
      from generate_series(1, 12000) n`);
    await world.admin.query(sql`analyze callbacks.delivery`);
  });
  after(async () => world[Symbol.asyncDispose]());

  test('gets what it filters for, a page looks through so many and no more, and none is passed over', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    for (let more = true; more; pages += 1) {
      const { items, nextCursor } = await listDeliveries(
        context,
        { limit: 50, topic: 'thing.rare', ...(cursor === undefined ? {} : { cursor }) },
        one.ports,
      );
      found.push(...items.map(({ topic }) => topic));
      cursor = nextCursor ?? undefined;
      more = nextCursor !== null;
    }
    assert.deepEqual([found, pages], [['thing.rare'], 2]);
    const event = await listDeliveries(context, { limit: 50, providerEventId: '1' }, one.ports);
    assert.deepEqual([event.items.length, event.nextCursor], [1, null]);
  });

  test('is told how its connections do without all of that being read', async () => {
    const { text, values } = selectConnections(`${connection.columns}, ${health.columns}`, '', context.tenant, []);
    const [row] = await world.admin.query<Record<string, string>>(
      statement(`explain (analyze, format json) ${text}`, values),
    );
    const [{ Plan: plan }] = (row ?? assert.fail('a plan'))['QUERY PLAN'] as unknown as [{ Plan: Node }];
    interface Node {
      readonly 'Actual Rows': number;
      readonly 'Rows Removed by Filter'?: number;
      readonly Plans?: readonly Node[];
    }
    const read = (node: Node): number =>
      node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node.Plans ?? []).reduce((sum, one) => sum + read(one), 0);
    assert.ok(read(plan) < 100, `${read(plan)} rows`);
  });
});
