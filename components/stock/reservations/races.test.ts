import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { keep, release, reserve, restock, ship } from '../component.ts';
import { createWorld, selling, type World } from '../fixtures/world.ts';
import { setStockItems } from '../items/set.ts';
import { adjustStock } from '../levels/adjust.ts';
import { countStock } from '../levels/count.ts';
import { transferStock } from '../levels/transfer.ts';
import { createLocation } from '../locations/create.ts';

/** Numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

describe('many who sell at once', () => {
  let world: World;
  before(async () => {
    world = await createWorld(24);
  });
  after(async () => world[Symbol.asyncDispose]());

  const seats = 30;

  /** Five items, of which two variants take several, at two locations. */
  const openShop = async (): Promise<{ shop: TenantContext; variants: string[]; places: string[] }> => {
    const shop = await world.tenant();
    const single = Array.from({ length: 5 }, () => world.variant(shop));
    const places = [
      (await createLocation(shop, { name: 'One', code: 'one' })).id,
      (await createLocation(shop, { name: 'Two', code: 'two' })).id,
    ];
    const { lines } = await countStock(
      shop,
      {
        lines: single.flatMap((variantId) =>
          places.map((locationId) => ({ variantId, locationId, counted: seats / 2 })),
        ),
      },
      world.ports,
    );
    const items = [...new Set(lines.map(({ itemId }) => itemId))];
    const bundles = [world.variant(shop), world.variant(shop)];
    await setStockItems(
      shop,
      {
        variants: [
          { variantId: bundles[0] ?? '', items: [0, 3].map((at) => ({ itemId: items[at], quantity: 2 })) },
          { variantId: bundles[1] ?? '', items: [4, 1, 0].map((at) => ({ itemId: items[at], quantity: 1 })) },
        ],
      },
      world.ports,
    );
    return { shop, variants: [...single, ...bundles], places };
  };
  const sums = async ({ tenant }: TenantContext) => {
    const [row] = await world.admin.query(sql`
      select sum(on_hand)::int as on_hand, sum(reserved)::int as reserved, min(on_hand - reserved)::int as least,
        (select coalesce(sum(quantity), 0)::int from stock.reservation where tenant_id = ${tenant}::uuid) as held,
        (select -sum(on_hand)::int from stock.movement where tenant_id = ${tenant}::uuid and kind = 'ship') as shipped,
        (select sum(on_hand)::int from stock.movement where tenant_id = ${tenant}::uuid and kind in ('count', 'adjust', 'restock')) as put
      from stock.level where tenant_id = ${tenant}::uuid`);
    return row;
  };

  test('over shared items, in any order, with what else happens to them: never below nothing, no deadlock, and all sums agree', async () => {
    const { shop, variants, places } = await openShop();
    const deadlocks = async (): Promise<unknown> =>
      (await world.admin.query(sql`select deadlocks from pg_stat_database where datname = current_database()`))[0]?.[
        'deadlocks'
      ];
    const before = await deadlocks();
    const taken = { whole: 0, short: 0 };
    const buyer = async (seed: number): Promise<void> => {
      const some = numbers(seed);
      const [holder, order] = [newId(), newId()];
      const pick = () => ({ variantId: variants[some(variants.length)] ?? '', quantity: 1 + some(2) });
      const lines = Array.from({ length: 1 + some(3) }, pick);
      const expiresAt = [null, new Date(Date.now() - 1), new Date(Date.now() + some(40)), null][some(4)] ?? null;
      const asked = async () => selling(shop, async (tx) => reserve(tx, { holder, mode: 'live', lines, expiresAt }));
      const short = await asked();
      taken[short.length === 0 ? 'whole' : 'short'] += 1;
      if (some(3) === 0) await asked();
      if (short.length > 0 || some(3) === 0) return selling(shop, async (tx) => release(tx, { holder }));
      await selling(shop, async (tx) => keep(tx, { holder, as: order }));
      if (some(3) === 0) return;
      const source = { kind: 'fulfilment', id: newId() };
      const shipped = { source, mode: 'live' as const, lines: lines.map((one, at) => ({ ...one, line: String(at) })) };
      const left = await selling(shop, async (tx) => ship(tx, { holder: order, ...shipped }));
      if (left.length === 0 && some(2) === 0) await selling(shop, async (tx) => restock(tx, shipped));
    };
    const keeper = async (seed: number): Promise<void> => {
      const some = numbers(seed);
      const [from = '', to = ''] = some(2) === 0 ? places : places.toReversed();
      const lines = [some(5), some(5)].map((at) => ({ variantId: variants[at] ?? '', quantity: 1 }));
      await transferStock(shop, { fromLocationId: from, toLocationId: to, lines }, world.ports).catch(
        (error: unknown) => assert.equal((error as { code?: string }).code, 'stock_insufficient'),
      );
      await adjustStock(
        shop,
        { reason: 'found', lines: lines.map(({ variantId }) => ({ variantId, locationId: to, delta: 1 })) },
        world.ports,
      );
    };
    await Promise.all([
      ...Array.from({ length: 70 }, async (_, at) => buyer(at + 1)),
      ...Array.from({ length: 8 }, async (_, at) => keeper(at + 1)),
    ]);
    assert.ok(taken.whole > 10 && taken.short > 3, JSON.stringify(taken));
    const { on_hand: onHand, reserved, least, held, shipped, put } = (await sums(shop)) ?? {};
    assert.ok(Number(least) >= 0);
    assert.equal(reserved, held);
    assert.equal(Number(onHand), Number(put) - Number(shipped));
    assert.deepEqual(await world.told(), []);
    assert.equal(await deadlocks(), before);
  });

  test('connections that are cut in the middle leave sums that agree', async () => {
    const { shop, variants } = await openShop();
    const cutting = Array.from({ length: 12 }, async (_, seed) => {
      const some = numbers(seed + 100);
      const lines = Array.from({ length: 3 }, () => ({ variantId: variants[some(7)] ?? '', quantity: 1 }));
      return selling(shop, async (tx) => {
        await reserve(tx, { holder: newId(), mode: 'live', lines, expiresAt: null });
        if (some(2) === 0) return;
        const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        await world.admin.query(sql`select pg_terminate_backend(${row?.pid ?? 0}::int)`);
        throw new Error('gone');
      });
    });
    const ended = await Promise.allSettled(cutting);
    assert.ok(ended.some(({ status }) => status === 'rejected') && ended.some(({ status }) => status === 'fulfilled'));
    const { reserved, held } = (await sums(shop)) ?? {};
    assert.equal(reserved, held);
    assert.deepEqual(await world.told(), []);
  });
});
