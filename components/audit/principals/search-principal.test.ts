import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { pastChain } from '../fixtures/days.ts';
import { createWorld, sample, type Process, type World } from '../fixtures/world.ts';
import { listEvents } from '../events/list.ts';
import type { Filter } from '../events/filter.ts';

const rare = new Set([3, 1_500, 1_501, 5_000]);
const principal = 'agent:rare';

describe('searching a principal in a long chain', () => {
  let world: World;
  let one: Process;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    tenant = await pastChain(world.admin, {
      days: { '2026-03-01': 3_000, '2026-03-02': 2_300 },
      event: (n) => ({
        type: n % 2 === 0 ? 'commerce.order.imported' : 'commerce.order.paid',
        principalChain: [
          { principalType: 'user', principalId: 'alice' },
          ...(rare.has(n) ? [{ principalType: 'agent' as const, principalId: 'rare' }] : []),
        ],
      }),
    });
  });
  after(async () => world[Symbol.asyncDispose]());
  const found = async (filter: Filter, limit = 500, below?: bigint): Promise<number[]> =>
    (await listEvents(one.as(tenant, 'alice'), filter, { limit, below })).map(({ sequence }) => sequence);

  test('finds the same whether its blocks are noted or not, by any number at once', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, async () => found({ principal })));
    for (const one of all) assert.deepEqual(one, [5_000, 1_501, 1_500, 3]);
    const blocks = await world.admin.query<{ block: bigint }>(
      sql`select block from audit.principal_block where tenant_id = ${tenant} order by block`,
    );
    assert.deepEqual(
      blocks.map(({ block }) => block),
      [0n, 1n, 2n, 3n, 4n],
    );
  });

  test('pages, and combines with the other filters', async () => {
    assert.deepEqual(await found({ principal }, 2), [5_000, 1_501]);
    assert.deepEqual(await found({ principal }, 2, 1_501n), [1_500, 3]);
    assert.deepEqual(await found({ principal, type: 'commerce.order.paid' }), [1_501, 3]);
    assert.deepEqual(await found({ principal, type: 'commerce.**', sequenceTo: 1_500n }), [1_500, 3]);
    assert.deepEqual(await found({ principal, sequenceFrom: 1_501n }), [5_000, 1_501]);
    assert.deepEqual(await found({ principal, receivedFrom: '2026-03-02T00:00:00.000Z' }), [5_000]);
    assert.deepEqual(await found({ principal, receivedBefore: '2026-03-02T00:00:00.000Z' }), [1_501, 1_500, 3]);
    assert.deepEqual(await found({ principal: 'user:alice' }, 3), [5_300, 5_299, 5_298]);
    assert.equal((await found({ principal: 'user:alice', type: 'commerce.order.paid' }, 500, 4_000n)).length, 500);
    assert.deepEqual(await found({ principal: 'agent:nobody' }), []);
  });

  test('sees what is appended while it searches, in order and without a hole', async () => {
    const context = one.as(tenant, 'alice');
    const event = sample({
      principal_chain: [
        { principal_type: 'user', principal_id: 'alice' },
        { principal_type: 'agent', principal_id: 'busy' },
      ],
    });
    const appending = Array.from({ length: 8 }, async () => {
      for (let n = 0; n < 150; n += 1) await one.audit.ingest(context, event, 'snake');
    });
    const over = new AbortController();
    const done = Promise.all(appending).finally(() => over.abort());
    while (!over.signal.aborted) {
      const seen = await found({ principal: 'agent:busy' });
      for (let n = 0; n + 1 < seen.length; n += 1) assert.equal((seen[n] ?? 0) - 1, seen[n + 1]);
    }
    await done;
    assert.equal((await found({ principal: 'agent:busy' }, 500)).at(0), 6_500);
  });

  test('notes no other tenant, and nobody changes what is noted', async () => {
    const other = await one.tenant({ bob: 'owner' });
    const bob = one.as(other, 'bob').require({ name: 'x', roles: new Set(['owner']) });
    await assert.rejects(bob.read(sql`select audit.note_principals(${tenant}, 9)`), { code: '42501' });
    assert.deepEqual(await bob.read(sql`select block from audit.principal_block`), []);
    for (const attack of [
      sql`delete from audit.principal_block`,
      sql`update audit.principal_block set principals = '{}'`,
      sql`insert into audit.principal_block values (${other}, 0, '{}')`,
    ])
      await assert.rejects(bob.read(attack), { code: '42501' });
    await assert.rejects(world.admin.query(sql`delete from audit.principal_block`), { code: '42501' });
  });
});
