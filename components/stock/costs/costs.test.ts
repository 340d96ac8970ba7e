import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { costsOf, type MovedCost, restock, ship } from '../component.ts';
import { byDoor, createWorld, faults, refused, selling, type World } from '../fixtures/world.ts';
import { setStockItems } from '../items/set.ts';
import { adjustStock } from '../levels/adjust.ts';
import { countStock } from '../levels/count.ts';
import { transferStock } from '../levels/transfer.ts';
import { createLocation } from '../locations/create.ts';
import { listStockMovements } from '../movements/list.ts';
import { listStockValues } from './values.ts';

const totalOf = (one: MovedCost | undefined) => (one === undefined ? undefined : one.sold + one.lost);

const doors = {
  adjust: byDoor(adjustStock),
  count: byDoor(countStock),
  transfer: byDoor(transferStock),
  set: byDoor(setStockItems),
  values: byDoor(listStockValues),
  movements: byDoor(listStockMovements),
};
const eur = (amount: string) => ({ amount, currency: 'EUR' });

describe('the cost of stock', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => {
    try {
      assert.deepEqual(await world.told(), [], 'movements, values and events agree');
    } finally {
      await world[Symbol.asyncDispose]();
    }
  });

  const receive = async (shop: TenantContext, variantId: string, delta: number, cost?: string) =>
    doors.adjust(
      shop,
      { reason: 'received', lines: [{ variantId, delta, ...(cost === undefined ? {} : { cost: eur(cost) }) }] },
      world.ports,
    );
  const send = async (
    shop: TenantContext,
    variantId: string,
    quantity: number,
    line = newId(),
    mode: 'live' | 'test' = 'live',
  ) => {
    const source = { kind: 'fulfilment', id: newId() };
    const short = await selling(shop, async (tx) =>
      ship(tx, { holder: newId(), mode, source, lines: [{ line, variantId, quantity }] }),
    );
    assert.deepEqual(short, []);
    return source.id;
  };
  const back = async (
    shop: TenantContext,
    variantId: string,
    quantity: number,
    line: string,
    mode: 'live' | 'test' = 'live',
  ) => {
    const source = { kind: 'return', id: newId() };
    await selling(shop, async (tx) => restock(tx, { mode, source, lines: [{ line, variantId, quantity }] }));
    return source.id;
  };
  /** What sources cost, and how many of their pieces have no known cost. */
  const costs = async (shop: TenantContext, ...sources: string[]): Promise<unknown[]> => {
    const found = await selling(shop, async (tx) => costsOf(tx, sources));
    return sources.map((id) => totalOf(found.get(id)));
  };
  const worth = async (shop: TenantContext): Promise<string[]> =>
    (await doors.values(shop, {}, world.ports)).items.map(
      ({ onHand, costed, value, unitCost }) =>
        `${costed} of ${onHand} for ${value.amount}, ${unitCost?.amount ?? 'unknown'} each`,
    );

  test('is that of what was received, on average, and the last piece takes what is left', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await receive(shop, lamp, 3, '10.00');
    assert.deepEqual(await worth(shop), ['3 of 3 for 10.00, 3.33 each']);
    const first = await send(shop, lamp, 1);
    await receive(shop, lamp, 2, '9.33');
    assert.deepEqual(await worth(shop), ['4 of 4 for 16.00, 4.00 each']);
    const [second, third, last] = [await send(shop, lamp, 1), await send(shop, lamp, 2), await send(shop, lamp, 1)];
    assert.deepEqual(await costs(shop, first, second, third, last), [333n, 400n, 800n, 400n]);
    assert.deepEqual(await worth(shop), ['0 of 0 for 0.00, unknown each']);
    const { items } = await doors.movements(shop, {}, world.ports);
    assert.deepEqual(
      items.map(({ kind, costed, cost }) => [kind, costed, cost?.amount]),
      [
        ['ship', -1, '-4.00'],
        ['ship', -2, '-8.00'],
        ['ship', -1, '-4.00'],
        ['receive', 2, '9.33'],
        ['ship', -1, '-3.33'],
        ['receive', 3, '10.00'],
      ],
    );
  });

  test('is rounded half to even', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await receive(shop, lamp, 2, '0.05');
    const one = await send(shop, lamp, 1);
    const shelf = world.variant(shop);
    await receive(shop, shelf, 2, '0.07');
    const other = await send(shop, shelf, 1);
    assert.deepEqual(await costs(shop, one, other), [2n, 4n]);
  });

  test('is not known of what was there before, which leaves first, until somebody says it', async () => {
    const shop = await world.tenant();
    const [lamp, shelf] = [world.variant(shop), world.variant(shop)];
    await doors.count(shop, { lines: [{ variantId: lamp, counted: 3 }] }, world.ports);
    await receive(shop, lamp, 2, '8.00');
    const [first, second] = [await send(shop, lamp, 2), await send(shop, lamp, 2)];
    const found = await selling(shop, async (tx) => costsOf(tx, [first, second]));
    assert.deepEqual(
      [first, second].map((id) => [totalOf(found.get(id)), found.get(id)?.unknown]),
      [
        [0n, 2],
        [400n, 1],
      ],
    );
    await doors.count(shop, { lines: [{ variantId: shelf, counted: 4, cost: eur('10.00') }] }, world.ports);
    await doors.adjust(shop, { reason: 'found', lines: [{ variantId: shelf, delta: 2 }] }, world.ports);
    // Nothing was miscounted, and still it says what two of them cost.
    await doors.count(shop, { lines: [{ variantId: shelf, counted: 6, cost: eur('0.00') }] }, world.ports);
    assert.deepEqual(await worth(shop), ['1 of 1 for 4.00, 4.00 each', '6 of 6 for 10.00, 1.67 each']);
    const known = await refused(
      doors.count(shop, { lines: [{ variantId: shelf, counted: 5, cost: eur('1.00') }] }, world.ports),
    );
    assert.deepEqual(faults(known), { '/lines/0/cost': 'cost_known' });
    const again = { lines: [{ variantId: shelf, counted: 6, cost: eur('10.00') }] };
    const { lines } = await doors.count(shop, again, world.ports);
    assert.deepEqual(
      lines.map(({ cost }) => cost),
      [eur('10.00')],
      'who approves it sees what is said to cost so much',
    );
    assert.deepEqual(
      lines.map(({ change, onHand }) => [change, onHand]),
      [[0, 6]],
    );
    await assert.rejects(
      doors.count(shop, { lines: [{ variantId: shelf, counted: 6, cost: eur('10.01') }] }, world.ports),
    );
    assert.equal((await doors.values(shop, {}, world.ports)).total.amount, '14.00');
  });

  test('comes back with a return as it went out, with nothing left over', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await receive(shop, lamp, 3, '10.00');
    const line = newId();
    const out = await send(shop, lamp, 3, line);
    await receive(shop, lamp, 1, '99.00');
    const came = [await back(shop, lamp, 1, line), await back(shop, lamp, 1, line), await back(shop, lamp, 1, line)];
    assert.deepEqual(await costs(shop, out, ...came), [1000n, -333n, -334n, -333n]);
    assert.deepEqual(await worth(shop), ['4 of 4 for 109.00, 27.25 each']);
    const more = await back(shop, lamp, 1, line);
    assert.deepEqual(await costs(shop, more), [0n], 'more than went out has no known cost');
  });

  test('stays with the item when it is transferred, and is told as lost when it is written off', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    const [from, to] = [
      await createLocation(shop, { name: 'One', code: 'one' }),
      await createLocation(shop, { name: 'Two', code: 'two' }),
    ];
    const at = { variantId: lamp, locationId: from.id };
    await doors.adjust(shop, { reason: 'received', lines: [{ ...at, delta: 4, cost: eur('10.00') }] }, world.ports);
    await doors.transfer(
      shop,
      { fromLocationId: from.id, toLocationId: to.id, lines: [{ variantId: lamp, quantity: 3 }] },
      world.ports,
    );
    assert.deepEqual(await worth(shop), ['4 of 4 for 10.00, 2.50 each']);
    await doors.adjust(
      shop,
      { reason: 'damaged', lines: [{ variantId: lamp, locationId: to.id, delta: -2 }] },
      world.ports,
    );
    await doors.count(shop, { lines: [{ ...at, counted: 0 }] }, world.ports);
    assert.deepEqual(await worth(shop), ['1 of 1 for 2.50, 2.50 each']);
    const changes = await world.admin.query<{ source_id: string }>(sql`
      select source_id from stock.movement where tenant_id = ${shop.tenant}::uuid order by movement_id`);
    assert.deepEqual(await costs(shop, ...new Set(changes.map((row) => row.source_id))), [0n, 0n, 500n, 250n]);
  });

  test('of what was sold before it came is late: it goes to sales at once, and never into what is on hand', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await doors.set(shop, { variants: [{ variantId: lamp, items: [{ policy: 'continue' }] }] }, world.ports);
    const out = await send(shop, lamp, 3);
    assert.deepEqual(await worth(shop), ['0 of -3 for 0.00, unknown each']);
    await receive(shop, lamp, 4, '10.00');
    assert.deepEqual(await worth(shop), ['1 of 1 for 2.50, 2.50 each']);
    const [received] = await world.admin.query<{ source_id: string }>(sql`
      select source_id from stock.movement where tenant_id = ${shop.tenant}::uuid and kind = 'receive'`);
    assert.deepEqual(await costs(shop, out, received?.source_id ?? ''), [0n, 750n]);
  });

  test('is nothing in tests, which take nothing from what stock is worth', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await receive(shop, lamp, 3, '9.00');
    const line = newId();
    const sources = [await send(shop, lamp, 2, line, 'test'), await back(shop, lamp, 1, line, 'test')];
    assert.deepEqual(await costs(shop, ...sources), [undefined, undefined]);
    assert.deepEqual(await worth(shop), ['3 of 3 for 9.00, 3.00 each']);
  });

  test('is given to what comes in, in the currency of the books, and refused by pointers otherwise', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    const line = { variantId: lamp, delta: 1 };
    const given = [
      eur('-1.00'),
      eur('1.5'),
      eur('0.001'),
      eur('10000000000000.00'),
      { amount: '1.00', currency: 'USD' },
      eur('9999999999999.99'),
    ];
    const problem = await refused(
      doors.adjust(shop, { reason: 'received', lines: given.map((cost) => ({ ...line, cost })) }, world.ports),
    );
    assert.deepEqual(faults(problem), {
      '/lines/0/cost/amount': 'too_small',
      '/lines/1/cost/amount': 'invalid_amount',
      '/lines/2/cost/amount': 'invalid_amount',
      '/lines/3/cost/amount': 'too_big',
      '/lines/4/cost/currency': 'other_currency',
    });
    const leaving = await refused(
      doors.adjust(shop, { reason: 'lost', lines: [{ variantId: lamp, delta: -1, cost: eur('1.00') }] }, world.ports),
    );
    assert.deepEqual(faults(leaving), { '/lines/0/cost': 'not_allowed' });
    const much = Array.from({ length: 101 }, () => ({ ...line, cost: eur('9999999999999.99') }));
    const over = await refused(doors.adjust(shop, { reason: 'received', lines: much }, world.ports));
    assert.deepEqual(faults(over), { '/lines/100/delta': 'too_big' });
    assert.deepEqual(await worth(shop), []);
  });

  test('of what many send at once adds up to what was received', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await receive(shop, lamp, 12, '100.01');
    const sources = await Promise.all(Array.from({ length: 12 }, async () => send(shop, lamp, 1)));
    const found = await selling(shop, async (tx) => costsOf(tx, sources));
    assert.equal(
      [...found.values()].reduce((sum, { sold }) => sum + sold, 0n),
      10001n,
    );
    assert.deepEqual(await worth(shop), ['0 of 0 for 0.00, unknown each']);
  });
});
