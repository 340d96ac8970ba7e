import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId, Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import { openFeedsApi } from '../fixtures/feeds-api.ts';
import { byDoor, createWorld, type World } from '../fixtures/pushing.ts';
import { setFeedAt } from './set.ts';

describe('product feeds of many', () => {
  let world: World;
  const all = new AsyncDisposableStack();
  before(async () => {
    world = all.use(await createWorld());
  });
  after(async () => all.disposeAsync());

  test('are twenty of a brand, however many are set at once', async () => {
    await using one = world.instance();
    await using two = world.instance();
    const { tenant } = await world.shop(one);
    const agents = Array.from({ length: 24 }, () => newId());
    await world.admin.query(sql`
      insert into agentic.agent (tenant_id, agent_id, brand_id, protocol, profile_url, verdict)
      select ${tenant}::uuid, a, ${tenant}::uuid, 'acp', 'https://platform.example/' || a, 'unseen' from unnest(${agents}::uuid[]) a`);
    const set = async (agentId: string) =>
      Promise.allSettled(
        [one, two].map(async ({ process, ports }) =>
          byDoor(setFeedAt)(process.as(tenant, 'alice'), { agentId, url: 'http://127.0.0.1:9/api' }, ports),
        ),
      );
    const made = (await Promise.all(agents.map(set))).flat();
    const refused = made.flatMap((of) => (of.status === 'rejected' ? [(of.reason as Problem).code] : []));
    assert.deepEqual([...new Set(refused)], ['feed_limit']);
    const [row] = await world.admin.query<{ made: number }>(
      sql`select count(*)::int as made from acp.feed where tenant_id = ${tenant}::uuid`,
    );
    assert.equal(row?.made, 20);
  });

  test('have their turns although one platform takes its time with each request', async () => {
    await using slow = await openFeedsApi();
    await using other = await openFeedsApi();
    await using one = world.instance(undefined, { turnTime: 0, most: { process: 1, tenant: 1 } });
    const held = Promise.withResolvers<void>();
    const order: string[] = [];
    slow.fault = async ({ method }) => {
      order.push(`slow ${method}`);
      if (method === 'PATCH') await held.promise;
      return false;
    };
    other.fault = ({ method }) => {
      order.push(`other ${method}`);
      return false;
    };
    const [first, second] = [await world.shop(one), await world.shop(one)];
    await first.stockUp(200);
    await second.stockUp(1);
    await first.feed(slow.url);
    await world.until('the slow one is asked', () => order.includes('slow PATCH'));
    await second.feed(other.url);
    held.resolve();
    await world.until('both have everything', () => slow.products().length === 200 && other.products().length === 1);
    assert.ok(order.lastIndexOf('slow PATCH') > order.indexOf('other PATCH'), order.join(', '));
  });
});
