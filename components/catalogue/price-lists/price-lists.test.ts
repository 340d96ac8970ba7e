import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { byDoor, createWorld, refusal, type World } from '../fixtures/world.ts';
import { createProducts } from '../products/create.ts';
import { offered, offerOf } from '../products/offered.ts';
import { etagOf, listPublished, readPublished } from '../products/published.ts';
import { serveCatalogue } from '../permissions.ts';
import { createPriceList } from './create.ts';
import { listListPrices } from './list-prices.ts';
import { listPriceLists } from './list.ts';
import { lowered, type RunningPrice, type Step } from './running.ts';
import { setListPrices } from './set-prices.ts';
import { updatePriceList } from './update.ts';

const [create, set, update] = [byDoor(createPriceList), byDoor(setListPrices), byDoor(updatePriceList)];
const [past, future] = ['2020-01-01T00:00:00.000Z', '2190-01-01T00:00:00.000Z'];

describe('a price list', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const opened = async () => {
    const { context, brandId } = await world.tenant();
    const { products } = await byDoor(createProducts)(
      context,
      {
        products: [
          {
            title: 'Mug',
            handle: 'mug',
            status: 'active',
            brandIds: [brandId],
            variants: [
              {
                prices: [
                  { amount: '10.00', currency: 'EUR', compareAt: '12.00' },
                  { amount: '8.00', currency: 'EUR', minQuantity: 10 },
                  { amount: '11.00', currency: 'USD' },
                ],
              },
            ],
          },
        ],
      },
      world.deps,
    );
    const system = world.system(context.tenant);
    const shown = async (brand = brandId) =>
      (await readPublished(system, brand, 'mug', { ...world.deps, mediaAt: 'https://a.example' }))?.product;
    const variantId = (await shown())?.variants[0]?.id ?? '';
    const offer = async (currency: string) => {
      const rows = await system.require(serveCatalogue).read(offered(context.tenant, brandId, [variantId], currency));
      return offerOf(rows[0] ?? {}, '').prices.map(({ minQuantity, amount, compareAt }) => [
        minQuantity,
        amount,
        compareAt,
      ]);
    };
    const prices = async (currency = 'EUR', brand = brandId) =>
      (await shown(brand))?.variants[0]?.prices
        .filter((one) => one.currency === currency)
        .map(({ minQuantity, amount, compareAt }) => [minQuantity, amount, compareAt]);
    const made = async (amounts: readonly (readonly [number, string])[], given: object = {}): Promise<string> => {
      const { id } = await create(context, { name: 'Sale', currency: 'EUR', ...given }, world.deps);
      const variants = [{ variantId, prices: amounts.map(([minQuantity, amount]) => ({ minQuantity, amount })) }];
      await set(context, { priceListId: id, variants }, world.deps);
      return id;
    };
    const ranges = async () =>
      (await listPublished(system, brandId, { limit: 10 }, world.deps)).items[0]?.priceRanges.map((one) =>
        Object.values(one),
      );
    return { context, brandId, products, variantId, shown, offer, prices, made, ranges };
  };
  const at = async (context: TenantContext, priceListId: string, starts: string, ends: string | null) =>
    world.admin.query(sql`
      update catalogue.price_list set starts_at = statement_timestamp() + ${starts}::interval, ends_at = statement_timestamp() + ${ends}::interval
      where tenant_id = ${context.tenant}::uuid and price_list_id = ${priceListId}::uuid`);
  const ordinary = [
    [1, '10.00', '12.00'],
    [10, '8.00', null],
  ];

  test('holds from its beginning until before its end, wherever something is priced, and pages that remember are told', async () => {
    const { context, prices, offer, made, ranges, shown } = await opened();
    const id = await made([[1, '7.00']]);
    const lower = [
      [1, '7.00', '10.00'],
      [10, '7.00', '8.00'],
    ];
    const tag = async () => etagOf(JSON.stringify(await shown()));
    const during = await tag();
    for (const [starts, ends, holds] of [
      ['0', null, true],
      ['0', '1 hour', true],
      ['-1 hour', '1 hour', true],
      ['1 hour', '2 hours', false],
      ['-1 hour', '0', false],
    ] as const) {
      await at(context, id, starts, ends);
      assert.deepEqual(await prices(), holds ? lower : ordinary, `${starts} ${ends}`);
      assert.deepEqual(
        await offer('EUR'),
        holds
          ? [
              [1, 700n, 1000n],
              [10, 700n, 800n],
            ]
          : [
              [1, 1000n, 1200n],
              [10, 800n, null],
            ],
      );
      assert.deepEqual((await ranges())?.[0], ['EUR', ...(holds ? ['7.00', '7.00'] : ['10.00', '10.00'])]);
      assert.equal((await tag()) === during, holds);
      const { items } = await byDoor(listPriceLists)(context, { ended: true, limit: 10 }, world.deps);
      assert.equal(items[0]?.status, holds ? 'active' : ends === '0' ? 'ended' : 'scheduled');
    }
  });

  test('that overlaps others gives way to the lowest price at each quantity, and none makes anything dearer', async () => {
    const { prices, made, offer } = await opened();
    await made([
      [1, '9.00'],
      [5, '6.00'],
    ]);
    await made(
      [
        [1, '7.50'],
        [20, '7.00'],
      ],
      { startsAt: past },
    );
    await made([[1, '99.00']]);
    const both = [
      [1, '7.50', '10.00'],
      [5, '6.00', '10.00'],
      [10, '6.00', '8.00'],
    ];
    assert.deepEqual(await prices(), both);
    assert.deepEqual(
      (await offer('EUR')).map(([from, amount]) => [from, amount]),
      [
        [1, 750n],
        [5, 600n],
        [10, 600n],
      ],
    );
  });

  test('is of one currency, and of one brand or all; it sells nothing that has no ordinary price', async () => {
    const { context, prices, made, offer, brandId, variantId } = await opened();
    const id = await made([[1, '5.00']], { currency: 'USD' });
    await made([[1, '5.00']], { currency: 'GBP' });
    assert.deepEqual(
      [await prices('USD'), await prices(), await prices('GBP')],
      [[[1, '5.00', '11.00']], ordinary, []],
    );
    assert.deepEqual(await offer('GBP'), []);
    await world.admin.query(sql`
      insert into catalogue.publication (tenant_id, brand_id, product_id)
      select tenant_id, ${id}::uuid, product_id from catalogue.variant where tenant_id = ${context.tenant}::uuid and variant_id = ${variantId}::uuid`);
    await update(context, { priceListId: id, brandId }, world.deps);
    assert.deepEqual([await prices('USD'), await prices('USD', id)], [[[1, '5.00', '11.00']], [[1, '11.00', null]]]);
  });

  test('says its prices and changes them by its version; what is so already is no change', async () => {
    const { context, made, variantId, products } = await opened();
    const priceListId = await made(
      [
        [1, '5.00'],
        [3, '4.00'],
      ],
      { endsAt: future },
    );
    const listed = await byDoor(listListPrices)(context, { priceListId, limit: 10 }, world.deps);
    assert.deepEqual(listed.items, [
      {
        variantId,
        productId: products[0]?.id,
        title: 'Mug',
        sku: null,
        prices: [
          { amount: '5.00', minQuantity: 1 },
          { amount: '4.00', minQuantity: 3 },
        ],
      },
    ]);
    const same = [{ variantId, prices: [{ amount: '4.00', minQuantity: 3 }, { amount: '5.00' }] }];
    assert.equal((await set(context, { priceListId, variants: same }, world.deps)).version, 2);
    assert.equal((await update(context, { priceListId, endsAt: future, name: 'Sale' }, world.deps)).version, 2);
    const ended = await update(
      context,
      { priceListId, expectedVersion: 2, startsAt: past, endsAt: '2020-01-02T00:00:00Z' },
      world.deps,
    );
    assert.deepEqual([ended.status, ended.version, ended.variantCount], ['ended', 3, 1]);
    assert.deepEqual((await byDoor(listPriceLists)(context, { limit: 10 }, world.deps)).items, []);
    const emptied = await set(context, { priceListId, variants: [{ variantId, prices: [] }] }, world.deps);
    assert.equal(emptied.variantCount, 0);
    assert.deepEqual(
      (await world.events(context.tenant)).filter((type) => type.includes('price_list')),
      ['commerce.price_list.created', ...Array.from({ length: 3 }, () => 'commerce.price_list.updated')],
    );
  });

  test('refuses what cannot be, and a tenant has twenty that have not ended', async () => {
    const { context, made, variantId } = await opened();
    const priceListId = await made([[1, '5.00']], { startsAt: past });
    const stranger = await world.tenant();
    const price = { variantId, prices: [{ amount: '5.00' }] };
    for (const [work, at] of [
      [() => create(context, { name: 'x', currency: 'XTS' }, world.deps), { '/currency': 'unknown_currency' }],
      [
        () => create(context, { name: 'x', currency: 'EUR', brandId: newId() }, world.deps),
        { '/brandId': 'unknown_brand' },
      ],
      [
        () => create(context, { name: 'x', currency: 'EUR', startsAt: future, endsAt: past }, world.deps),
        { '/endsAt': 'ends_before_start' },
      ],
      [() => update(context, { priceListId, endsAt: past }, world.deps), { '/endsAt': 'ends_before_start' }],
      [
        () => update(context, { priceListId, expectedVersion: 9 }, world.deps),
        { '/expectedVersion': 'price_list_changed' },
      ],
      [
        () => set(context, { priceListId, variants: [price, price] }, world.deps),
        { '/variants/1/variantId': 'duplicate' },
      ],
      [
        () => set(context, { priceListId, variants: [{ ...price, variantId: newId() }] }, world.deps),
        { '/variants/0/variantId': 'unknown_variant' },
      ],
      [
        () => set(context, { priceListId, variants: [{ variantId, prices: [{ amount: '5.001' }] }] }, world.deps),
        { '/variants/0/prices/0/amount': 'invalid_amount' },
      ],
      [
        () =>
          set(
            context,
            { priceListId, variants: [{ variantId, prices: [{ amount: '5.00', minQuantity: 2 }] }] },
            world.deps,
          ),
        { '/variants/0/prices': 'required' },
      ],
    ] as const)
      assert.deepEqual((await refusal(work())).at, at);
    assert.equal(
      (await refusal(set(stranger.context, { priceListId, variants: [price] }, world.deps))).code,
      'not_found',
    );
    for (let number = 1; number < 20; number += 1) await create(context, { name: 'x', currency: 'EUR' }, world.deps);
    assert.equal((await refusal(create(context, { name: 'x', currency: 'EUR' }, world.deps))).code, 'price_list_limit');
    await update(context, { priceListId, endsAt: '2020-01-02T00:00:00Z' }, world.deps);
    await create(context, { name: 'x', currency: 'EUR' }, world.deps);
    assert.equal((await refusal(update(context, { priceListId, endsAt: null }, world.deps))).code, 'price_list_limit');
  });
});

test('the price at each quantity is the lowest of all lists, as plain looking up says', () => {
  const steps = (seed: number): Step[] =>
    [1, 3, 7, 20].map((minQuantity, index) => ({
      minQuantity,
      amount: BigInt((seed * (index + 3)) % 17),
      compareAt: null,
    }));
  for (let seed = 1; seed < 200; seed += 1) {
    const own = steps(seed);
    const lists = [1, 2, 3].map((list) =>
      steps(seed * 7 + list * 5).map((step) => ({
        ...step,
        minQuantity: step.minQuantity + (step.minQuantity > 1 ? list : 0),
      })),
    );
    const running = lists.flatMap((list, index) =>
      list.map(({ minQuantity, amount }): RunningPrice => [String(index), 'EUR', minQuantity, String(amount)]),
    );
    const found = lowered(own, running);
    for (let quantity = 1; quantity < 30; quantity += 1) {
      const of = (list: readonly Step[]) => list.findLast(({ minQuantity }) => minQuantity <= quantity)?.amount ?? 99n;
      const lowest = [own, ...lists].map(of).reduce((least, one) => (one < least ? one : least));
      assert.equal(of(found), lowest, `${seed} ${quantity}`);
    }
  }
});
