import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { roles, type Role } from '@steward/access';
import { newId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { TenantCall } from '@steward/tools';
import { line, order, vat } from '../fixtures/order.ts';
import { createWorld, faults, refused, rolesThatMay, type World } from '../fixtures/world.ts';
import { manageSelling, readSelling } from '../permissions.ts';
import { totalsOf } from '../totals/totals.ts';
import { archiveDiscount } from './archive.ts';
import { createDiscount } from './create.ts';
import { discountsFor } from './for-order.ts';
import { getDiscount } from './get.ts';
import { discountTools } from './tools.ts';
import { listDiscounts } from './list.ts';
import { updateDiscount } from './update.ts';
import { releaseDiscounts, useDiscounts } from './use.ts';

const all = { limit: 50, archived: false };
const percent = { kind: 'percentage', percentage: '10' } as const;
/** No year of the books in UTC, and the first and last ones also none of the database. */
const beyond = [
  '0000-01-01T00:00:00Z',
  '1900-01-01T00:00:00+00:01',
  '2199-12-31T23:59:59-00:01',
  '9999-12-31T23:59:59-23:59',
];
const [past, future] = ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'];

describe('discounts', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const make = async (context: TenantContext, given: object) =>
    world.withOthers(createDiscount)(context, { name: 'Sale', ...given });
  const change = async (context: TenantContext, given: object) => world.withOthers(updateDiscount)(context, given);
  const shop = (brandId = newId()) => ({
    ...order([line('a', 1000n, 3), line('b', 5000n)], { shipping: { price: 500n, tax: vat } }),
    currency: 'EUR',
    brandId,
  });
  const found = async (context: TenantContext, codes: readonly string[], sale = shop(), buyer?: string) => {
    const {
      discounts,
      refused: not,
      called,
    } = await discountsFor(world.system(context.tenant).require(readSelling), sale, codes, buyer);
    return {
      taken: discounts.map(({ id }) => called.get(id)?.code ?? 'automatic'),
      not: Object.fromEntries(not.map(({ code, reason }) => [code, reason])),
      off: totalsOf(sale, discounts).discount,
    };
  };

  test('are taken by their codes in any spelling, and automatic ones without', async () => {
    const context = await world.tenant();
    await make(context, { ...percent, code: ' Straße10 ', combinesWith: ['shipping'] });
    await make(context, {
      kind: 'free_shipping',
      combinesWith: ['order'],
      minimumAmounts: [{ amount: '80.00', currency: 'EUR' }],
    });
    const { taken, not, off } = await found(context, ['  ＳＴＲＡßE10', 'nope']);
    assert.deepEqual([taken, not, off], [['Straße10', 'automatic'], { nope: 'discount_not_found' }, 800n + 500n]);
    const few = { ...shop(), ...order([line('a', 7999n)], { shipping: { price: 500n, tax: vat } }) };
    assert.deepEqual((await found(context, [], few)).taken, [], 'below the minimum');
  });

  test('free the shipping of orders with one of their products, however little of it is theirs', async () => {
    const context = await world.tenant();
    const [first = assert.fail(), other = assert.fail()] = shop().lines;
    const freeing = { ...first, productId: world.productOf(context.tenant) };
    await make(context, { kind: 'free_shipping', productIds: [freeing.productId] });
    const { taken, off } = await found(context, [], { ...shop(), lines: [freeing, other] });
    assert.deepEqual([taken, off], [['automatic'], 500n]);
    assert.deepEqual((await found(context, [], { ...shop(), lines: [other] })).taken, []);
  });

  test('take percentages, amounts of the currency, and units that are got', async () => {
    const context = await world.tenant();
    const monies = [
      { amount: '5.00', currency: 'EUR' },
      { amount: '600', currency: 'JPY' },
    ];
    await make(context, { kind: 'fixed_amount', code: 'five', amounts: monies });
    await make(context, { kind: 'fixed_amount', code: 'each', amounts: monies, appliesTo: 'products' });
    await make(context, { ...percent, percentage: '12.50', code: 'eighth' });
    await make(context, { kind: 'buy_x_get_y', code: 'three', percentage: '100', buyQuantity: 2, getQuantity: 1 });
    for (const [code, off] of [
      ['five', 500n],
      ['each', 2_000n],
      ['eighth', 1_000n],
      ['three', 1_000n],
    ] as const)
      assert.equal((await found(context, [code])).off, off, code);
    assert.equal((await found(context, ['five'], { ...shop(), currency: 'JPY' })).off, 600n);
    const dollars = await found(context, ['five'], { ...shop(), currency: 'USD' });
    assert.deepEqual(dollars.not, { five: 'discount_wrong_currency' });
  });

  test('tell why a code does nothing', async () => {
    const context = await world.tenant();
    const brand = world.brandOf(context.tenant);
    await make(context, { ...percent, code: 'later', startsAt: future });
    await make(context, { ...percent, code: 'over', startsAt: past, endsAt: '2021-01-01T00:00:00+01:00' });
    await make(context, { ...percent, code: 'off', active: false });
    await make(context, { ...percent, code: 'brand', brandIds: [brand] });
    await make(context, { ...percent, code: 'none', productIds: [world.productOf(context.tenant)] });
    await make(context, { ...percent, code: 'many', minimumQuantity: 5 });
    await make(context, { ...percent, code: 'one' });
    await make(context, { ...percent, percentage: '20', code: 'two' });
    const { not } = await found(context, ['later', 'over', 'off', 'brand', 'none']);
    assert.deepEqual(not, {
      later: 'discount_not_started',
      over: 'discount_ended',
      off: 'discount_not_found',
      brand: 'discount_not_found',
      none: 'discount_nothing_eligible',
    });
    assert.deepEqual((await found(context, ['brand'], shop(brand))).taken, ['brand']);
    assert.deepEqual((await found(context, ['many', 'one', 'two'])).not, {
      many: 'discount_minimum_not_met',
      two: 'discount_not_combinable',
    });
    assert.deepEqual((await found(context, ['a', 'b', 'c', 'd', 'e', 'one'])).not['one'], 'discount_too_many');
    await make(context, { ...percent, percentage: '50' });
    assert.deepEqual((await found(context, ['one'])).not, { one: 'discount_outdone' });
  });

  test('that give half of everything away, or something for nothing, are told by the tool, in previews too', async () => {
    const context = await world.tenant();
    const productIds = [world.productOf(context.tenant)];
    const warned = async (given: object, preview = true): Promise<string | undefined> => {
      const call = { context, preview } as unknown as TenantCall;
      const ports = {
        brandIn: async () => undefined,
        productsIn: async () => new Set(productIds),
        collectionsIn: async () => new Set<string>(),
        locationIn: async () => true,
      };
      const tool = discountTools.find(({ name }) => name === 'service_create_discount');
      const told = await tool?.run(call, { name: 'Sale', kind: 'percentage', ...given }, ports);
      assert.ok(told !== undefined && 'summary' in told);
      return told.warning;
    };
    assert.equal(
      await warned({ percentage: '100' }),
      'It gives every buyer 100 % off whatever is bought, any number of times: ask your user whether that is meant.',
    );
    assert.match(
      String(await warned({ percentage: '50', code: 'HALF', usageLimit: 9 }, false)),
      /code HALF.*up to 9 times/,
    );
    assert.match(String(await warned({ percentage: '100', productIds })), /100 % off 1 product/);
    for (const less of [{ percentage: '49.9' }, { percentage: '60', productIds }])
      assert.equal(await warned(less), undefined);
  });

  test('are refused with a pointer to each fault', async () => {
    const context = await world.tenant();
    const stranger = await world.tenant();
    for (const [given, expected] of [
      [{ kind: 'percentage' }, { '/percentage': 'required' }],
      [{ ...percent, percentage: '-1' }, { '/percentage': 'invalid_percentage' }],
      [{ ...percent, percentage: '0' }, { '/percentage': 'invalid_percentage' }],
      [{ ...percent, percentage: '100.1' }, { '/percentage': 'invalid_percentage' }],
      [{ ...percent, amounts: [{ amount: '1.00', currency: 'EUR' }] }, { '/amounts': 'not_of_kind' }],
      [{ kind: 'fixed_amount' }, { '/amounts': 'required' }],
      [
        { kind: 'fixed_amount', amounts: [{ amount: '-1.00', currency: 'EUR' }] },
        { '/amounts/0/amount': 'invalid_amount' },
      ],
      [
        { kind: 'fixed_amount', amounts: [{ amount: '1.5', currency: 'EUR' }] },
        { '/amounts/0/amount': 'invalid_amount' },
      ],
      [
        { kind: 'fixed_amount', amounts: ['EUR', 'EUR'].map((currency) => ({ amount: '1.00', currency })) },
        { '/amounts/1/currency': 'repeated' },
      ],
      [{ kind: 'buy_x_get_y', percentage: '100', buyQuantity: 1 }, { '/getQuantity': 'required' }],
      [
        { kind: 'buy_x_get_y', percentage: '100', buyQuantity: 1.5, getQuantity: 0 },
        { '/buyQuantity': 'invalid_type', '/getQuantity': 'too_small' },
      ],
      [{ kind: 'free_shipping', appliesTo: 'order' }, { '/appliesTo': 'not_of_kind' }],
      [{ ...percent, startsAt: future, endsAt: past }, { '/endsAt': 'ends_before_start' }],
      [{ ...percent, usageLimit: 0 }, { '/usageLimit': 'too_small' }],
      [{ ...percent, brandIds: [world.brandOf(stranger.tenant)] }, { '/brandIds/0': 'unknown_brand' }],
      [{ ...percent, brandIds: [newId()] }, { '/brandIds/0': 'unknown_brand' }],
      [
        { ...percent, productIds: [world.productOf(context.tenant), newId(), world.productOf(stranger.tenant)] },
        { '/productIds/1': 'unknown_product', '/productIds/2': 'unknown_product' },
      ],
      [
        { kind: 'buy_x_get_y', percentage: '100', buyQuantity: 1, getQuantity: 1, buyProductIds: [newId()] },
        { '/buyProductIds/0': 'unknown_product' },
      ],
      [
        { ...percent, collectionIds: [world.collectionOf(context.tenant), world.collectionOf(stranger.tenant)] },
        { '/collectionIds/1': 'unknown_collection' },
      ],
      ...beyond.flatMap((at) => [
        [{ ...percent, startsAt: at }, { '/startsAt': 'invalid_value' }] as const,
        [{ ...percent, endsAt: at }, { '/endsAt': 'invalid_value' }] as const,
      ]),
      [{ ...percent, combinesWith: ['everything'] }, { '/combinesWith/0': 'invalid_value' }],
      [{ ...percent, price: '1.00' }, { '/price': 'unknown_field' }],
    ] as const) {
      const problem = await refused(make(context, given));
      assert.deepEqual([problem.status, faults(problem)], [400, expected], JSON.stringify(given));
    }
    assert.deepEqual((await listDiscounts(context, all)).items, []);
    const { id: discountId } = await make(context, {
      ...percent,
      startsAt: '1900-01-01T00:00:00Z',
      endsAt: '2199-12-31T23:59:59Z',
      productIds: [world.productOf(context.tenant)],
    });
    for (const [given, expected] of [
      ...beyond.map((startsAt) => [{ startsAt }, { '/startsAt': 'invalid_value' }] as const),
      ...beyond.map((endsAt) => [{ endsAt }, { '/endsAt': 'invalid_value' }] as const),
      [{ productIds: [newId()] }, { '/productIds/0': 'unknown_product' }],
    ] as const) {
      const problem = await refused(change(context, { discountId, ...given }));
      assert.deepEqual([problem.status, faults(problem)], [400, expected], JSON.stringify(given));
    }
  });

  test('have a code each, in whichever case, until they are archived', async () => {
    const context = await world.tenant();
    const first = await make(context, { ...percent, code: 'SALE', name: '<b>Sale</b>' });
    assert.equal(first.name, '<b>Sale</b>');
    const again = await refused(make(context, { ...percent, code: 'sale ' }));
    assert.deepEqual([again.code, faults(again)], ['discount_code_taken', { '/code': 'discount_code_taken' }]);
    await archiveDiscount(context, { discountId: first.id });
    const second = await make(context, { ...percent, code: 'sale' });
    const third = await make(context, { ...percent, code: 'other' });
    assert.equal((await refused(change(context, { discountId: third.id, code: 'Sale' }))).code, 'discount_code_taken');
    assert.equal((await change(context, { discountId: second.id, code: 'Sale' })).code, 'Sale');
    assert.equal((await refused(change(context, { discountId: first.id, name: 'x' }))).code, 'archived');
    const { items } = await listDiscounts(context, { ...all, query: 'SAL' });
    assert.deepEqual(
      items.map(({ id }) => id),
      [third.id, second.id],
    );
    assert.equal((await listDiscounts(context, { ...all, archived: true })).items.length, 3);
  });

  test('change by what is given, and tell the log ids, kinds and names of members', async () => {
    const context = await world.tenant();
    const { id: discountId, ...made } = await make(context, {
      ...percent,
      percentage: '10.50',
      code: 'x',
      startsAt: '2026-01-01T01:00:00+01:00',
    });
    assert.deepEqual([made.percentage, made.startsAt, made.status], ['10.5', '2026-01-01T00:00:00.000Z', 'active']);
    const same = { discountId, percentage: '10.5000', startsAt: '2026-01-01T00:00:00Z', productIds: [] };
    assert.equal((await change(context, same)).version, 1);
    const next = await change(context, { discountId, active: false, minimumQuantity: 2 });
    assert.deepEqual([next.version, next.status, next.minimumQuantity], [2, 'inactive', 2]);
    const automatic = await make(context, { kind: 'free_shipping' });
    const coded = await refused(change(context, { discountId: automatic.id, code: 'now' }));
    assert.deepEqual(faults(coded), { '/code': 'not_of_kind' });
    await archiveDiscount(context, { discountId });
    assert.deepEqual(await world.events(context.tenant), [
      'commerce.discount.created',
      'commerce.discount.updated',
      'commerce.discount.created',
      'commerce.discount.archived',
    ]);
  });

  const use = async (context: TenantContext, discountIds: readonly string[], buyer: string, useId = newId()) => {
    await world
      .system(context.tenant)
      .require(manageSelling)
      .write(async (tx) => useDiscounts(tx, { mode: 'live', discountIds, useId, buyer }));
    return useId;
  };
  const used = async (context: TenantContext, discountId: string) => (await getDiscount(context, { discountId })).used;

  test('are used up by no more orders than their limit, however many try at once', async () => {
    const context = await world.tenant();
    const limited = await make(context, { ...percent, code: 'few', usageLimit: 3 });
    const plain = await make(context, { ...percent, code: 'any' });
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, async (_one, index) =>
        // In both orders, so that whoever locks as given waits for another in a circle.
        use(context, index % 2 === 0 ? [limited.id, plain.id] : [plain.id, limited.id], `b${index}@example.com`),
      ),
    );
    const reasons = tries.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
    assert.deepEqual(
      reasons,
      Array.from({ length: 9 }, () => 'discount_unusable'),
    );
    assert.deepEqual([await used(context, limited.id), await used(context, plain.id)], [3, 3], 'all or nothing');
    assert.deepEqual((await found(context, ['few'])).not, { few: 'discount_exhausted' });
  });

  test('are used once by an order, and given back once', async () => {
    const context = await world.tenant();
    const { id } = await make(context, { ...percent, code: 'x', usageLimit: 1 });
    const useId = await use(context, [id], 'ann@example.com');
    await use(context, [id], 'ann@example.com', useId);
    assert.equal(await used(context, id), 1);
    const release = async () =>
      world
        .system(context.tenant)
        .require(manageSelling)
        .write(async (tx) => releaseDiscounts(tx, useId));
    await Promise.all([release(), release()]);
    await release();
    assert.equal(await used(context, id), 0);
    await use(context, [id], 'bob@example.com');
  });

  test('are used by one e-mail address no more often than its limit, in whichever case it is written', async () => {
    const context = await world.tenant();
    const { id } = await make(context, { ...percent, code: 'x', usageLimitPerBuyer: 1 });
    const tries = await Promise.allSettled(
      Array.from({ length: 6 }, async (_one, index) =>
        use(context, [id], index % 2 === 0 ? 'ann@example.com' : 'Ann@Example.com'),
      ),
    );
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
    await use(context, [id], 'bob@example.com');
    assert.equal(await used(context, id), 2);
    assert.deepEqual((await found(context, ['x'], shop(), 'ANN@example.com')).not, { x: 'discount_used_by_buyer' });
    assert.deepEqual((await found(context, ['x'], shop(), 'eve@example.com')).taken, ['x']);
  });

  test('that ended or were taken out of use meanwhile are not used', async () => {
    const context = await world.tenant();
    const { id: ended } = await make(context, { ...percent, code: 'a', endsAt: past });
    const { id: archived } = await make(context, { ...percent, code: 'b' });
    const { id: paused } = await make(context, { ...percent, code: 'c', active: false });
    await archiveDiscount(context, { discountId: archived });
    for (const id of [ended, archived, paused]) {
      assert.equal((await refused(use(context, [id], 'ann@example.com'))).code, 'discount_unusable');
      assert.equal(await used(context, id), 0);
    }
    const theirs = await make(await world.tenant(), percent);
    for (const id of [theirs.id, newId()])
      assert.equal((await refused(use(context, [id], 'ann@example.com'))).code, 'not_found');
  });

  test('are changed by owners, admins and merchandisers, and read by every member', async () => {
    const { tenant } = await world.tenant(
      Object.fromEntries(roles.map((role) => [role, role])) as Record<string, Role>,
    );
    const able = await rolesThatMay(roles, async (role) => {
      const context = world.as(tenant, role);
      await listDiscounts(context, all);
      await make(context, { ...percent, code: role });
    });
    assert.deepEqual(able, ['owner', 'admin', 'merchandiser']);
  });

  test('of another tenant are answered as those that there are not, and automatic ones are few', async () => {
    const [mine, theirs] = [await world.tenant(), await world.tenant()];
    const { id } = await make(theirs, { ...percent, code: 'x' });
    for (const discountId of [id, newId()])
      for (const problem of [
        await refused(getDiscount(mine, { discountId })),
        await refused(change(mine, { discountId, name: 'x' })),
        await refused(archiveDiscount(mine, { discountId })),
      ])
        assert.deepEqual(
          [problem.code, problem.detail],
          ['not_found', 'There is no such discount in this tenant: list the discounts for their ids.'],
        );
    assert.deepEqual((await found(mine, ['x'])).not, { x: 'discount_not_found' });
    for (let made = 0; made < 25; made += 1) await make(mine, { kind: 'free_shipping' });
    assert.equal((await refused(make(mine, { kind: 'free_shipping' }))).code, 'selling_limit');
  });
});
