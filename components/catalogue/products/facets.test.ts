import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Fixed } from '@steward/contract';
import { caseFolded } from '@steward/kernel';
import { sql, statement, type TenantContext } from '@steward/sql';
import fc from 'fast-check';
import { createCollection } from '../collections/create.ts';
import { byDoor, createWorld, refusal, type World } from '../fixtures/world.ts';
import { createPriceList } from '../price-lists/create.ts';
import { setListPrices } from '../price-lists/set-prices.ts';
import { createProducts } from './create.ts';
import { listProducts } from './list.ts';
import { listCollected, listPublished } from './published.ts';
import { setVariants } from './set-variants.ts';
import { updateProducts } from './update.ts';

const create = byDoor(createProducts);
const list = byDoor(listProducts);
const eur = (amount: string) => [{ amount, currency: 'EUR' }];

/** Stock of variants whose number begins with `in`. */
const buyable = (variantId: string): string =>
  `exists (select from catalogue.variant s where s.tenant_id = $1::uuid and s.variant_id = ${variantId} and s.sku like 'in%')`;

interface ModelVariant {
  readonly values: readonly string[];
  readonly stock: boolean;
  readonly cents: number | undefined;
}
interface ModelProduct {
  readonly title: string;
  readonly tags: readonly string[];
  readonly vendor: string | null;
  readonly type: string | null;
  readonly status: string;
  readonly published: boolean;
  readonly collections: readonly string[];
  readonly options: readonly string[];
  readonly variants: readonly ModelVariant[];
}
interface ModelFilters {
  readonly tag?: readonly string[];
  readonly vendor?: readonly string[];
  readonly type?: readonly string[];
  readonly collection?: readonly string[];
  readonly option?: readonly (readonly [name: string, value: string])[];
  readonly available?: boolean;
  readonly priceFrom?: number;
  readonly priceTo?: number;
}

const same = (a: string, b: string): boolean => caseFolded(a) === caseFolded(b);
const anyOf = (wanted: readonly string[] | undefined, has: readonly (string | null)[]): boolean =>
  wanted === undefined || wanted.some((one) => has.some((other) => other !== null && same(one, other)));
const termOf = ([name, value]: readonly [string, string]): string =>
  `${caseFolded(name).replaceAll('%', '%25').replaceAll(':', '%3a')}:${caseFolded(value)}`;
const money = (cents: number): string => (cents / 100).toFixed(2);

/** What a shopper means by filters, told without SQL. */
function meets(one: ModelProduct, wanted: ModelFilters): boolean {
  if (!anyOf(wanted.tag, one.tags) || !anyOf(wanted.vendor, [one.vendor]) || !anyOf(wanted.type, [one.type]))
    return false;
  if (wanted.collection?.some((handle) => one.collections.includes(handle)) === false) return false;
  const asked = Map.groupBy(wanted.option ?? [], ([name]) => caseFolded(name));
  const priced = wanted.priceFrom !== undefined || wanted.priceTo !== undefined;
  if (asked.size === 0 && !priced && wanted.available === undefined) return true;
  const such = one.variants.filter(
    ({ values, cents }) =>
      [...asked.values()].every((pairs) =>
        pairs.some(([name, value]) => one.options.some((own, at) => same(own, name) && same(values[at] ?? '', value))),
      ) &&
      (!priced ||
        (cents !== undefined && cents >= (wanted.priceFrom ?? 0) && cents <= (wanted.priceTo ?? Number.MAX_VALUE))),
  );
  if (wanted.available === undefined) return such.length > 0;
  if (wanted.available) return such.some(({ stock }) => stock);
  return (such.length > 0 || (asked.size === 0 && !priced)) && !such.some(({ stock }) => stock);
}

const without = (wanted: ModelFilters, facet: string): ModelFilters => {
  if (facet.startsWith('option:'))
    return { ...wanted, option: (wanted.option ?? []).filter(([name]) => !same(name, facet.slice(7))) };
  const rest: Record<string, unknown> = { ...wanted };
  for (const name of facet === 'price' ? ['priceFrom', 'priceTo'] : [facet]) delete rest[name];
  return rest;
};

