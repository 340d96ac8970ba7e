import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { able, type Brand, createWorld, usual, type World } from '../fixtures/world.ts';

describe('the catalogue that agents see', () => {
  let world: World;
  let brand: Brand;
  /** Shirts in two colours and sizes; of them Red M has none left, and Blue L there is not. */
  let shirt: { product: string; redS: string; redM: string; blueS: string };
  before(async () => {
    world = await createWorld();
    brand = await world.brand('live');
    const redS = await brand.goods.variant({ cents: 1500, compareAt: 2000, title: 'Shirt' });
    const [row] = await world.admin.query<{ product_id: string }>(
      sql`select product_id from catalogue.variant where variant_id = ${redS}::uuid`,
    );
    const product = row?.product_id ?? '';
    await world.admin.query(
      sql`update catalogue.product set options = array['Colour', 'Size'], product_type = 'Clothes', handle = 'shirt', description = 'Of **linen**.' where product_id = ${product}::uuid`,
    );
    await world.admin.query(
      sql`update catalogue.variant set option_values = array['Red', 'S'], sku = 'RS' where variant_id = ${redS}::uuid`,
    );
    const more = async (position: number, colour: string, size: string, cents: number, stock?: number) => {
      const id = await brand.goods.variant({ cents, ...(stock === undefined ? {} : { stock }), published: false });
      await world.admin.query(
        sql`update catalogue.variant set product_id = ${product}::uuid, position = ${position}::int, option_values = ${[colour, size]}::text[], sku = ${`${colour}${size}`} where variant_id = ${id}::uuid`,
      );
      return id;
    };
    shirt = { product, redS, redM: await more(1, 'Red', 'M', 1700, 0), blueS: await more(2, 'Blue', 'S', 1600) };
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is found by words, kinds and prices, a page at a time', async () => {
    await brand.index();
    const titles = async (body: object) => {
      const answer = await brand.send('POST', '/catalog/search', { body });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.products.map(({ title }) => title);
    };
    assert.deepEqual(await titles({ query: 'shirt' }), ['Shirt']);
    assert.deepEqual(await titles({ filters: { categories: ['Clothes', 'Other'] } }), ['Shirt']);
    assert.deepEqual(await titles({ query: 'shirt', filters: { price: { min: 1701 } } }), []);
    assert.deepEqual(await titles({ query: 'shirt', filters: { price: { min: 1700, max: 1700 } } }), ['Shirt']);
    for (let made = 0; made < 3; made += 1) await brand.goods.variant({ title: 'Plate' });
    await brand.index();
    const first = await brand.send('POST', '/catalog/search', { body: { query: 'plate', pagination: { limit: 2 } } });
    assert.deepEqual([first.body.products.length, first.body.pagination.has_next_page], [2, true]);
    const { cursor } = first.body.pagination;
    const second = await brand.send('POST', '/catalog/search', {
      body: { query: 'plate', pagination: { limit: 2, cursor } },
    });
    assert.deepEqual([second.body.products.length, second.body.pagination], [1, { has_next_page: false }]);
    for (const body of [
      {},
      { query: ' ' },
      { pagination: { limit: 3 } },
      { filters: {} },
      { filters: { price: {}, categories: [], more: ['x'] } },
      { query: 'x', pagination: { cursor: '!!' } },
    ])
      assert.equal((await brand.send('POST', '/catalog/search', { body })).status, 400);
  });

  test('says of each variant that it was asked for how it was found', async () => {
    const ids = [shirt.product, shirt.redM, 'BlueS', 'shirt', 'nothing', shirt.redM];
    const { body, text } = await brand.send('POST', '/catalog/lookup', { body: { ids } });
    assert.equal(body.products.length, 1, text);
    const [product] = body.products;
    assert.deepEqual(product?.description, { plain: 'Of **linen**.', markdown: 'Of **linen**.' });
    assert.deepEqual(product?.price_range, {
      min: { amount: 1500, currency: 'EUR' },
      max: { amount: 1700, currency: 'EUR' },
    });
    assert.deepEqual(
      Object.fromEntries(
        product?.variants.map(({ id, inputs }) => [id, inputs.map(({ id: by, match }) => `${match} ${by}`)]),
      ),
      {
        [shirt.redM]: [`exact ${shirt.redM}`],
        [shirt.blueS]: ['exact BlueS'],
        [shirt.redS]: [`featured ${shirt.product}`, 'featured shirt'],
      },
    );
    assert.deepEqual(
      body.messages.map(({ content }) => content),
      ['Nothing is sold as nothing.'],
    );
    for (const length of [101, 1_001]) {
      const most = await brand.send('POST', '/catalog/lookup', {
        body: { ids: Array.from({ length }, (_, at) => `x${at}`) },
      });
      assert.deepEqual([most.status, most.body.code], [400, 'request_too_large']);
    }
  });

  test('is answered to everybody in their own release, currency and capabilities, and the same again', async () => {
    const able0408 = 'https://older.example/p';
    const poor = 'https://poor.example/p';
    world.profile(able0408, able('2026-04-08'));
    const lookup = 'dev.ucp.shopping.catalog.lookup';
    world.profile(poor, { version: '2026-08-25', capabilities: { [lookup]: [{ version: '2026-08-25' }] } });
    const plate = await brand.goods.variant({ cents: 900 });
    await world.admin.query(sql`
      insert into catalogue.price (tenant_id, variant_id, currency, min_quantity, amount)
      values (${brand.tenant}::uuid, ${plate}::uuid, 'USD', 1, 1100)`);
    const asked = async (agent: string, currency?: string) => {
      const body = { ids: [plate], ...(currency === undefined ? {} : { context: { currency } }) };
      const answer = (await brand.send('POST', '/catalog/lookup', { body, agent })).body;
      const [product] = answer.products;
      return [
        answer.ucp.version,
        Object.keys(answer.ucp.capabilities),
        (product?.price_range as { min: unknown } | undefined)?.min,
      ];
    };
    const everybody = async () => [
      await asked(usual),
      await asked(able0408),
      await asked(poor),
      await asked(usual, 'USD'),
      await asked(able0408, 'usd'),
    ];
    const first = await everybody();
    assert.deepEqual(
      first.map(([version, , price]) => [version, price]),
      [
        ['2026-08-25', { amount: 900, currency: 'EUR' }],
        ['2026-04-08', { amount: 900, currency: 'EUR' }],
        ['2026-08-25', { amount: 900, currency: 'EUR' }],
        ['2026-08-25', { amount: 1100, currency: 'USD' }],
        ['2026-04-08', { amount: 1100, currency: 'USD' }],
      ],
    );
    assert.deepEqual(await everybody(), first);
  });

  test('narrows a product by what was chosen, and says what the other choices lead to', async () => {
    const ask = async (body: object) => (await brand.send('POST', '/catalog/product', { body })).body.product;
    const plain = await ask({ id: shirt.product });
    assert.deepEqual(plain.selected, [
      { name: 'Colour', label: 'Red' },
      { name: 'Size', label: 'S' },
    ]);
    const red = await ask({ id: shirt.product, selected: [{ name: 'Colour', label: 'Red' }] });
    assert.deepEqual(
      red.variants.map(({ id }) => id),
      [shirt.redS, shirt.redM],
    );
    const sizes = red.options.find(({ name }) => name === 'Size')?.values;
    assert.deepEqual(sizes, [
      { label: 'S', available: true, exists: true },
      { label: 'M', available: false, exists: true },
    ]);
    const none = await ask({
      id: shirt.product,
      selected: [
        { name: 'Size', label: 'M' },
        { name: 'Colour', label: 'Blue' },
      ],
      preferences: ['Colour', 'Size'],
    });
    assert.deepEqual([none.selected, none.variants[0]?.id], [[{ name: 'Colour', label: 'Blue' }], shirt.blueS]);
    const exact = await ask({ id: shirt.redM, selected: [{ name: 'Colour', label: 'Blue' }] });
    assert.deepEqual([exact.variants[0]?.id, exact.selected[1]?.label], [shirt.redM, 'M']);
    assert.deepEqual(exact.variants[0]?.availability, { available: false, status: 'out_of_stock' });
    const { variants } = await ask({ id: shirt.redS });
    assert.deepEqual(variants[0]?.list_price, { amount: 2000, currency: 'EUR' });
  });

  test('sells by SKU what it shows by SKU, and calls it so', async () => {
    const made = await brand.send('POST', '/carts', { body: { line_items: [{ item: { id: 'RS' }, quantity: 1 }] } });
    assert.equal(made.body.line_items[0]?.item.id, 'RS', made.text);
  });
});
