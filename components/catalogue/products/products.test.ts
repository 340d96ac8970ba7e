import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId, Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import type { TenantCall } from '@steward/tools';
import { byDoor, createWorld, refusal, type World } from '../fixtures/world.ts';
import { manageCatalogue } from '../permissions.ts';
import { createProducts } from './create.ts';
import { getProduct } from './get.ts';
import { handleOf } from './handle.ts';
import { listProducts } from './list.ts';
import { publishProducts, unpublishProducts } from './publish.ts';
import { setPrices } from './set-prices.ts';
import { setVariants } from './set-variants.ts';
import { productTools } from './tools.ts';
import { updateProducts } from './update.ts';
import { variantsNamed } from './variants-named.ts';

const create = byDoor(createProducts);
const eur = (amount: string, more: object = {}) => ({ amount, currency: 'EUR', ...more });

describe('products', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('are added many at once, with variants, prices and brands, and read again as they were given', async () => {
    const { context, brandId } = await world.tenant();
    const { products } = await create(
      context,
      {
        products: [
          {
            title: ' Linen shirt ',
            description: '**Soft**',
            tags: ['summer', 'summer'],
            status: 'active',
            brandIds: [brandId, brandId],
            options: ['Size', 'Colour'],
            variants: [
              { options: { Size: 'M', Colour: 'Blue' }, sku: 'LS-M-B', prices: [eur('49.00', { compareAt: '59.00' })] },
              {
                options: { Colour: 'Red', Size: 'L' },
                weightGrams: 230,
                prices: [eur('40.00', { minQuantity: 10 }), eur('49.00'), { amount: '7900', currency: 'JPY' }],
              },
            ],
          },
          { title: 'Linen shirt', variants: [{ requiresShipping: false, prices: [eur('0.00')] }] },
          { title: '亚麻衬衫' },
        ],
      },
      world.deps,
    );
    const [first, second, third] = products;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.deepEqual(
      [first.handle, first.title, first.tags, first.brandIds],
      ['linen-shirt', 'Linen shirt', ['summer'], [brandId]],
    );
    assert.match(second.handle, /^linen-shirt-[0-9a-f]{12}$/);
    assert.match(third.handle, /^[0-9a-f]{12}$/);
    assert.deepEqual([third.status, third.variantCount, third.taxCategory], ['draft', 1, 'standard']);
    const read = await getProduct(context, { handle: 'linen-shirt' }, world.deps);
    assert.deepEqual(
      read.variants.map(({ id: _id, ...rest }) => rest),
      [
        {
          options: { Size: 'M', Colour: 'Blue' },
          sku: 'LS-M-B',
          barcode: null,
          weightGrams: null,
          requiresShipping: true,
          prices: [{ amount: '49.00', currency: 'EUR', minQuantity: 1, compareAt: '59.00' }],
        },
        {
          options: { Size: 'L', Colour: 'Red' },
          sku: null,
          barcode: null,
          weightGrams: 230,
          requiresShipping: true,
          prices: [
            { amount: '49.00', currency: 'EUR', minQuantity: 1, compareAt: null },
            { amount: '40.00', currency: 'EUR', minQuantity: 10, compareAt: null },
            { amount: '7900', currency: 'JPY', minQuantity: 1, compareAt: null },
          ],
        },
      ],
    );
    assert.deepEqual(await getProduct(context, { productId: first.id }, world.deps), read);
    assert.deepEqual(await world.events(context.tenant), [
      ...products.map(() => 'commerce.product.created'),
      'commerce.product.published',
    ]);
  });

  test('exchange handles in one call', async () => {
    const { context } = await world.tenant();
    const made = await create(
      context,
      { products: ['a', 'b', 'c'].map((title) => ({ title, handle: title })) },
      world.deps,
    );
    const [a, b, c] = made.products.map(({ id: productId }) => productId);
    const change = async (...handles: readonly [string | undefined, string][]) =>
      byDoor(updateProducts)(
        context,
        { products: handles.map(([productId, handle]) => ({ productId, handle })) },
        world.deps,
      );
    const { products } = await change([a, 'b'], [b, 'c'], [c, 'a']);
    assert.deepEqual(
      products.map(({ handle }) => handle),
      ['b', 'c', 'a'],
    );
    const taken = { code: 'handle_taken', at: { '/products/1/handle': 'handle_taken' } };
    assert.deepEqual(await refusal(change([a, 'new'], [c, 'c'])), taken, 'one that stays keeps its own');
    assert.deepEqual(await refusal(change([a, 'new'], [c, 'new'])), taken);
    const once = await Promise.allSettled([change([a, 'c'], [b, 'b']), change([a, 'c'], [b, 'b'])]);
    assert.ok(once.every(({ status }) => status === 'fulfilled'));
  });

  test('have a thousand variants, and not one more', async () => {
    const { context } = await world.tenant();
    const many = (count: number) => ({
      products: [
        {
          title: `${count} sizes`,
          options: ['Size'],
          variants: Array.from({ length: count }, (_, at) => ({ options: { Size: String(at) } })),
        },
      ],
    });
    const { products } = await create(context, many(1_000), world.deps);
    assert.equal(products[0]?.variantCount, 1_000);
    await assert.rejects(create(context, many(1_001), world.deps), (error: unknown) => {
      assert.ok(error instanceof Problem);
      assert.deepEqual(
        error.errors?.map(({ pointer }) => pointer),
        ['/products/0/variants'],
      );
      return true;
    });
  });

  test('that nobody can buy, that no shop shows, that cost more the more are bought, or of a category that no zone lists, are told', async () => {
    const { context, brandId } = await world.tenant();
    world.categories.add('reduced');
    const sold = { status: 'active', brandIds: [brandId] } as const;
    const steps = [eur('10.00'), eur('9.00', { minQuantity: 5 }), eur('11.00', { minQuantity: 50 })];
    const { products, warnings } = await create(
      context,
      {
        products: [
          { title: 'Free of price', ...sold },
          { title: 'Dear', ...sold, taxCategory: 'reduced', variants: [{ prices: steps }] },
          { title: 'Draft', taxCategory: 'typo' },
          { title: 'Nowhere', status: 'active', variants: [{ prices: steps.slice(0, 2) }] },
          { title: 'Right', ...sold, variants: [{ prices: steps.slice(0, 2) }] },
        ],
      },
      world.deps,
    );
    const of = (found: typeof warnings) =>
      found.map(({ code, productId }) => [code, products.find(({ id }) => id === productId)?.title]);
    assert.deepEqual(of(warnings), [
      ['dearer_by_quantity', 'Dear'],
      ['no_price', 'Free of price'],
      ['not_published', 'Nowhere'],
      ['unlisted_tax_category', 'Draft'],
    ]);
    const [free, dear] = products;
    const shown = await getProduct(context, { productId: dear?.id }, world.deps);
    const changed = await byDoor(setPrices)(
      context,
      { variants: [{ variantId: shown.variants[0]?.id, prices: [eur('1.00')] }] },
      world.deps,
    );
    assert.deepEqual(changed.warnings, []);
    const both = { productIds: [free?.id], brandIds: [brandId] };
    assert.deepEqual((await byDoor(publishProducts)(context, both, world.deps)).warnings, [], 'it was so already');
    await byDoor(unpublishProducts)(context, both, world.deps);
    assert.deepEqual(of((await byDoor(publishProducts)(context, both, world.deps)).warnings), [
      ['no_price', 'Free of price'],
    ]);
    const tool = productTools.find(({ name }) => name === 'service_update_products');
    const call = { context, preview: true } as unknown as TenantCall;
    const told = await tool?.run(call, { products: [{ productId: free?.id, title: 'Given' }] }, world.deps);
    assert.ok(told !== undefined && 'warning' in told);
    assert.equal(told.warning, 'Given is active and published and has no price: nobody can buy it.');
  });

  test('name their variants for people, also those that were taken off', async () => {
    const { context } = await world.tenant();
    const { products } = await create(
      context,
      {
        products: [
          {
            title: 'Shirt',
            options: ['Size', 'Colour'],
            variants: [{ options: { Size: 'M', Colour: 'Blue' }, sku: 'S1' }],
          },
          { title: 'Lamp' },
        ],
      },
      world.deps,
    );
    const ids = await Promise.all(
      products.map(async ({ id }) => (await getProduct(context, { productId: id }, world.deps)).variants[0]?.id ?? ''),
    );
    await byDoor(setVariants)(
      context,
      { productId: products[0]?.id, variants: [{ options: { Size: 'L', Colour: 'Blue' } }] },
      world.deps,
    );
    const named = await context.require(manageCatalogue).write(async (tx) => variantsNamed(tx, ids));
    assert.deepEqual(
      ids.map((id) => named.get(id)),
      [
        { title: 'Shirt (M, Blue)', sku: 'S1' },
        { title: 'Lamp', sku: null },
      ],
    );
  });

  test('are refused with a pointer to each fault, and then none is added', async () => {
    const { context } = await world.tenant();
    const one = (product: object) =>
      create(context, { products: [{ title: 'Good' }, { title: 'A', ...product }] }, world.deps);
    const variants = (...given: object[]) => ({ options: ['Size'], variants: given });
    const priced = (...prices: object[]) => ({ variants: [{ prices }] });
    for (const [product, at] of [
      [{ title: ' ' }, { '/products/1/title': 'too_small' }],
      [{ price: '1.00' }, { '/products/1/price': 'unknown_field' }],
      [{ handle: 'No Spaces' }, { '/products/1/handle': 'invalid_format' }],
      [{ brandIds: [newId()] }, { '/products/1/brandIds/0': 'unknown_brand' }],
      [{ options: ['A', 'A'] }, { '/products/1/options': 'invalid_value' }],
      [variants({}), { '/products/1/variants/0/options': 'required' }],
      [
        variants({ options: { Size: 'M' } }, { options: { Size: 'M' } }, { options: { Size: 'L', Fit: 'x' } }),
        { '/products/1/variants/1': 'duplicate', '/products/1/variants/2/options': 'unknown_option' },
      ],
      [{ variants: [{}, {}] }, { '/products/1/variants/1': 'duplicate' }],
      [priced(eur('1')), { '/products/1/variants/0/prices/0/amount': 'invalid_amount' }],
      [priced(eur('-1.00')), { '/products/1/variants/0/prices/0/amount': 'invalid_amount' }],
      [priced(eur('99999999999999999.99')), { '/products/1/variants/0/prices/0/amount': 'invalid_amount' }],
      [priced(eur('10000000000.00')), { '/products/1/variants/0/prices/0/amount': 'invalid_amount' }],
      [{ description: 'a\0b' }, { '/products/1/description': 'invalid_format' }],
      [{ custom: { a: 'a\0b' } }, { '/products/1/custom/a': 'invalid_format' }],
      [
        { custom: Object.fromEntries(Array.from({ length: 14 }, (_one, n) => [`f${n}`, 'x'.repeat(5_000)])) },
        { '/products/1/custom': 'invalid_value' },
      ],
      [{ options: ['constructor'], variants: [{ options: {} }] }, { '/products/1/variants/0/options': 'required' }],
      [{ options: ['__proto__'] }, { '/products/1/options/0': 'invalid_value' }],
      [priced(eur('1.00', { compareAt: '1.00' })), { '/products/1/variants/0/prices/0/compareAt': 'invalid_amount' }],
      [priced({ amount: '1.00', currency: 'XXX' }), { '/products/1/variants/0/prices/0/currency': 'unknown_currency' }],
      [priced(eur('1.00'), eur('2.00')), { '/products/1/variants/0/prices/1/minQuantity': 'duplicate' }],
      [priced(eur('1.00', { minQuantity: 2 })), { '/products/1/variants/0/prices': 'required' }],
    ] as const)
      assert.deepEqual(await refusal(one(product)), { code: 'invalid_request', at });
    const many = Array.from({ length: 3 }, () => ({
      title: 'Many',
      options: ['N'],
      variants: Array.from({ length: 400 }, (_one, n) => ({ options: { N: String(n) } })),
    }));
    assert.deepEqual((await refusal(create(context, { products: many }, world.deps))).at, { '/products': 'too_big' });
    assert.deepEqual((await listProducts(context, { limit: 10 }, world.deps)).items, []);
    await create(context, { products: [{ title: 'Taken' }] }, world.deps);
    assert.deepEqual(await refusal(one({ handle: 'taken' })), {
      code: 'handle_taken',
      at: { '/products/1/handle': 'handle_taken' },
    });
    assert.deepEqual(await world.events(context.tenant), ['commerce.product.created']);
  });

  test('change by what is given, count their changes, and refuse a change of what somebody else changed', async () => {
    const { context } = await world.tenant();
    const { products } = await create(context, { products: [{ title: 'A', tags: ['x'] }, { title: 'B' }] }, world.deps);
    const [a, b] = products;
    assert.ok(a !== undefined && b !== undefined);
    const update = byDoor(updateProducts);
    const changed = await update(
      context,
      {
        products: [
          { productId: a.id, status: 'active', tags: ['x', 'y'] },
          { productId: b.id, title: 'B' },
        ],
      },
      world.deps,
    );
    assert.deepEqual(
      changed.products.map(({ title, status, tags, version }) => ({ title, status, tags, version })),
      [
        { title: 'A', status: 'active', tags: ['x', 'y'], version: 2 },
        { title: 'B', status: 'draft', tags: [], version: 1 },
      ],
    );
    const refusedBy = async (...given: object[]) => refusal(update(context, { products: given }, world.deps));
    assert.equal((await refusedBy({ productId: a.id, expectedVersion: 1, title: 'Z' })).code, 'product_changed');
    assert.deepEqual(await refusedBy({ productId: a.id, title: 'Z' }, { productId: b.id, handle: 'a' }), {
      code: 'handle_taken',
      at: { '/products/1/handle': 'handle_taken' },
    });
    assert.deepEqual(
      (await refusedBy({ productId: newId(), title: 'Z' }, { productId: a.id }, { productId: a.id })).at,
      {
        '/products/0/productId': 'unknown_product',
        '/products/2/productId': 'duplicate',
      },
    );
    assert.equal((await getProduct(context, { productId: a.id }, world.deps)).title, 'A');
    // They may exchange their handles, for both are free afterwards.
    const other = await world.tenant();
    assert.equal((await refusal(getProduct(other.context, { productId: a.id }, world.deps))).code, 'not_found');
  });

  test('keep the ids of variants that stay, with their prices, and take off the others', async () => {
    const { context } = await world.tenant();
    const { products } = await create(
      context,
      {
        products: [
          {
            title: 'Mug',
            options: ['Size'],
            variants: ['S', 'M', 'L'].map((size) => ({ options: { Size: size }, sku: size, prices: [eur('9.00')] })),
          },
        ],
      },
      world.deps,
    );
    const productId = products[0]?.id ?? '';
    const [s, m, l] = (await getProduct(context, { productId }, world.deps)).variants;
    const set = byDoor(setVariants);
    // The values change places.
    const next = await set(
      context,
      {
        productId,
        variants: [
          { variantId: m?.id, options: { Size: 'S' } },
          { variantId: s?.id, options: { Size: 'M' }, sku: null },
          { options: { Size: 'XL' }, prices: [eur('12.00')] },
        ],
      },
      world.deps,
    );
    assert.deepEqual(
      next.variants.map(({ id, options, sku, prices }) => [id, options['Size'], sku, prices[0]?.amount]),
      [
        [m?.id, 'S', 'M', '9.00'],
        [s?.id, 'M', null, '9.00'],
        [next.variants[2]?.id, 'XL', null, '12.00'],
      ],
    );
    assert.equal(next.version, 2);
    const again = await set(
      context,
      { productId, variants: next.variants.map(({ id }) => ({ variantId: id })) },
      world.deps,
    );
    assert.equal(again.version, 2, 'nothing changed');
    assert.deepEqual((await refusal(set(context, { productId, variants: [{ variantId: l?.id }] }, world.deps))).at, {
      '/variants/0/variantId': 'unknown_variant',
      '/variants/0/options': 'required',
    });
    const back = await set(
      context,
      { productId, variants: [{ variantId: m?.id }, { variantId: s?.id }, { options: { Size: 'L' } }] },
      world.deps,
    );
    assert.deepEqual(
      [back.variants[2]?.id, back.removedVariantIds],
      [l?.id, [next.variants[2]?.id]],
      'a variant that comes back is the one that stock and orders name',
    );
    await set(
      context,
      {
        productId,
        variants: next.variants.map(({ id, options }) => ({ options, ...(id === l?.id ? { variantId: id } : {}) })),
      },
      world.deps,
    );
    const twice = [{ variantId: m?.id }, { variantId: m?.id, options: { Size: 'Q' } }];
    assert.equal(
      (await refusal(set(context, { productId, variants: twice }, world.deps))).at['/variants/1/variantId'],
      'duplicate',
    );
    const twoOptions = await set(
      context,
      {
        productId,
        options: ['Size', 'Colour'],
        variants: next.variants.map(({ id, options }) => ({ variantId: id, options: { ...options, Colour: 'White' } })),
      },
      world.deps,
    );
    assert.deepEqual(twoOptions.variants[0]?.options, { Size: 'S', Colour: 'White' });
  });

  test('have their prices replaced, of many variants at once, and only what changed counts', async () => {
    const { context } = await world.tenant();
    const { products } = await create(
      context,
      { products: ['A', 'B'].map((title) => ({ title, variants: [{ prices: [eur('1.00')] }] })) },
      world.deps,
    );
    const variants = await Promise.all(
      products.map(async ({ id }) => (await getProduct(context, { productId: id }, world.deps)).variants[0]?.id ?? ''),
    );
    const set = byDoor(setPrices);
    const prices = [eur('2.00', { compareAt: '3.00' })];
    const changed = await set(
      context,
      {
        variants: [
          { variantId: variants[0], prices },
          { variantId: variants[1], prices: [eur('1.00')] },
        ],
      },
      world.deps,
    );
    assert.deepEqual(
      changed.products.map(({ title, version }) => [title, version]),
      [['A', 2]],
    );
    const at = (
      await refusal(
        set(
          context,
          {
            variants: [
              { variantId: newId(), prices: [] },
              { variantId: variants[1], prices: [eur('x')] },
            ],
          },
          world.deps,
        ),
      )
    ).at;
    assert.deepEqual(at, {
      '/variants/0/variantId': 'unknown_variant',
      '/variants/1/prices/0/amount': 'invalid_amount',
    });
  });

  test('that lose a variant while its price is set keep their promise: the price is set, or refused', async () => {
    const { context } = await world.tenant();
    const set = byDoor(setPrices);
    for (let round = 0; round < 4; round += 1) {
      const { products } = await create(
        context,
        {
          products: [
            {
              title: 'Vase',
              options: ['Size'],
              variants: ['S', 'M'].map((size) => ({ options: { Size: size }, prices: [eur('1.00')] })),
            },
          ],
        },
        world.deps,
      );
      const productId = products[0]?.id ?? '';
      const [s, m] = (await getProduct(context, { productId }, world.deps)).variants;
      const outcomes = await Promise.allSettled([
        byDoor(setVariants)(context, { productId, variants: [{ variantId: s?.id }] }, world.deps),
        ...['2.00', '3.00'].map(async (amount) =>
          set(context, { variants: [{ variantId: m?.id, prices: [eur(amount)] }] }, world.deps),
        ),
      ]);
      assert.equal(outcomes[0]?.status, 'fulfilled');
    }
    const stray = await world.admin.query(
      sql`select from catalogue.price c join catalogue.variant v using (tenant_id, variant_id) where v.removed_at is not null`,
    );
    assert.equal(stray.length, 0);
  });

  test('are searched by words of a bounded part of what they say, however it is spelled', async () => {
    const { context } = await world.tenant();
    const tags = Array.from({ length: 100 }, (_one, n) => `${String(n).padStart(3, '0')} ${'\uFDFA'.repeat(240)}`);
    await create(context, { products: [{ title: 'Lamp', tags }] }, world.deps);
    const [row] = await world.admin.query<{ words: number }>(
      sql`select count(*)::int as words from catalogue.product_term where tenant_id = ${context.tenant}::uuid and field = 'word'`,
    );
    assert.ok((row?.words ?? 0) <= 100);
    assert.equal((await listProducts(context, { limit: 5, query: 'lamp' }, world.deps)).items.length, 1);
    assert.equal((await listProducts(context, { limit: 5, tag: tags[99] }, world.deps)).items.length, 1);
  });

  test('are published to brands and taken off again, and listed by what they are', async () => {
    const { context, brandId } = await world.tenant();
    const { products } = await create(
      context,
      {
        products: [
          { title: 'A', tags: ['t'], status: 'active', variants: [{ sku: 'a-1', prices: [eur('1.00')] }] },
          { title: 'B', tags: ['t'] },
        ],
      },
      world.deps,
    );
    const ids = products.map(({ id }) => id);
    const given = { productIds: ids, brandIds: [brandId] };
    assert.deepEqual(await byDoor(publishProducts)(context, given, world.deps), {
      changed: [{ brandId, products: 2 }],
      warnings: [],
    });
    assert.deepEqual(await byDoor(publishProducts)(context, given, world.deps), {
      changed: [{ brandId, products: 0 }],
      warnings: [],
    });
    const at = (
      await refusal(byDoor(publishProducts)(context, { productIds: [newId()], brandIds: [brandId] }, world.deps))
    ).at;
    assert.deepEqual(at, { '/productIds/0': 'unknown_product' });
    const titles = async (filter: object) =>
      (await listProducts(context, { limit: 50, ...filter }, world.deps)).items.map(({ title }) => title);
    assert.deepEqual(await titles({}), ['B', 'A']);
    assert.deepEqual(await titles({ tag: 't', status: 'active' }), ['A']);
    assert.deepEqual(await titles({ sku: 'a-1' }), ['A']);
    assert.deepEqual(await titles({ brandId }), ['B', 'A']);
    await byDoor(unpublishProducts)(context, { ...given, productIds: [ids[1]] }, world.deps);
    assert.deepEqual(await titles({ brandId }), ['A']);
    const first = await listProducts(context, { limit: 1 }, world.deps);
    const second = await listProducts(context, { limit: 1, cursor: first.nextCursor ?? undefined }, world.deps);
    assert.deepEqual([first.items[0]?.title, second.items[0]?.title, second.nextCursor], ['B', 'A', null]);
  });
});

test('a handle is made of the letters and digits of a title', () => {
  for (const [title, handle] of [
    ['Leinen-Hemd „Süd“', 'leinen-hemd-sud'],
    ['  Straße 7 ', 'strasse-7'],
    ['---', ''],
    ['亚麻', ''],
    [
      `${'long '.repeat(60)}`,
      'long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long',
    ],
  ] as const)
    assert.equal(handleOf(title), handle);
});
