import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { TenantCall } from '@steward/tools';
import { reserve } from '../component.ts';
import { available, byDoor, createWorld, faults, refused, selling, type World } from '../fixtures/world.ts';
import { setStockItems } from '../items/set.ts';
import { createLocation } from '../locations/create.ts';
import { listLocations } from '../locations/list.ts';
import { listStockMovements } from '../movements/list.ts';
import { adjustStock } from './adjust.ts';
import { countStock } from './count.ts';
import { expectStock } from './expect.ts';
import { getStock } from './get.ts';
import { levelTools } from './tools.ts';
import { transferStock } from './transfer.ts';

const doors = {
  adjust: byDoor(adjustStock),
  count: byDoor(countStock),
  expect: byDoor(expectStock),
  transfer: byDoor(transferStock),
  set: byDoor(setStockItems),
  get: byDoor(getStock),
  movements: byDoor(listStockMovements),
};

describe('levels of stock', () => {
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

  const levelsOf = async (shop: TenantContext): Promise<string[]> =>
    (await doors.get(shop, {}, world.ports)).items.map(
      ({ location, onHand, reserved, available: free, incoming }) =>
        `${location}: ${onHand} - ${reserved} = ${free}, ${incoming} to come`,
    );

  test('stock that is first set without a location makes one, and an item of the variant’s own', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    const { lines } = await doors.count(shop, { lines: [{ variantId: lamp, counted: 4 }] }, world.ports);
    assert.deepEqual(
      lines.map(({ variantId, location, change, available: free }) => [variantId, location, change, free]),
      [[lamp, 'main', 4, 4]],
    );
    const { items } = await doors.get(shop, { variantIds: [lamp] }, world.ports);
    assert.deepEqual(
      items.map(({ variantIds, policy }) => [variantIds, policy]),
      [[[lamp], 'deny']],
    );
    assert.deepEqual(
      (await world.events(shop)).map(({ type }) => type),
      ['commerce.stock_item.created', 'commerce.stock.required', 'commerce.location.created', 'commerce.stock.counted'],
    );
  });

  test('variants that are first set at once get one item each, at one location', async () => {
    const shop = await world.tenant();
    const all = Array.from({ length: 3 }, () => world.variant(shop));
    await Promise.all(
      Array.from({ length: 6 }, async () =>
        doors.adjust(shop, { reason: 'found', lines: all.map((variantId) => ({ variantId, delta: 1 })) }, world.ports),
      ),
    );
    assert.deepEqual(
      await levelsOf(shop),
      Array.from({ length: 3 }, () => 'main: 6 - 0 = 6, 0 to come'),
    );
    assert.equal((await listLocations(shop, { limit: 9 })).items.length, 1);
  });

  test('what is expected cannot be sold before it is received, which lowers what is to come', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    const line = { variantId: lamp };
    await doors.expect(shop, { lines: [{ ...line, incoming: 10 }] }, world.ports);
    const [{ sources, ...told } = { sources: [] }] = await available(shop, [lamp]);
    assert.deepEqual(told, { variantId: lamp, tracked: true, available: 0, policy: 'deny', incoming: 10 });
    assert.deepEqual(
      sources.map(({ each, free }) => [each, free]),
      [[1, 0]],
    );
    await doors.adjust(shop, { reason: 'received', lines: [{ ...line, delta: 4 }] }, world.ports);
    assert.deepEqual(await levelsOf(shop), ['main: 4 - 0 = 4, 6 to come']);
    await doors.adjust(shop, { reason: 'received', lines: [{ ...line, delta: 8 }] }, world.ports);
    assert.deepEqual(await levelsOf(shop), ['main: 12 - 0 = 12, 0 to come']);
    const { items } = await doors.movements(shop, {}, world.ports);
    assert.deepEqual(
      items.map(({ variants }) => variants.map(({ title }) => title)),
      items.map(() => [`Variant ${line.variantId}`]),
    );
    assert.deepEqual(
      items.map(({ kind, onHand, incoming, reason }) => [kind, onHand, incoming, reason]),
      [
        ['receive', 8, -6, 'received'],
        ['receive', 4, -4, 'received'],
        ['expect', 0, 10, null],
      ],
    );
  });

  test('a transfer moves what is free and leaves what is reserved', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    const [from, to] = [
      await createLocation(shop, { name: 'One', code: 'one' }),
      await createLocation(shop, { name: 'Two', code: 'two' }),
    ];
    await doors.count(shop, { lines: [{ variantId: lamp, locationId: from.id, counted: 5 }] }, world.ports);
    await selling(shop, async (tx) =>
      reserve(tx, { holder: newId(), mode: 'live', lines: [{ variantId: lamp, quantity: 2 }], expiresAt: null }),
    );
    const move = async (quantity: number) =>
      doors.transfer(
        shop,
        { fromLocationId: from.id, toLocationId: to.id, lines: [{ variantId: lamp, quantity }] },
        world.ports,
      );
    const problem = await refused(move(4));
    assert.deepEqual([problem.code, faults(problem)], ['stock_insufficient', { '/lines/0/quantity': 'insufficient' }]);
    await move(3);
    assert.deepEqual((await levelsOf(shop)).toSorted(), ['one: 2 - 2 = 0, 0 to come', 'two: 3 - 0 = 3, 0 to come']);
  });

  test('a count or an adjustment below what is reserved is refused, and says how much that is', async () => {
    const shop = await world.tenant();
    const [lamp, fan] = [world.variant(shop), world.variant(shop)];
    await doors.count(
      shop,
      {
        lines: [
          { variantId: lamp, counted: 5 },
          { variantId: fan, counted: 5 },
        ],
      },
      world.ports,
    );
    await selling(shop, async (tx) =>
      reserve(tx, { holder: newId(), mode: 'live', lines: [{ variantId: lamp, quantity: 2 }], expiresAt: null }),
    );
    for (const work of [
      async () =>
        doors.count(
          shop,
          {
            lines: [
              { variantId: fan, counted: 9 },
              { variantId: lamp, counted: 1 },
            ],
          },
          world.ports,
        ),
      async () =>
        doors.adjust(
          shop,
          {
            reason: 'lost',
            lines: [
              { variantId: fan, delta: -5 },
              { variantId: lamp, delta: -4 },
            ],
          },
          world.ports,
        ),
    ]) {
      const problem = await refused(work());
      assert.equal(problem.code, 'stock_insufficient');
      assert.match(problem.detail, /5 are on hand, of which 2 are reserved/);
      assert.deepEqual(
        Object.keys(faults(problem)).map((pointer) => pointer.slice(0, 8)),
        ['/lines/1'],
      );
    }
    assert.deepEqual((await levelsOf(shop)).toSorted(), ['main: 5 - 0 = 5, 0 to come', 'main: 5 - 2 = 3, 0 to come']);
  });

  test('a count or what is to come names each item at a location once, by whichever id', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    const { lines } = await doors.count(shop, { lines: [{ variantId: lamp, counted: 2 }] }, world.ports);
    const itemId = lines[0]?.itemId;
    for (const work of [
      async () =>
        doors.count(
          shop,
          {
            lines: [
              { variantId: lamp, counted: 3 },
              { itemId, counted: 4 },
            ],
          },
          world.ports,
        ),
      async () =>
        doors.expect(
          shop,
          {
            lines: [
              { itemId, incoming: 3 },
              { itemId, incoming: 3 },
            ],
          },
          world.ports,
        ),
    ])
      assert.deepEqual(faults(await refused(work())), { '/lines/1': 'duplicate' });
    assert.deepEqual(await levelsOf(shop), ['main: 2 - 0 = 2, 0 to come']);
  });

  test('levels say what people call the variants that take of them', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await doors.count(shop, { lines: [{ variantId: lamp, counted: 1 }] }, world.ports);
    const { items } = await doors.get(shop, {}, world.ports);
    assert.deepEqual(items[0]?.variants, [{ id: lamp, title: `Variant ${lamp}`, sku: null }]);
  });

  test('less than none may be on hand of what is sold on, and the tool says to count it', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await setStockItems(
      shop,
      { variants: [{ variantId: lamp, items: [{ quantity: 1, policy: 'continue' }] }] },
      world.ports,
    );
    const tool = levelTools.find(({ name }) => name === 'service_adjust_stock');
    const call = { context: shop, preview: false } as unknown as TenantCall;
    const told = await tool?.run(call, { reason: 'lost', lines: [{ variantId: lamp, delta: -2 }] }, world.ports);
    assert.ok(told !== undefined && 'warning' in told);
    assert.match(String(told.warning), /^Less than none is on hand in 1 line: count/);
    assert.deepEqual(await levelsOf(shop), ['main: -2 - 0 = -2, 0 to come']);
  });

  test('lines that are wrong are named each, and nothing is done', async () => {
    const [shop, other] = [await world.tenant(), await world.tenant()];
    const [lamp, theirs] = [world.variant(shop), world.variant(other)];
    await doors.count(other, { lines: [{ variantId: theirs, counted: 5 }] }, world.ports);
    const { items } = await doors.get(other, {}, world.ports);
    const [itemId, locationId] = [items[0]?.itemId ?? '', items[0]?.locationId ?? ''];
    const unknown = newId();
    const problem = await refused(
      doors.count(
        shop,
        {
          lines: [
            { variantId: lamp, counted: 1 },
            { variantId: theirs, counted: 1 },
            { variantId: unknown, counted: 1 },
            { itemId, counted: 1 },
            { itemId: unknown, counted: 1 },
            { counted: 1 },
            { itemId, variantId: lamp, counted: 1 },
          ],
        },
        world.ports,
      ),
    );
    assert.equal(problem.code, 'invalid_request');
    assert.deepEqual(faults(problem), {
      '/lines/1/variantId': 'unknown_variant',
      '/lines/2/variantId': 'unknown_variant',
      '/lines/3/itemId': 'unknown_item',
      '/lines/4/itemId': 'unknown_item',
      '/lines/5': 'required',
      '/lines/6': 'required',
    });
    for (const place of [locationId, unknown])
      assert.deepEqual(
        faults(
          await refused(
            doors.count(shop, { lines: [{ variantId: lamp, locationId: place, counted: 1 }] }, world.ports),
          ),
        ),
        { '/lines/0/locationId': 'unknown_location' },
      );
    assert.deepEqual(await levelsOf(shop), []);
    assert.deepEqual(await world.events(shop), []);
  });

  test('quantities that are none, and too many lines, are refused by their place', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    const line = { variantId: lamp };
    for (const delta of [0, 1.5, '1', 1_000_000_001, -1_000_000_001, null]) {
      const problem = await refused(doors.adjust(shop, { reason: 'found', lines: [{ ...line, delta }] }, world.ports));
      assert.deepEqual([problem.status, Object.keys(faults(problem))], [400, ['/lines/0/delta']]);
    }
    for (const counted of [-1, 0.5, 1_000_000_001])
      assert.deepEqual(
        Object.keys(faults(await refused(doors.count(shop, { lines: [{ ...line, counted }] }, world.ports)))),
        ['/lines/0/counted'],
      );
    const many = Array.from({ length: 501 }, () => ({ ...line, delta: 1 }));
    assert.deepEqual(
      Object.keys(faults(await refused(doors.adjust(shop, { reason: 'found', lines: many }, world.ports)))),
      ['/lines'],
    );
    assert.deepEqual(faults(await refused(doors.adjust(shop, { lines: [{ ...line, delta: 1 }] }, world.ports))), {
      '/reason': 'required',
    });
    assert.deepEqual(
      faults(await refused(doors.adjust(shop, { reason: 'received', lines: [{ ...line, delta: -1 }] }, world.ports))),
      { '/lines/0/delta': 'too_small' },
    );
    const most = { reason: 'found', lines: Array.from({ length: 500 }, () => ({ ...line, delta: 1_000_000_000 })) };
    await doors.adjust(shop, most, world.ports);
    await doors.adjust(shop, most, world.ports);
    const problem = await refused(doors.adjust(shop, { ...most, lines: [{ ...line, delta: 1 }] }, world.ports));
    assert.deepEqual(faults(problem), { '/lines/0/delta': 'too_big' });
  });

  test('where there are several locations one is to be named', async () => {
    const shop = await world.tenant();
    for (const code of ['one', 'two']) await createLocation(shop, { name: code, code });
    const problem = await refused(
      doors.count(shop, { lines: [{ variantId: world.variant(shop), counted: 1 }] }, world.ports),
    );
    assert.deepEqual(faults(problem), { '/lines/0/locationId': 'required' });
  });

  test('what is low is found across pages, by location too', async () => {
    const shop = await world.tenant();
    const [one, two] = [
      await createLocation(shop, { name: 'One', code: 'one' }),
      await createLocation(shop, { name: 'Two', code: 'two' }),
    ];
    const all = Array.from({ length: 6 }, () => world.variant(shop));
    for (const { id: locationId } of [one, two])
      await doors.count(
        shop,
        { lines: all.map((variantId, at) => ({ variantId, locationId, counted: at })) },
        world.ports,
      );
    const found: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await doors.get(
        shop,
        { below: 3, limit: 4, ...(cursor === undefined ? {} : { cursor }) },
        world.ports,
      );
      found.push(...page.items.map(({ location, available: free }) => `${location} ${free}`));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(found.toSorted(), ['one 0', 'one 1', 'one 2', 'two 0', 'two 1', 'two 2']);
    const here = await doors.get(shop, { below: 3, locationId: two.id, variantIds: all.slice(2) }, world.ports);
    assert.deepEqual(
      here.items.map(({ location, available: free }) => `${location} ${free}`),
      ['two 2'],
    );
  });

  test('who only reads reads, and changes nothing', async () => {
    const shop = await world.tenant({ alice: 'owner', vera: 'viewer' });
    const vera = world.as(shop.tenant, 'vera');
    await doors.get(vera, {}, world.ports);
    assert.equal(
      (
        await refused(
          doors.adjust(vera, { reason: 'found', lines: [{ variantId: world.variant(shop), delta: 1 }] }, world.ports),
        )
      ).code,
      'insufficient_role',
    );
  });
});
