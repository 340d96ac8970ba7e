import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import {
  type Asked,
  availability,
  followLevels,
  keep,
  locationsInUse,
  release,
  reserve,
  reserveSome,
  type Shortfall,
  stockAt,
} from '../component.ts';
import { available, createWorld, refused, selling, type World } from '../fixtures/world.ts';
import { setStockItems } from '../items/set.ts';
import { adjustStock } from '../levels/adjust.ts';
import { countStock } from '../levels/count.ts';
import { createLocation } from '../locations/create.ts';

const soon = (): Date => new Date(Date.now() + 600_000);
const past = new Date(Date.now() - 1_000);

describe('reserving stock', () => {
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

  const taking = async (
    shop: TenantContext,
    holder: string,
    lines: readonly Asked[],
    expiresAt: Date | null = soon(),
    mode: 'live' | 'test' = 'live',
  ): Promise<readonly Shortfall[]> => selling(shop, async (tx) => reserve(tx, { holder, mode, lines, expiresAt }));
  const counted = async (shop: TenantContext, ...numbers: readonly number[]): Promise<string[]> => {
    const ids = numbers.map(() => world.variant(shop));
    await countStock(
      shop,
      { lines: ids.map((variantId, at) => ({ variantId, counted: numbers[at] ?? 0 })) },
      world.ports,
    );
    return ids;
  };
  const free = async (shop: TenantContext, ...variantIds: string[]): Promise<(number | null)[]> =>
    (await available(shop, variantIds)).map((one) => one.available);
  /** Quantities by code of the location. */
  const places = async (holder: string): Promise<Record<string, number>> => {
    const rows = await world.admin.query(sql`
      select p.code, r.quantity from stock.reservation r join stock.location p using (tenant_id, location_id)
      where r.holder_id = ${holder}::uuid order by p.code`);
    return Object.fromEntries(rows.map((row) => [String(row['code']), Number(row['quantity'])]));
  };

  test('twenty buyers race for the last unit: one has it, nineteen are told, and none is left', async () => {
    const shop = await world.tenant();
    const [lamp = ''] = await counted(shop, 1);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => taking(shop, newId(), [{ variantId: lamp, quantity: 1 }])),
    );
    assert.equal(answers.filter((short) => short.length === 0).length, 1);
    for (const short of answers.filter(({ length }) => length > 0))
      assert.deepEqual(short, [{ variantId: lamp, asked: 1, available: 0 }]);
    assert.deepEqual(await free(shop, lamp), [0]);
  });

  test('two lines that share an item are summed before anything is taken', async () => {
    const shop = await world.tenant();
    const [bottle = ''] = await counted(shop, 7);
    const made = await setStockItems(
      shop,
      { variants: [{ variantId: bottle, items: [{ quantity: 1 }] }] },
      world.ports,
    );
    const itemId = made.variants[0]?.items[0]?.id;
    const pack = world.variant(shop);
    await setStockItems(shop, { variants: [{ variantId: pack, items: [{ itemId, quantity: 6 }] }] }, world.ports);
    assert.deepEqual(await free(shop, bottle, pack), [7, 1]);
    const both = [
      { variantId: pack, quantity: 1 },
      { variantId: bottle, quantity: 2 },
    ];
    assert.deepEqual(await taking(shop, newId(), both), [{ variantId: bottle, asked: 2, available: 1 }]);
    assert.deepEqual(
      await taking(shop, newId(), [
        { variantId: bottle, quantity: 4 },
        { variantId: bottle, quantity: 4 },
      ]),
      [{ variantId: bottle, asked: 8, available: 7 }],
    );
    assert.deepEqual(await free(shop, bottle, pack), [7, 1], 'nothing was taken');
    assert.deepEqual(await taking(shop, newId(), [both[0] ?? [], { variantId: bottle, quantity: 1 }].flat()), []);
    assert.deepEqual(await free(shop, bottle, pack), [0, 0]);
  });

  test('a holder that asks again has what it asks for now, and what it had counts as free for it', async () => {
    const shop = await world.tenant();
    const [a = '', b = ''] = await counted(shop, 3, 3);
    const holder = newId();
    assert.deepEqual(await taking(shop, holder, [{ variantId: a, quantity: 3 }]), []);
    assert.deepEqual(await taking(shop, holder, [{ variantId: a, quantity: 2 }]), []);
    assert.deepEqual(await taking(shop, holder, [{ variantId: a, quantity: 2 }]), []);
    assert.deepEqual(await free(shop, a, b), [1, 3]);
    assert.deepEqual(await taking(shop, holder, [{ variantId: a, quantity: 4 }]), [
      { variantId: a, asked: 4, available: 3 },
    ]);
    assert.deepEqual(await free(shop, a, b), [1, 3], 'it keeps what it had');
    assert.deepEqual(await taking(shop, holder, [{ variantId: b, quantity: 3 }]), []);
    assert.deepEqual(await free(shop, a, b), [3, 0]);
    assert.deepEqual(await taking(shop, holder, []), []);
    assert.deepEqual(await free(shop, a, b), [3, 3]);
    const kinds = await world.admin.query(sql`
      select kind, reserved::int as n from stock.movement where tenant_id = ${shop.tenant}::uuid and kind <> 'count' order by movement_id`);
    assert.deepEqual(
      kinds.map((row) => `${String(row['kind'])} ${String(row['n'])}`).toSorted(),
      ['release -1', 'release -2', 'release -3', 'reserve 3', 'reserve 3'],
      'a repetition moves nothing',
    );
  });

  test('what has expired is free at once, for readers and for the next buyer, without a job', async () => {
    const shop = await world.tenant();
    const [lamp = ''] = await counted(shop, 1);
    const [first, second] = [newId(), newId()];
    assert.deepEqual(await taking(shop, first, [{ variantId: lamp, quantity: 1 }], past), []);
    assert.deepEqual(await free(shop, lamp), [1]);
    assert.deepEqual(await taking(shop, second, [{ variantId: lamp, quantity: 1 }]), []);
    assert.deepEqual(await free(shop, lamp), [0]);
    assert.equal(
      await selling(shop, async (tx) => keep(tx, { holder: first, as: newId() })),
      0,
      'it is theirs no more',
    );
  });

  test('what has expired is still the holder’s while nobody else has asked', async () => {
    const shop = await world.tenant();
    const [lamp = ''] = await counted(shop, 1);
    const [checkout, order] = [newId(), newId()];
    await taking(shop, checkout, [{ variantId: lamp, quantity: 1 }], past);
    assert.equal(await selling(shop, async (tx) => keep(tx, { holder: checkout, as: order })), 1);
    assert.deepEqual(await free(shop, lamp), [0]);
    assert.equal(await selling(shop, async (tx) => keep(tx, { holder: checkout, as: order })), 0);
    await selling(shop, async (tx) => release(tx, { holder: order }));
    await selling(shop, async (tx) => release(tx, { holder: order }));
    assert.deepEqual(await free(shop, lamp), [1]);
  });

  test('one location that has enough is taken from, the first of several; else they share', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    const ids = [];
    for (const [code, priority] of [
      ['far', 3],
      ['near', 1],
      ['mid', 2],
    ] as const)
      ids.push((await createLocation(shop, { name: code, code, priority })).id);
    await countStock(
      shop,
      { lines: ids.map((locationId, at) => ({ variantId: lamp, locationId, counted: [5, 2, 4][at] ?? 0 })) },
      world.ports,
    );
    const at = async (quantity: number): Promise<Record<string, number>> => {
      const holder = newId();
      assert.deepEqual(await taking(shop, holder, [{ variantId: lamp, quantity }]), []);
      const found = await places(holder);
      await selling(shop, async (tx) => release(tx, { holder }));
      return found;
    };
    assert.deepEqual(await at(2), { near: 2 });
    assert.deepEqual(await at(4), { mid: 4 });
    assert.deepEqual(await at(5), { far: 5 });
    assert.deepEqual(await at(7), { near: 2, mid: 4, far: 1 });
    assert.deepEqual(await taking(shop, newId(), [{ variantId: lamp, quantity: 12 }]), [
      { variantId: lamp, asked: 12, available: 11 },
    ]);
    const [holder, prefer] = [newId(), ids[0]];
    for (const [quantity, found] of [
      [2, { far: 2 }],
      [8, { far: 5, near: 2, mid: 1 }],
    ] as const) {
      const lines = [{ variantId: lamp, quantity }];
      await selling(shop, async (tx) => reserve(tx, { holder, mode: 'live', lines, expiresAt: null, prefer }));
      assert.deepEqual(await places(holder), found, 'the preferred one comes first');
    }
  });

  test('what is sold already is reserved as far as there is some, and what is lacking is told', async () => {
    const shop = await world.tenant();
    const [lamp = '', hat = ''] = await counted(shop, 5, 2);
    const holder = newId();
    const lines = [
      { variantId: lamp, quantity: 3 },
      { variantId: hat, quantity: 1 },
      { variantId: lamp, quantity: 4 },
    ];
    const some = async () =>
      selling(shop, async (tx) => reserveSome(tx, { holder, mode: 'live', lines, expiresAt: null }));
    assert.deepEqual(await some(), [{ variantId: lamp, asked: 7, available: 5 }]);
    assert.deepEqual(await free(shop, lamp, hat), [0, 1]);
    await adjustStock(shop, { lines: [{ variantId: lamp, delta: 4 }], reason: 'found' }, world.ports);
    assert.deepEqual(await some(), []);
    assert.deepEqual(await free(shop, lamp, hat), [2, 1]);
  });

  test('what somebody else counts is on hand, but never less than is promised', async () => {
    const shop = await world.tenant();
    const [lamp = ''] = await counted(shop, 5);
    const [location] = await selling(shop, async (tx) => locationsInUse(tx));
    const locationId = location?.id ?? '';
    const hat = world.variant(shop);
    await taking(shop, newId(), [{ variantId: lamp, quantity: 3 }]);
    const follow = async (onHand: number) =>
      selling(shop, async (tx) =>
        followLevels(
          tx,
          {
            locationId,
            reason: 'marketplace',
            lines: [
              { variantId: lamp, onHand },
              { variantId: hat, onHand },
              { variantId: newId(), onHand },
            ],
          },
          world.ports,
        ),
      );
    assert.equal((await follow(1)).size, 1, 'of what is no variant nothing is counted');
    assert.deepEqual(await free(shop, lamp, hat), [0, 1]);
    await follow(9);
    assert.deepEqual(await free(shop, lamp, hat), [6, 9]);
    const at = await selling(shop, async (tx) => stockAt(tx, locationId, [lamp, hat, world.variant(shop)]));
    assert.deepEqual(
      [...at.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      [
        [lamp, { onHand: 9, available: 6 }],
        [hat, { onHand: 9, available: 9 }],
      ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      'without what was never counted there',
    );
    await assert.rejects(
      selling(shop, async (tx) =>
        followLevels(tx, { locationId: newId(), reason: 'marketplace', lines: [] }, world.ports),
      ),
    );
  });

  test('an item with the policy continue is promised beyond what there is, from the first location', async () => {
    const shop = await world.tenant();
    const [lamp = '', fan = ''] = await counted(shop, 2, 2);
    const set = async (policy: 'deny' | 'continue') =>
      setStockItems(shop, { variants: [{ variantId: lamp, items: [{ quantity: 1, policy }] }] }, world.ports);
    await set('continue');
    const holder = newId();
    assert.deepEqual(await taking(shop, holder, [{ variantId: lamp, quantity: 5 }]), []);
    const [{ available: left, policy } = {}] = await available(shop, [lamp]);
    assert.deepEqual([left, policy], [-3, 'continue']);
    assert.deepEqual(
      await taking(shop, newId(), [
        { variantId: lamp, quantity: 1_000_000_000 },
        { variantId: fan, quantity: 3 },
      ]),
      [{ variantId: fan, asked: 3, available: 2 }],
    );
    assert.equal((await refused(set('deny'))).code, 'stock_owed');
    await selling(shop, async (tx) => release(tx, { holder }));
    await set('deny');
    assert.equal((await taking(shop, holder, [{ variantId: lamp, quantity: 5 }])).length, 1);
  });

  test('a variant that nobody counts is always there, beside others that are counted', async () => {
    const shop = await world.tenant();
    const [lamp = ''] = await counted(shop, 1);
    const course = world.variant(shop);
    const [told] = await available(shop, [course]);
    assert.deepEqual(told, {
      variantId: course,
      tracked: false,
      available: null,
      policy: 'continue',
      incoming: 0,
      sources: [],
    });
    const lines = [
      { variantId: course, quantity: 1_000_000_000 },
      { variantId: lamp, quantity: 1 },
    ];
    assert.deepEqual(await taking(shop, newId(), lines), []);
    assert.deepEqual(await taking(shop, newId(), lines), [{ variantId: lamp, asked: 1, available: 0 }]);
  });

  test('what can be had is read by a plan that is kept, of few variants too', async () => {
    const { tenant } = await world.tenant();
    await world.admin.withClient(async (client) => {
      for (const mode of ['live', 'test'] as const) {
        const { text, values } = availability(tenant, [newId()], mode);
        for (let time = 0; time < 10; time += 1)
          await client.query({ name: `plan-${mode}`, text, values: [...values] });
      }
      const { rows } = await client.query(
        `select name, generic_plans::int as kept from pg_prepared_statements where name like 'plan-%' order by name`,
      );
      assert.deepEqual(rows, [
        { name: 'plan-live', kept: 5 },
        { name: 'plan-test', kept: 5 },
      ]);
    });
  });

  test('tests take from stock of their own, which begins with what is on hand', async () => {
    const shop = await world.tenant();
    const [lamp = ''] = await counted(shop, 3);
    await taking(shop, newId(), [{ variantId: lamp, quantity: 2 }]);
    assert.deepEqual((await available(shop, [lamp], 'test'))[0]?.available, 3);
    assert.deepEqual(await taking(shop, newId(), [{ variantId: lamp, quantity: 3 }], soon(), 'test'), []);
    assert.deepEqual(await taking(shop, newId(), [{ variantId: lamp, quantity: 1 }], soon(), 'test'), [
      { variantId: lamp, asked: 1, available: 0 },
    ]);
    assert.deepEqual(await free(shop, lamp), [1], 'nothing of it is live');
    assert.deepEqual((await available(shop, [lamp], 'test'))[0]?.available, 0);
  });

  test('quantities that are none are refused, and enormous ones are answered', async () => {
    const shop = await world.tenant();
    const [lamp = ''] = await counted(shop, 1);
    for (const quantity of [0, -1, 1.5, Number.NaN, 1_000_000_001]) {
      const { code, errors } = await refused(taking(shop, newId(), [{ variantId: lamp, quantity }]));
      assert.deepEqual([code, errors?.[0]?.pointer], ['invalid_request', '/lines/0/quantity']);
    }
    const line = { variantId: lamp, quantity: 1_000_000_000 };
    assert.equal(
      (
        await refused(
          taking(
            shop,
            newId(),
            Array.from({ length: 501 }, () => line),
          ),
        )
      ).code,
      'invalid_request',
    );
    await setStockItems(shop, { variants: [{ variantId: lamp, items: [{ quantity: 1_000_000 }] }] }, world.ports);
    assert.deepEqual(
      await taking(
        shop,
        newId(),
        Array.from({ length: 500 }, () => line),
      ),
      [{ variantId: lamp, asked: 500_000_000_000, available: 0 }],
    );
    await setStockItems(
      shop,
      { variants: [{ variantId: lamp, items: [{ quantity: 1, policy: 'continue' }] }] },
      world.ports,
    );
    assert.deepEqual(
      await taking(
        shop,
        newId(),
        Array.from({ length: 500 }, () => line),
      ),
      [{ variantId: lamp, asked: 500_000_000_000, available: 100_000_000_000 }],
    );
  });

  test('what another tenant counts is not there', async () => {
    const [shop, other] = [await world.tenant(), await world.tenant()];
    const [lamp = ''] = await counted(shop, 5);
    assert.deepEqual(await free(other, lamp), [null]);
    const holder = newId();
    assert.deepEqual(await taking(other, holder, [{ variantId: lamp, quantity: 9 }]), []);
    await taking(shop, holder, [{ variantId: lamp, quantity: 1 }]);
    await selling(other, async (tx) => release(tx, { holder }));
    assert.deepEqual(await free(shop, lamp), [4]);
  });

  test('a client that disappears in the middle of its transaction leaves nothing behind', async () => {
    const shop = await world.tenant();
    const [lamp = ''] = await counted(shop, 1);
    await assert.rejects(
      selling(shop, async (tx) => {
        assert.deepEqual(
          await reserve(tx, {
            holder: newId(),
            mode: 'live',
            lines: [{ variantId: lamp, quantity: 1 }],
            expiresAt: null,
          }),
          [],
        );
        const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        await world.admin.query(sql`select pg_terminate_backend(${row?.pid ?? 0}::int)`);
        throw new Error('gone');
      }),
    );
    assert.deepEqual(await free(shop, lamp), [1]);
    assert.deepEqual(await taking(shop, newId(), [{ variantId: lamp, quantity: 1 }]), []);
  });

  test('stock that arrives can be had, and is announced', async () => {
    const shop = await world.tenant();
    const [lamp = ''] = await counted(shop, 0);
    assert.equal((await taking(shop, newId(), [{ variantId: lamp, quantity: 1 }])).length, 1);
    await adjustStock(shop, { lines: [{ variantId: lamp, delta: 1 }], reason: 'received' }, world.ports);
    assert.deepEqual(await taking(shop, newId(), [{ variantId: lamp, quantity: 1 }]), []);
    const sent = await world.admin.query(sql`
      select count(*)::int as n from bus.outbox where tenant_id = ${shop.tenant}::uuid and type = 'commerce.stock.changed'`);
    assert.ok(Number(sent[0]?.['n']) >= 1);
  });
});