/** Each value with how many products the list would have if it alone were chosen. */
function expected(products: readonly ModelProduct[], wanted: ModelFilters, facet: string): [string, number][] {
  const others = without(wanted, facet);
  const name = facet.slice('option:'.length);
  const count = (more: ModelFilters): number => products.filter((one) => meets(one, { ...others, ...more })).length;
  const folded = (texts: readonly (string | null)[]): string[] => [
    ...new Set(texts.flatMap((one) => (one === null ? [] : [caseFolded(one)]))),
  ];
  const counts: [string, number][] = facet.startsWith('option:')
    ? folded(
        products.flatMap(({ options, variants }) =>
          options.flatMap((own, at) => (same(own, name) ? variants.map(({ values }) => values[at] ?? '') : [])),
        ),
      ).map((value) => [termOf([name, value]), count({ option: [...(others.option ?? []), [name, value]] })])
    : facet === 'available'
      ? [true, false].map((value) => [String(value), count({ available: value })])
      : facet === 'collection'
        ? ['x', 'y'].map((value) => [value, count({ collection: [value] })])
        : folded(
            products.flatMap((one): readonly (string | null)[] =>
              facet === 'tag' ? one.tags : [facet === 'vendor' ? one.vendor : one.type],
            ),
          ).map((value) => [value, count({ [facet]: [value] })]);
  const chosen = new Set(chosenIn(wanted, facet));
  const known = new Set(counts.map(([value]) => value));
  return [...counts, ...[...chosen].filter((one) => !known.has(one)).map((one): [string, number] => [one, 0])]
    .filter(([value, products]) => products > 0 || chosen.has(value))
    .toSorted(([a, of], [b, against]) => against - of || (a < b ? -1 : 1));
}

const chosenIn = (wanted: ModelFilters, facet: string): readonly string[] =>
  facet.startsWith('option:')
    ? (wanted.option ?? []).filter(([name]) => same(name, facet.slice(7))).map(termOf)
    : facet === 'available'
      ? wanted.available === undefined
        ? []
        : [String(wanted.available)]
      : ((wanted as Readonly<Record<string, readonly string[] | undefined>>)[facet] ?? []).map((one) =>
          facet === 'collection' ? one : caseFolded(one),
        );

