import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { forgetTests, keep, release, reserve, restock, ship, type Mode, type Shortfall } from '../component.ts';
import { available, createWorld, refused, selling, type World } from '../fixtures/world.ts';
import { holdRequirements, storeRequirements } from '../items/item.ts';
import { setStockItems } from '../items/set.ts';
import { countStock } from '../levels/count.ts';
import { getStock } from '../levels/get.ts';
import { createLocation } from '../locations/create.ts';

describe('shipping and restocking', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => {
    try {
      assert.deepEqual(await world.told(), [], 'levels, movements, reservations and events agree');
    } finally {
      await world[Symbol.asyncDispose]();
    }
  });

  const levels = async (shop: TenantContext, mode: Mode = 'live'): Promise<string[]> =>
    (await getStock(shop, { mode, limit: 50 }, world.ports)).items
      .map(({ location, onHand, reserved }) => `${location} ${onHand} - ${reserved}`)
      .toSorted();
  const ordered = async (shop: TenantContext, variantId: string, quantity: number, mode: Mode = 'live') => {
    const holder = newId();
    await selling(shop, async (tx) => reserve(tx, { holder, mode, lines: [{ variantId, quantity }], expiresAt: null }));
    return holder;
  };
  const shipping = async (
    shop: TenantContext,
    holder: string,
    variantId: string,
    quantity: number,
    {
      id = newId(),
      line = 'a',
      locationId,
      mode = 'live',
    }: { id?: string; line?: string; locationId?: string; mode?: Mode } = {},
  ): Promise<readonly Shortfall[]> =>
    selling(shop, async (tx) =>
      ship(tx, {
        holder,
        mode,
        source: { kind: 'fulfilment', id },
        lines: [{ line, variantId, quantity }],
        locationId,
      }),
    );

  test('what leaves is taken from what is on hand and reserved, once for each line of its source', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await countStock(shop, { lines: [{ variantId: lamp, counted: 5 }] }, world.ports);
    const holder = await ordered(shop, lamp, 3);
    const id = newId();
    assert.deepEqual(await shipping(shop, holder, lamp, 2, { id }), []);
    assert.deepEqual(await levels(shop), ['main 3 - 1']);
    await Promise.all([shipping(shop, holder, lamp, 2, { id }), shipping(shop, holder, lamp, 2, { id })]);
    assert.deepEqual(await levels(shop), ['main 3 - 1'], 'a repetition moves nothing');
    await Promise.all([
      shipping(shop, holder, lamp, 1, { id, line: 'b' }),
      shipping(shop, holder, lamp, 1, { id, line: 'b' }),
    ]);
    assert.deepEqual(await levels(shop), ['main 2 - 0']);
    await selling(shop, async (tx) => release(tx, { holder }));
    const back = async () =>
      selling(shop, async (tx) =>
        restock(tx, {
          mode: 'live',
          source: { kind: 'return', id },
          lines: [{ line: 'a', variantId: lamp, quantity: 2 }],
        }),
      );
    await Promise.all([back(), back()]);
    assert.deepEqual(await levels(shop), ['main 4 - 0']);
  });

  test('what was reserved is what leaves and comes back, whatever its variant takes by then', async () => {
    for (const later of [7, 1, 0]) {
      const shop = await world.tenant();
      const [pack, single] = [world.variant(shop), world.variant(shop)];
      const set = async (each: number): Promise<void> => {
        await setStockItems(
          shop,
          { variants: [{ variantId: pack, items: each === 0 ? [] : [{ itemId, quantity: each }] }] },
          world.ports,
        );
      };
      const { lines } = await countStock(shop, { lines: [{ variantId: single, counted: 20 }] }, world.ports);
      const itemId = lines[0]?.itemId ?? '';
      await set(2);
      const [mine, other] = [await ordered(shop, pack, 3), await ordered(shop, single, 14)];
      await set(later);
      await set(later + 1);
      assert.deepEqual(await levels(shop), ['main 20 - 20']);
      assert.deepEqual(await shipping(shop, mine, pack, 2), []);
      assert.deepEqual(await levels(shop), ['main 16 - 16'], `${later}`);
      const back = async (quantity: number, before: number): Promise<void> =>
        selling(shop, async (tx) =>
          restock(tx, {
            mode: 'live',
            source: { kind: 'return', id: newId() },
            lines: [{ line: 'a', variantId: pack, quantity, sent: { pieces: 2, back: before } }],
          }),
        );
      await back(1, 0);
      await back(1, 1);
      assert.deepEqual(await levels(shop), ['main 20 - 16']);
      assert.deepEqual(await shipping(shop, mine, pack, 1, { line: 'b' }), []);
      assert.deepEqual(await shipping(shop, other, single, 14), []);
      assert.deepEqual(await levels(shop), ['main 4 - 0']);
      const [{ kept } = { kept: -1 }] = await selling(shop, async (tx) =>
        tx.query<{ kept: number }>(
          sql`select count(*)::int as kept from stock.held_requirement where holder_id = ${mine}::uuid`,
        ),
      );
      assert.equal(kept, 0);
      // Who reserves from now on has what it takes now.
      await set(4);
      const late = await ordered(shop, pack, 1);
      assert.deepEqual(await levels(shop), ['main 4 - 4']);
      assert.deepEqual(await shipping(shop, late, pack, 1), []);
      assert.deepEqual(await levels(shop), ['main 0 - 0']);
    }
  });

  test('checkouts that race with a change of what they take have reserved what leaves', async () => {
    const shop = await world.tenant();
    const [pack, single] = [world.variant(shop), world.variant(shop)];
    const { lines } = await countStock(shop, { lines: [{ variantId: single, counted: 1000 }] }, world.ports);
    const itemId = lines[0]?.itemId ?? '';
    const set = async (quantity: number) =>
      setStockItems(shop, { variants: [{ variantId: pack, items: [{ itemId, quantity }] }] }, world.ports);
    await set(2);
    const [holders] = await Promise.all([
      Promise.all(
        Array.from({ length: 24 }, async () => {
          const [checkout, order] = [await ordered(shop, pack, 1), newId()];
          await selling(shop, async (tx) => keep(tx, { holder: checkout, as: order }));
          return order;
        }),
      ),
      (async () => {
        for (const each of [3, 5, 2, 7, 1]) await set(each);
      })(),
    ]);
    for (const holder of holders) assert.deepEqual(await shipping(shop, holder, pack, 1, { line: holder }), []);
    const [{ reserved, left } = { reserved: -1, left: -1 }] = await selling(shop, async (tx) =>
      tx.query<{ reserved: number; left: number }>(sql`
        select sum(m.reserved)::int as reserved, sum(m.on_hand)::int as left from stock.movement m
        where m.source_kind in ('holder', 'fulfilment') and m.kind in ('reserve', 'ship')`),
    );
    const [first] = await levels(shop);
    assert.match(first ?? '', / - 0$/, `${reserved} ${left}`);
    assert.equal(reserved, 0, 'what was reserved has left, and nothing else');
  });

  test('what is noted of a reservation goes with it, whoever hands it over, releases or ships it while that is noted', async () => {
    for (const act of ['keep', 'release', 'ship'] as const) {
      const shop = await world.tenant();
      const [pack, single] = [world.variant(shop), world.variant(shop)];
      const { lines } = await countStock(shop, { lines: [{ variantId: single, counted: 20 }] }, world.ports);
      const itemId = lines[0]?.itemId ?? '';
      await setStockItems(shop, { variants: [{ variantId: pack, items: [{ itemId, quantity: 2 }] }] }, world.ports);
      const [holder, order] = [await ordered(shop, pack, 3), newId()];
      const acts = {
        keep: async () => selling(shop, async (tx) => keep(tx, { holder, as: order })),
        release: async () => selling(shop, async (tx) => release(tx, { holder })),
        ship: async () => shipping(shop, holder, pack, 3),
      };
      const [acting] = await selling(shop, async (tx) => {
        await holdRequirements(tx);
        await storeRequirements(tx, new Map([[pack, [{ itemId, quantity: 5 }]]]));
        const ended = new AbortController();
        const other = acts[act]().finally(() => ended.abort());
        while (!ended.signal.aborted) {
          const [waiting] = await world.admin.query(sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
          if (waiting !== undefined) break;
          await sleep(5);
        }
        return [other];
      });
      await acting;
      const noted = await selling(shop, async (tx) =>
        tx.query(sql`
          select holder_id as holder, quantity from stock.held_requirement where tenant_id = ${shop.tenant}::uuid`),
      );
      assert.deepEqual(noted, act === 'keep' ? [{ holder: order, quantity: 2 }] : [], act);
      if (act === 'keep') assert.deepEqual(await shipping(shop, order, pack, 3), []);
      assert.deepEqual(await levels(shop), [act === 'release' ? 'main 20 - 0' : 'main 14 - 0'], act);
    }
  });

  test('what nobody reserved is shipped from what is free, and no more', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await countStock(shop, { lines: [{ variantId: lamp, counted: 5 }] }, world.ports);
    const [mine] = [await ordered(shop, lamp, 1), await ordered(shop, lamp, 2)];
    assert.deepEqual(await shipping(shop, mine, lamp, 4), [{ variantId: lamp, asked: 4, available: 3 }]);
    assert.deepEqual(await levels(shop), ['main 5 - 3']);
    assert.deepEqual(await shipping(shop, mine, lamp, 3), []);
    assert.deepEqual(await levels(shop), ['main 2 - 2']);
  });

  test('goods may leave from another location than that of the reservation', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    const [one, two] = [
      await createLocation(shop, { name: 'One', code: 'one' }),
      await createLocation(shop, { name: 'Two', code: 'two' }),
    ];
    const lines = [one, two].map(({ id: locationId }) => ({ variantId: lamp, locationId, counted: 3 }));
    await countStock(shop, { lines }, world.ports);
    const holder = await ordered(shop, lamp, 2);
    assert.deepEqual(await levels(shop), ['one 3 - 2', 'two 3 - 0']);
    assert.deepEqual(await shipping(shop, holder, lamp, 4, { locationId: two.id }), [
      { variantId: lamp, asked: 4, available: 3 },
    ]);
    assert.deepEqual(await levels(shop), ['one 3 - 2', 'two 3 - 0'], 'nothing has moved');
    assert.deepEqual(await shipping(shop, holder, lamp, 2, { locationId: two.id }), []);
    assert.deepEqual(await levels(shop), ['one 3 - 0', 'two 1 - 0']);
    assert.equal((await refused(shipping(shop, holder, lamp, 1, { locationId: newId() }))).code, 'not_found');
  });

  test('a bundle takes all its items, and a variant that is not counted takes none', async () => {
    const shop = await world.tenant();
    const [set, lamp, course] = [world.variant(shop), world.variant(shop), world.variant(shop)];
    const { lines } = await countStock(shop, { lines: [{ variantId: lamp, counted: 9 }] }, world.ports);
    const made = await setStockItems(
      shop,
      {
        variants: [
          {
            variantId: set,
            items: [
              { itemId: lines[0]?.itemId, quantity: 2 },
              { quantity: 1, name: 'Box' },
            ],
          },
        ],
      },
      world.ports,
    );
    const box = made.variants[0]?.items.find(({ name }) => name === 'Box')?.id;
    await countStock(shop, { lines: [{ itemId: box, counted: 3 }] }, world.ports);
    assert.equal((await available(shop, [set]))[0]?.available, 3);
    const holder = await ordered(shop, set, 2);
    assert.deepEqual(await shipping(shop, holder, set, 2), []);
    assert.deepEqual(await levels(shop), ['main 1 - 0', 'main 5 - 0']);
    assert.deepEqual(await shipping(shop, holder, course, 2), []);
    assert.deepEqual(await levels(shop), ['main 1 - 0', 'main 5 - 0']);
  });

  test('an item that may be lacking is shipped below nothing, until it is counted', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await setStockItems(
      shop,
      { variants: [{ variantId: lamp, items: [{ quantity: 1, policy: 'continue' }] }] },
      world.ports,
    );
    const holder = await ordered(shop, lamp, 2);
    assert.deepEqual(await shipping(shop, holder, lamp, 3), []);
    assert.deepEqual(await levels(shop), ['main -3 - 0']);
    await countStock(shop, { lines: [{ variantId: lamp, counted: 0 }] }, world.ports);
  });

  test('tests ship and restock in a sandbox, which is deleted whole', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await countStock(shop, { lines: [{ variantId: lamp, counted: 5 }] }, world.ports);
    const holder = await ordered(shop, lamp, 3, 'test');
    assert.deepEqual(await shipping(shop, holder, lamp, 2, { mode: 'test' }), []);
    assert.deepEqual([await levels(shop), await levels(shop, 'test')], [['main 5 - 0'], ['main 3 - 1']]);
    await ordered(shop, lamp, 1);
    await selling(shop, async (tx) => forgetTests(tx));
    assert.deepEqual([await levels(shop), await levels(shop, 'test')], [['main 5 - 1'], []]);
    assert.equal((await available(shop, [lamp], 'test'))[0]?.available, 5);
    const [left] = await world.admin.query(sql`
      select (select count(*) from stock.movement where tenant_id = ${shop.tenant}::uuid and mode = 'test')::int
        + (select count(*) from stock.reservation where tenant_id = ${shop.tenant}::uuid and mode = 'test')::int as n`);
    assert.equal(left?.['n'], 0);
    const types = (await world.events(shop)).map(({ type }) => type);
    assert.equal(types.at(-1), 'commerce.stock.tests_deleted');
    await selling(shop, async (tx) => forgetTests(tx));
    assert.equal((await world.events(shop)).length, types.length, 'where there is nothing, nothing is told');
  });
});