const tags = ['Summer', 'summer', 'Neu', '100%: a', 'straße'];
const optionNames = ['Colour', 'colour', 'Size', 'a:b%'];
const optionValues = ['Red', 'red', 'Blue', 'XL', 'x:y'];
const product = fc
  .record({
    tags: fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 3 }),
    vendor: fc.constantFrom(null, 'Acme', 'ACME', 'Beta'),
    type: fc.constantFrom(null, 'Shirt', 'Mug'),
    status: fc.constantFrom('active', 'active', 'active', 'draft', 'archived'),
    published: fc.boolean().map((one) => one),
    collections: fc.subarray(['x', 'y']),
    options: fc.uniqueArray(fc.constantFrom(...optionNames), { maxLength: 2 }),
    rows: fc.array(
      fc.record({
        values: fc.tuple(fc.constantFrom(...optionValues), fc.constantFrom(...optionValues)),
        stock: fc.boolean(),
        cents: fc.option(fc.integer({ min: 100, max: 900 }), { nil: undefined, freq: 4 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ rows, ...one }) => ({
    ...one,
    variants: [
      ...new Map(
        rows.map((row) => {
          const values = row.values.slice(0, one.options.length);
          return [JSON.stringify(values), { ...row, values }];
        }),
      ).values(),
    ],
  }));
const pairs = fc.tuple(fc.constantFrom('Colour', 'SIZE', 'a:b%'), fc.constantFrom(...optionValues, 'None'));
const filters = fc.record(
  {
    tag: fc.uniqueArray(fc.constantFrom('SUMMER', 'neu', '100%: a', 'nowhere'), { minLength: 1, maxLength: 2 }),
    vendor: fc.uniqueArray(fc.constantFrom('acme', 'Beta', 'Nobody'), { minLength: 1, maxLength: 2 }),
    type: fc.constant(['shirt']),
    collection: fc.uniqueArray(fc.constantFrom('x', 'y'), { minLength: 1 }),
    option: fc.uniqueArray(pairs, { minLength: 1, maxLength: 3, selector: termOf }),
    available: fc.boolean(),
    priceFrom: fc.integer({ min: 100, max: 500 }),
    priceTo: fc.integer({ min: 500, max: 900 }),
  },
  { requiredKeys: [] },
);
const facetNames = ['tag', 'vendor', 'type', 'collection', 'available', 'option:colour', 'option:Size', 'option:A:b%'];

describe('facets of a list', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const deps = () => ({ ...world.deps, buyable });

  /** Products, oldest first, with the collections x and y that pages of the brand show. */
  const stocked = async (products: readonly ModelProduct[]) => {
    const { context, brandId } = await world.tenant();
    const made = await create(
      context,
      {
        products: products.map(({ published, collections: _in, variants, options, ...one }, at) => ({
          ...one,
          options,
          brandIds: published ? [brandId] : [],
          variants: variants.map(({ values, stock, cents }, index) => ({
            sku: `${stock ? 'in' : 'out'}-${at}-${index}`,
            options: Object.fromEntries(options.map((name, place) => [name, values[place] ?? ''])),
            prices: cents === undefined ? [] : eur(money(cents)),
          })),
        })),
      },
      deps(),
    );
    const ids = new Map<string, string>();
    for (const handle of ['x', 'y'])
      ids.set(
        handle,
        (
          await byDoor(createCollection)(
            context,
            {
              title: handle.toUpperCase(),
              handle,
              brandIds: [brandId],
              productIds: made.products.flatMap(({ id }, at) =>
                products[at]?.collections.includes(handle) ? [id] : [],
              ),
            },
            deps(),
          )
        ).id,
      );
    return { context, brandId, ids, visitor: world.system(context.tenant) };
  };

  type Found = Awaited<ReturnType<typeof listPublished>>;
  const every = async (
    page: (cursor?: string) => Promise<{ readonly items: readonly { title: string }[]; nextCursor: string | null }>,
  ): Promise<string[]> => {
    const titles: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { items, nextCursor } = await page(cursor);
      titles.push(...items.map(({ title }) => title));
      if (nextCursor === null) return titles.toSorted();
      cursor = nextCursor;
    }
  };
  const asked = ({ option, priceFrom, priceTo, ...wanted }: ModelFilters) => ({
    ...wanted,
    ...(option === undefined ? {} : { option: option.map(termOf) }),
    ...(priceFrom === undefined ? {} : { priceFrom: money(priceFrom) }),
    ...(priceTo === undefined ? {} : { priceTo: money(priceTo) }),
    currency: 'EUR',
  });
  const judge = (
    found: { readonly facets?: Fixed<Found['facets']> },
    products: readonly ModelProduct[],
    wanted: ModelFilters,
    what: string,
  ) => {
    const priced = products
      .filter((one) => meets(one, without(wanted, 'price')))
      .flatMap((one) =>
        one.variants.filter((variant) => meets({ ...one, variants: [variant] }, without(wanted, 'price'))),
      )
      .flatMap(({ cents }) => cents ?? []);
    for (const { name, values, exact, more, range } of found.facets ?? []) {
      assert.deepEqual([exact, more], [true, false], what);
      if (name === 'price')
        assert.deepEqual(
          range,
          priced.length === 0
            ? null
            : { currency: 'EUR', lowest: money(Math.min(...priced)), highest: money(Math.max(...priced)) },
          what,
        );
      else {
        assert.deepEqual(
          values.map(({ value, count }) => [value, count]),
          expected(products, wanted, name),
          `${name} of ${what}`,
        );
        const own = chosenIn(wanted, name);
        for (const { value, chosen } of values)
          assert.equal(chosen, own.includes(value), `${name} ${value} of ${what}`);
      }
    }
  };

  test('tell of each value what the list would have if it alone were chosen, for visitors and for members', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(product, { minLength: 4, maxLength: 14 }),
        fc.array(fc.tuple(filters, fc.shuffledSubarray(facetNames, { minLength: 1 })), { minLength: 8, maxLength: 8 }),
        async (drawn, requests) => {
          const products = drawn.map((one, at) => ({ ...one, title: `P${at}` }));
          const { context, brandId, ids, visitor } = await stocked(products);
          const shown = products.filter(({ status, published }) => status === 'active' && published);
          for (const [wanted, names] of requests) {
            const what = JSON.stringify(wanted);
            const { collection, ...rest } = asked(wanted);
            const facets = [...names, 'price'];
            const visited = async (cursor?: string): Promise<Found> => {
              const sought = { ...rest, facets, limit: 3, cursor };
              const found =
                collection === undefined
                  ? await listPublished(visitor, brandId, sought, deps())
                  : await listCollected(visitor, brandId, { ...sought, collection }, deps());
              assert.ok(found !== undefined);
              return found;
            };
            judge(await visited(), shown, wanted, what);
            assert.deepEqual(
              await every(visited),
              shown
                .filter((one) => meets(one, wanted))
                .map(({ title }) => title)
                .toSorted(),
              what,
            );
            const seen = {
              ...rest,
              ...(collection === undefined ? {} : { collectionId: collection.map((handle) => ids.get(handle)) }),
              facets: facets.filter((one) => one !== 'collection'),
              limit: 3,
            };
            judge(await list(context, seen, deps()), products, wanted, what);
            assert.deepEqual(
              await every(async (cursor) =>
                list(context, { ...seen, ...(cursor === undefined ? {} : { cursor }) }, deps()),
              ),
              products
                .filter((one) => meets(one, wanted))
                .map(({ title }) => title)
                .toSorted(),
              what,
            );
          }
        },
      ),
      { numRuns: 8 * Number(process.env['LONG_RUNS'] ?? 1) },
    );
  });

  const plain = (title: string, more: object = {}) => ({ title, status: 'active', ...more });
  const facetsOf = async (
    context: TenantContext,
    brandId: string,
    sought: Omit<Parameters<typeof listPublished>[2], 'limit'>,
  ) => (await listPublished(world.system(context.tenant), brandId, { limit: 1, ...sought }, deps())).facets ?? [];

  test('count nothing of another tenant or brand, and nothing that visitors do not see', async () => {
    const [{ context, brandId }, other] = [await world.tenant(), await world.tenant()];
    const tag = { tags: ['Only'] };
    for (const [by, brand] of [
      [context, brandId],
      [other.context, other.brandId],
    ] as const)
      await create(
        by,
        {
          products: [
            plain('Shown', { ...tag, brandIds: [brand] }),
            plain('Unpublished', tag),
            { title: 'Draft', ...tag, brandIds: [brand] },
            { title: 'Archived', status: 'archived', ...tag, brandIds: [brand] },
          ],
        },
        deps(),
      );
    await world.admin.query(
      sql`insert into catalogue.publication (tenant_id, brand_id, product_id)
        select tenant_id, ${other.brandId}::uuid, product_id from catalogue.product
        where tenant_id = ${context.tenant}::uuid and title = 'Unpublished'`,
    );
    const count = async (brand: string) =>
      (await facetsOf(context, brand, { facets: 'tag' }))[0]?.values.map(({ label, count: products }) => [
        label,
        products,
      ]);
    assert.deepEqual(await count(brandId), [['Only', 1]]);
    assert.deepEqual(await count(other.brandId), [['Only', 1]], 'products of this tenant alone');
    const { facets: seen } = await list(context, { facets: ['tag'] }, deps());
    assert.deepEqual(seen?.[0]?.values[0]?.count, 4);
    const found = await byDoor(createCollection)(
      context,
      { title: 'Hidden', handle: 'hidden', rules: [{ field: 'tag', operator: 'is', value: 'only' }] },
      deps(),
    );
    assert.equal(found.kind, 'automatic');
    assert.deepEqual((await facetsOf(context, brandId, { facets: 'collection' }))[0]?.values, []);
  });

  test('are written as the newest product writes them, and follow what products say', async () => {
    const { context, brandId } = await world.tenant();
    const sizes = (size: string) => ({
      options: ['Size'],
      variants: [{ options: { Size: size }, sku: 'in' }],
      brandIds: [brandId],
      vendor: size,
    });
    const { products } = await create(
      context,
      { products: [plain('Old', sizes('xl')), plain('New', sizes('XL'))] },
      deps(),
    );
    const told = async () =>
      (await facetsOf(context, brandId, { facets: ['option:size', 'vendor'] })).map(({ values }) =>
        values.map(({ value, label, count }) => [value, label, count]),
      );
    assert.deepEqual(await told(), [[['size:xl', 'XL', 2]], [['xl', 'XL', 2]]]);
    const [old, fresh] = products.map(({ id }) => id);
    await byDoor(setVariants)(
      context,
      { productId: fresh, options: ['Length'], variants: [{ options: { Length: '9' } }] },
      deps(),
    );
    await byDoor(updateProducts)(context, { products: [{ productId: old, vendor: null }] }, deps());
    assert.deepEqual(await told(), [[['size:xl', 'xl', 1]], [['xl', 'XL', 1]]]);
  });

  test('have the 50 values of most products, in one order, and say that there are more; what is chosen is among them', async () => {
    const { context, brandId } = await world.tenant();
    const products = Array.from({ length: 60 }, (_, at) =>
      plain(`P${at}`, { brandIds: [brandId], tags: [`t${String(at).padStart(2, '0')}`, ...(at < 3 ? ['z'] : [])] }),
    );
    await create(context, { products }, deps());
    const [all] = await facetsOf(context, brandId, { facets: 'tag' });
    assert.deepEqual(
      all?.values.map(({ value }) => value),
      ['z', ...Array.from({ length: 49 }, (_, at) => `t${String(at).padStart(2, '0')}`)],
    );
    assert.equal(all.more, true);
    const [chosen] = await facetsOf(context, brandId, { facets: 'tag', tag: ['t59', 'nowhere'] });
    assert.equal(chosen?.values.length, 50);
    assert.deepEqual(
      chosen.values.filter((one) => one.chosen).map(({ value, count }) => [value, count]),
      [
        ['t59', 1],
        ['nowhere', 0],
      ],
    );
  });

  test('have the prices that are paid now: of lists too, for visitors of their brand', async () => {
    const { context, brandId } = await world.tenant();
    const { products } = await create(
      context,
      {
        products: ['10.00', '20.00'].map((amount) =>
          plain(amount, { brandIds: [brandId], variants: [{ sku: 'in', prices: eur(amount) }] }),
        ),
      },
      deps(),
    );
    const { id } = await byDoor(createPriceList)(context, { name: 'Sale', currency: 'EUR', brandId }, deps());
    const [variant] = await world.admin.query<{ variant_id: string }>(
      sql`select variant_id from catalogue.variant where tenant_id = ${context.tenant}::uuid and product_id = ${products[0]?.id}::uuid`,
    );
    await byDoor(setListPrices)(
      context,
      { priceListId: id, variants: [{ variantId: variant?.variant_id, prices: [{ minQuantity: 1, amount: '5.00' }] }] },
      deps(),
    );
    const sought = { facets: 'price', currency: 'EUR', priceTo: '5.00' };
    assert.deepEqual((await facetsOf(context, brandId, sought))[0]?.range, {
      currency: 'EUR',
      lowest: '5.00',
      highest: '20.00',
    });
    const { items } = await listPublished(world.system(context.tenant), brandId, { limit: 9, ...sought }, deps());
    assert.deepEqual(
      items.map(({ title }) => title),
      ['10.00'],
    );
    const ordinary = await list(context, { facets: 'price', currency: 'EUR' }, deps());
    assert.deepEqual(ordinary.facets?.[0]?.range, { currency: 'EUR', lowest: '10.00', highest: '20.00' });
  });

  test('are counted of the first 2,000 products of the list, and say where there are more', async () => {
    const { context, brandId } = await world.tenant();
    const more = async (from: number, to: number): Promise<unknown> =>
      world.admin.query(
        sql`with made as (
              insert into catalogue.product (tenant_id, product_id, handle, title, status, tax_category, tags)
              select ${context.tenant}::uuid, ('fffffff0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'p' || n, 'New', 'active', 'standard', '{a}'
              from generate_series(${from}::int, ${to}::int) n returning tenant_id, product_id
            ), shown as (
              insert into catalogue.publication (tenant_id, brand_id, product_id) select tenant_id, ${brandId}::uuid, product_id from made
            ) insert into catalogue.product_term (tenant_id, field, value, product_id)
              select tenant_id, 'tag', case when product_id > 'fffffff0-0000-7000-8000-0000000007d0' then 'last' else 'a' end, product_id from made`,
      );
    const told = async (sought: object = {}) =>
      (await facetsOf(context, brandId, { facets: 'tag', ...sought })).map(({ values, exact }) => [
        ...values.map(({ value, count }) => [value, count]),
        exact,
      ]);
    await more(1, 2000);
    for (const table of ['product', 'publication', 'product_term'])
      await world.admin.query(statement(`analyze catalogue.${table}`));
    assert.deepEqual(await told(), [[['a', 2000], true]]);
    await more(2001, 2100);
    assert.deepEqual(await told(), [[['a', 1900], ['last', 100], false]]);
    assert.deepEqual(await told({ tag: 'last' }), [[['a', 1900], ['last', 100], false]]);
    assert.deepEqual(
      (await facetsOf(context, brandId, { facets: ['available', 'tag'], tag: 'last' })).map(({ values, exact }) => [
        values.map(({ count }) => count),
        exact,
      ]),
      [
        [[100], true],
        [[1900, 100], false],
      ],
    );
  });

  test('and filters that are none are refused with a pointer', async () => {
    const { context, brandId } = await world.tenant();
    const many = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`);
    for (const [sought, pointer, code] of [
      [{ facets: ['colour'] }, '/facets/0', 'invalid_format'],
      [{ facets: ['tag', 'option:'] }, '/facets/1', 'invalid_format'],
      [{ facets: 'toString' }, '/facets', 'invalid_format'],
      [{ facets: many(51).map((one) => `option:${one}`) }, '/facets', 'too_big'],
      [{ facets: ['tag', 'tag'] }, '/facets', 'duplicate'],
      [{ facets: [] }, '/facets', 'too_small'],
      [{ tag: many(10_000) }, '/tag', 'too_big'],
      [{ tag: ['a', 'a'] }, '/tag', 'duplicate'],
      [{ vendor: ['a', 1] }, '/vendor/1', 'invalid_type'],
      [{ option: 'Red' }, '/option', 'invalid_format'],
      [{ vendor: ['a', '\0'] }, '/vendor/1', 'invalid_format'],
      [{ query: 'a\0' }, '/query', 'invalid_format'],
      [{ facets: 'option:\0' }, '/facets', 'invalid_format'],
      [{ option: ['Colour:Red', ':Red'] }, '/option/1', 'invalid_format'],
      [{ facets: 'price' }, '/currency', 'required'],
      [{ priceFrom: '1.00' }, '/currency', 'required'],
      [{ priceFrom: '1.00', currency: 'XXQ' }, '/currency', 'unknown_currency'],
      [{ priceFrom: '1.5', currency: 'EUR' }, '/priceFrom', 'invalid_amount'],
      [{ priceTo: '-1.00', currency: 'EUR' }, '/priceTo', 'invalid_amount'],
      [{ priceFrom: '2.00', priceTo: '1.00', currency: 'EUR' }, '/priceTo', 'invalid_value'],
      [{ colour: 'Red' }, '/colour', 'unknown_field'],
    ] as const)
      assert.deepEqual(
        await refusal(list(context, sought, deps())),
        { code: 'invalid_request', at: { [pointer]: code } },
        JSON.stringify(sought).slice(0, 80),
      );
    for (const said of [
      "'; drop table catalogue.product --",
      '{a,b}',
      '"',
      '\\',
      '%',
      '\u{10FFFF}',
      'İ'.repeat(200),
      '__proto__',
    ])
      assert.deepEqual(
        (
          await facetsOf(context, brandId, {
            facets: ['tag', `option:${said}`],
            tag: [said],
            option: [`${said}:${said}`],
          })
        ).map(({ values }) => values.map(({ count }) => count)),
        [[0], [0]],
        said,
      );
  });
});
