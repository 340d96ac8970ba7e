import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  createShopify,
  type GivenProduct,
  type GivenVariant,
  installIn,
  itemOf,
  type Shopify,
  type ShopifyShop,
} from '@steward/marketplace/testing';
import { sql } from '@steward/sql';
import { createWorld, type Json, type World } from '../world/index.ts';
import { given, list, type Opened, openShop, until } from './marketplace-shop.ts';

interface Described extends Opened {
  channel(): Promise<Json>;
  describe(products: string): Promise<void>;
  /** A product of this side; its id. */
  add(product: object): Promise<string>;
  publish(...productIds: string[]): Promise<void>;
  /** What the product here is of one of the shop. */
  here(productId: string): Promise<Json>;
  /** The product of this side that is one of the shop. */
  of(externalId: string): Promise<string>;
  /** What the shop has of a product of this side. */
  there(productId: string): GivenProduct | undefined;
  /** Until nothing is due any more. */
  inStep(): Promise<void>;
  /** What the shop was asked to set so far. */
  sets(): Json[];
  /** Somebody in the shop changes it. */
  changedThere(product: GivenProduct, change: (product: GivenProduct) => void): Promise<void>;
}

const plain = (title: string, amount: string, currency = 'EUR', more: object = {}) => ({
  title,
  status: 'active',
  variants: [{ prices: [{ amount, currency }] }],
  ...more,
});

describe('products of this side in a shop at a marketplace', () => {
  const stack = new AsyncDisposableStack();
  let shopify: Shopify;
  let world: World;
  before(async () => {
    shopify = stack.use(await createShopify());
    world = stack.use(await createWorld(shopify.variables));
  });
  after(async () => stack.disposeAsync());

  const opened = async (fill?: (shop: ShopifyShop) => void): Promise<Described> => {
    const own = await openShop({ world, shopify, stack, ...(fill === undefined ? {} : { fill }) });
    const channel = async (): Promise<Json> => list((await own.act('service_list_channels', {}))['items'])[0] ?? {};
    await until(async () => list((await channel())['imports']).every((one) => String(one['state']) === 'done'));
    const inStep: Described['inStep'] = async () =>
      until(async () => {
        const [row] = await own.admin.query<{ waits: boolean }>(sql`
          select exists (select from marketplace.listing l join marketplace.channel c using (tenant_id, channel_id)
              where l.tenant_id = ${own.tenant}::uuid and l.due_at <= clock_timestamp() and c.products = 'here')
            or exists (select from marketplace.task where tenant_id = ${own.tenant}::uuid and kind <> 'stock' and state = 'due'
              and (kind <> 'listings' or next_at <= clock_timestamp() or leased_until > clock_timestamp()))
            or exists (
              select from bus.outbox o where o.tenant_id = ${own.tenant}::uuid and o.type = 'commerce.product.changed'
                and o.position > greatest((select c.position from bus.consumer c where c.name = 'marketplace.products'),
                  coalesce((select i.position from bus.inbox i where i.tenant_id = o.tenant_id and i.consumer = 'marketplace.products'), 0))) as waits`);
        return row?.waits === false;
      });
    return {
      ...own,
      channel,
      inStep,
      describe: async (products) =>
        void (await own.act('service_set_channel_products', { channel_id: own.channelId, products })),
      add: async (product) =>
        String(list((await own.act('service_create_products', { products: [product] }))['products'])[0]?.['id']),
      publish: async (...ids) =>
        void (await own.act('service_publish_to_channel', { channel_id: own.channelId, product_ids: ids })),
      here: async (productId) => (await own.act('service_get_product', { product_id: productId }))['product'] ?? {},
      of: async (externalId) => {
        const [row] = await own.admin.query<{ id: string }>(sql`
          select id from marketplace.link where tenant_id = ${own.tenant}::uuid and kind = 'product' and external_id = ${externalId}`);
        return row?.id ?? '';
      },
      there: (productId) => [...own.shop.products.values()].find(({ ownId }) => ownId === productId),
      sets: () =>
        shopify.stub.asked.flatMap(({ path, body }) =>
          path.includes(`/${own.shop.name}/`) && body.includes('productSet(')
            ? [(JSON.parse(body) as { variables: { input: Json } }).variables.input]
            : [],
        ),
      changedThere: async (product, change) => {
        change(product);
        product.updatedAt = new Date().toISOString();
        await own.told('products/update', { id: Number(product.id), updated_at: product.updatedAt });
      },
    };
  };
  const productIn = (own: Described, id: string): GivenProduct => {
    const found = own.shop.products.get(id);
    assert.ok(found !== undefined);
    return found;
  };
  const reasons = async (own: Described): Promise<string[]> =>
    list((await own.channel())['products_to_look_at']).map(
      ({ because, detail }) => `${String(because)}: ${String(detail)}`,
    );

  test('stay as the shop has them when this side begins to describe them, and follow this side from then on', async () => {
    const html = '<div><p class="a">The <b>Shirt</b></p></div>';
    const own = await opened((shop) => {
      for (const one of shop.products.values()) one.html = html;
    });
    const shirt = productIn(own, '11');
    const untouched = JSON.stringify(shirt);
    await own.describe('here');
    await own.inStep();
    assert.equal(JSON.stringify(shirt), untouched, 'what is the same is not written');
    assert.deepEqual(own.sets(), []);
    const productId = await own.of('11');
    const variants = (await own.here(productId))['variants'];
    const [small, medium] = list(variants);
    await own.act('service_update_products', {
      products: [{ product_id: productId, title: 'Linen shirt', tags: ['linen', 'Summer'], vendor: 'Fjord & Co' }],
    });
    await own.act('service_set_prices', {
      variants: [
        { variant_id: String(small?.['id']), prices: [{ amount: '25.00', currency: 'EUR', compare_at: '30.00' }] },
      ],
    });
    await until(async () => shirt.title === 'Linen shirt' && shirt.variants[0]?.price === '25.00');
    await own.inStep();
    assert.deepEqual(
      shirt.variants.map(({ id, price, compareAt, sku }) => [id, price, compareAt ?? null, sku]),
      [
        ['21', '25.00', '30.00', 'SH-S'],
        ['22', '23.8', null, 'SH-M'],
      ],
    );
    assert.deepEqual(shirt.tags, ['Summer', 'linen']);
    assert.equal(shirt.html, html, 'the text of the shop is as it was written there');
    assert.ok(medium !== undefined);
    assert.deepEqual(await reasons(own), []);
  });

  test('what somebody changes in the shop is set back, once, and what we told ourselves changes nothing', async () => {
    const own = await opened();
    await own.describe('here');
    await own.inStep();
    const shirt = productIn(own, '11');
    await own.changedThere(shirt, (one) => {
      one.title = 'Shirt SALE';
      one.html = '<p>buy buy</p>';
      if (one.variants[0] !== undefined) one.variants[0].price = '0.01';
      one.variants.push({ id: '29', option: 'XXL', price: '1.00', available: 3 });
    });
    await own.inStep();
    assert.equal(shirt.title, 'Shirt');
    assert.deepEqual(
      shirt.variants.map(({ id, price }) => [id, price]),
      [
        ['21', '23.80'],
        ['22', '23.8'],
      ],
    );
    const sets = own.sets().length;
    // As the shop tells of our own change, twice, and late.
    for (let n = 0; n < 3; n += 1) await own.changedThere(shirt, () => undefined);
    await own.act('service_import_channel', { channel_id: own.channelId });
    await own.inStep();
    assert.equal(own.sets().length, sets, 'nothing is set back and forth');
    const product = await own.here(await own.of('11'));
    assert.equal(String(product['title']), 'Shirt', 'an import overwrites nothing');
  });

  test('what the shop makes something else of is listed, and is not told again and again', async () => {
    const own = await opened();
    await own.describe('here');
    const id = await own.add(plain('Split', '1.00', 'EUR', { tags: ['red, green'] }));
    await own.publish(id);
    await until(async () => own.there(id) !== undefined);
    await own.inStep();
    assert.deepEqual(await reasons(own), ['kept_otherwise: tags']);
    const sets = own.sets().length;
    for (let n = 0; n < 3; n += 1)
      await own.told('products/update', { id: Number(own.there(id)?.id), updated_at: new Date().toISOString() });
    await own.inStep();
    assert.equal(own.sets().length, sets);
    assert.deepEqual(await reasons(own), ['kept_otherwise: tags']);
    await own.act('service_update_products', { products: [{ product_id: id, tags: ['red'] }] });
    await until(async () => (await reasons(own)).length === 0);
    assert.deepEqual(own.there(id)?.tags, ['red']);
  });

  test('are made in the shop once, whoever asks how often, with their texts, variants and stock; and taken off as drafts', async () => {
    const own = await opened();
    const id = await own.add({
      title: 'Coat',
      description: 'A **warm** coat & more\n\n- [care](https://example.com/care)\n- <script>alert(1)</script>',
      vendor: 'Nord',
      type: 'Coat',
      status: 'active',
      options: ['Colour', 'Size'],
      variants: ['Red', 'Blue'].flatMap((colour) =>
        ['S', 'M'].map((size, index) => ({
          options: { Colour: colour, Size: size },
          sku: `C-${colour}-${size}`,
          barcode: '4006381333931',
          weight_grams: 1_250,
          requires_shipping: index === 0,
          prices: [{ amount: '99.90', currency: 'EUR', compare_at: '120.00' }],
        })),
      ),
    });
    await assert.rejects(own.publish(id), /described here first/);
    await own.describe('here');
    await own.inStep();
    await Promise.all(Array.from({ length: 20 }, async () => own.publish(id)));
    await until(async () => own.there(id) !== undefined);
    await own.inStep();
    const made = [...own.shop.products.values()].filter(({ title }) => title === 'Coat');
    assert.equal(made.length, 1);
    const [coat] = made;
    assert.ok(coat !== undefined);
    assert.equal(own.sets().length, 1);
    assert.deepEqual([coat.vendor, coat.type, coat.status], ['Nord', 'Coat', 'ACTIVE']);
    assert.equal(
      coat.html?.replaceAll('\n', ''),
      '<p>A <strong>warm</strong> coat &amp; more</p><ul><li><a href="https://example.com/care">care</a></li></ul><ul><li>&lt;script&gt;alert(1)&lt;/script&gt;</li></ul>'.replace(
        '</ul><ul>',
        '',
      ),
    );
    assert.deepEqual(
      coat.variants.map(({ values, sku, barcode, price, compareAt, ships, weight }) => [
        values,
        sku,
        barcode,
        price,
        compareAt,
        ships,
        weight,
      ]),
      ['Red', 'Blue'].flatMap((colour) =>
        ['S', 'M'].map((size, index) => [
          { Colour: colour, Size: size },
          `C-${colour}-${size}`,
          '4006381333931',
          '99.90',
          '120.00',
          index === 0,
          { value: 1_250, unit: 'GRAMS' },
        ]),
      ),
    );
    // The shop tells of it, too late and twice: it is no other product here.
    await own.told('products/create', { id: Number(coat.id) });
    await own.told('products/create', { id: Number(coat.id) });
    const products = list((await own.act('service_list_products', {}))['products']);
    assert.equal(products.filter(({ title }) => String(title) === 'Coat').length, 1);
    const [first] = coat.variants;
    assert.ok(first !== undefined);
    const [item] = await own.admin.query<{ sku: string }>(sql`
      select v.sku from marketplace.inventory i join catalogue.variant v on v.tenant_id = i.tenant_id and v.variant_id = i.variant_id
      where i.tenant_id = ${own.tenant}::uuid and i.external_id = ${itemOf(first.id)}`);
    assert.equal(item?.sku, 'C-Red-S', 'its stock can be kept in step');
    // An order of it in the shop is one of the product here.
    own.shop.orders.set('801', {
      ...given('801'),
      lines: [{ id: '8011', variant: first.id, quantity: 1, price: '99.90' }],
      received: '104.80',
      total: '104.80',
    });
    await own.told('orders/create', { id: 801, admin_graphql_api_id: 'gid://shopify/Order/801' });
    const [order] = await own.orders();
    const [line] = list((await own.order(String(order?.['id'])))['lines']);
    assert.equal(String(line?.['sku']), 'C-Red-S');

    const off = { channel_id: own.channelId, product_ids: [id] };
    await own.act('service_unpublish_from_channel', off);
    await until(async () => coat.status === 'DRAFT');
    await own.inStep();
    assert.ok(own.shop.products.has(coat.id), 'it is never deleted');
    await own.publish(id);
    await until(async () => String(coat.status) === 'ACTIVE');
    await own.inStep();
    const own2 = { channel_id: own.channelId, product_ids: ['00000000-0000-7000-8000-000000000000'] };
    await assert.rejects(own.act('service_publish_to_channel', own2), /no such product/);
    await assert.rejects(own.act('service_unpublish_from_channel', own2), /does not have this product/);
    // Somebody deletes it in the shop: it is made anew once somebody here says so.
    own.shop.products.delete(coat.id);
    await own.told('products/delete', { id: Number(coat.id) });
    await until(async () => (await reasons(own)).some((one) => one.startsWith('gone')));
    assert.equal(own.there(id), undefined);
    assert.equal(String((await own.here(id))['status']), 'active');
    await own.publish(id);
    await until(async () => own.there(id) !== undefined);
  });

  test('an order and a webhook that come before the new product is linked make no second one', async () => {
    const own = await opened();
    await own.describe('here');
    await own.inStep();
    const id = await own.add(plain('Quick', '5.00'));
    // As if it had been made there, and nobody had noted it yet.
    own.shop.products.set('7001', {
      id: '7001',
      title: 'Quick',
      ownId: id,
      updatedAt: new Date().toISOString(),
      variants: [{ id: '7002', price: '5.00', available: 1 }],
    });
    await own.admin.query(sql`
      insert into marketplace.listing (tenant_id, channel_id, product_id, due_at)
      values (${own.tenant}::uuid, ${own.channelId}::uuid, ${id}::uuid, clock_timestamp() + interval '1 hour')`);
    await own.told('products/create', { id: 7001 });
    await own.inStep();
    assert.equal(await own.of('7001'), id);
    const products = list((await own.act('service_list_products', {}))['products']);
    assert.equal(products.filter(({ title }) => String(title) === 'Quick').length, 1);
    assert.equal([...own.shop.products.values()].filter(({ title }) => title === 'Quick').length, 1);
  });

  test('prices are exact in currencies with no, two and three decimals; what has none in the shop’s is listed', async () => {
    for (const [currency, amount, compareAt] of [
      ['JPY', '1980', '2500'],
      ['USD', '19.07', '20.00'],
      ['KWD', '1.234', '999999999.999'],
    ] as const) {
      const own = await opened((shop) => {
        shop.currency = currency;
        shop.products.clear();
      });
      await own.describe('here');
      const prices = [
        { amount, currency, compare_at: compareAt },
        { amount: '7.77', currency: 'EUR' },
      ];
      const id = await own.add(plain('Priced', amount, currency, { variants: [{ prices }] }));
      const none = await own.add(plain('Unpriced', '1.00', 'SEK'));
      await own.publish(id, none);
      await until(async () => own.there(id) !== undefined && (await reasons(own)).length === 1);
      await own.inStep();
      assert.deepEqual(
        own.there(id)?.variants.map((one: GivenVariant) => [one.price, one.compareAt]),
        [[amount, compareAt]],
      );
      assert.equal(own.there(none), undefined);
      assert.deepEqual(await reasons(own), ['no_price: null']);
      const sets = own.sets().length;
      await own.act('service_import_channel', { channel_id: own.channelId });
      await own.inStep();
      assert.equal(own.sets().length, sets, 'the same price in other words is the same');
    }
  });

  test('a product that the shop refuses is listed in its words, and does not stop the others', async () => {
    const own = await opened();
    await own.describe('here');
    own.shop.refuses = ({ title }) => (title === 'Bad' ? 'Title is not allowed here' : undefined);
    const titles = ['Bad', '<img src=x onerror=alert(1)>', 'Ünïcödé 👩‍👩‍👧 "quotes" \\ & \u202e', 'x'.repeat(255)];
    const ids = await Promise.all(titles.map(async (title) => own.add(plain(title, '1.00'))));
    const five = await own.add({
      title: 'Five options',
      status: 'active',
      options: ['A', 'B', 'C', 'D', 'E'],
      variants: [
        { options: { A: '1', B: '1', C: '1', D: '1', E: '1' }, prices: [{ amount: '1.00', currency: 'EUR' }] },
      ],
    });
    await own.publish(...ids, five);
    await until(async () => (await reasons(own)).length === 2);
    await own.inStep();
    assert.deepEqual((await reasons(own)).toSorted(), [
      'refused: A product has three options at most',
      'refused: Title is not allowed here',
    ]);
    assert.deepEqual(
      ids.map((id) => own.there(id)?.title),
      [undefined, ...titles.slice(1)],
    );
    const { product_state: state } = await own.channel();
    assert.deepEqual(state, { waiting: 0, last_error: null });
    own.shop.refuses = undefined;
    await own.act('service_import_channel', { channel_id: own.channelId });
    await until(async () => own.there(ids[0] ?? '') !== undefined);
  });

  test('a shop that limits, fails, falls silent or answers half is asked again, and has each product once', async () => {
    const own = await opened();
    await own.describe('here');
    await own.inStep();
    const ids = await Promise.all([1, 2, 3].map(async (n) => own.add(plain(`Stubborn ${n}`, `${n}.00`))));
    shopify.stub.fail('half', 'broken', 'half', 'silent', 'limited', 'half');
    own.shop.throttled = 1;
    await own.publish(...ids);
    const hurry = async (): Promise<void> =>
      void (await own.admin.query(sql`
        update marketplace.task set next_at = clock_timestamp() where tenant_id = ${own.tenant}::uuid and kind = 'listings' and state = 'due'`));
    await until(async () => {
      await hurry();
      return ids.every((id) => own.there(id) !== undefined);
    });
    await own.inStep();
    assert.equal([...own.shop.products.values()].filter(({ title }) => title.startsWith('Stubborn')).length, 3);
    assert.deepEqual(await reasons(own), []);
  });

  test('one with a thousand variants is told whole, and holds nobody up', async () => {
    const own = await opened();
    await own.describe('here');
    await own.inStep();
    const variants = Array.from({ length: 1_000 }, (_one, n) => ({
      options: { Size: `No ${n}` },
      sku: `B-${n}`,
      prices: [{ amount: `${n + 1}.00`, currency: 'EUR' }],
    }));
    const id = await own.add({ title: 'Big', status: 'active', options: ['Size'], variants });
    await own.publish(id);
    await until(async () => own.there(id)?.variants.length === 1_000);
    await own.inStep();
    assert.equal(own.there(id)?.variants.at(-1)?.price, '1000.00');
    assert.deepEqual(await reasons(own), []);
    await own.act('service_update_products', { products: [{ product_id: id, title: 'Bigger' }] });
    await until(async () => own.there(id)?.title === 'Bigger');
    assert.deepEqual(Object.keys(own.sets().at(-1) ?? {}), ['title'], 'variants that are the same are not told');
  });

  test('are the shop’s again once it describes them, also what was taken off', async () => {
    const own = await opened();
    await own.describe('here');
    const id = await own.add(plain('Guest', '3.00'));
    await own.publish(id);
    await until(async () => own.there(id) !== undefined);
    await own.inStep();
    await own.act('service_unpublish_from_channel', { channel_id: own.channelId, product_ids: [id] });
    await until(async () => own.there(id)?.status === 'DRAFT');
    await own.inStep();
    await own.describe('shop');
    await own.inStep();
    const guest = own.there(id);
    assert.ok(guest !== undefined);
    await own.changedThere(guest, (one) => {
      one.title = 'Guest of the shop';
    });
    const product = await own.here(id);
    assert.deepEqual([String(product['title']), String(product['status'])], ['Guest of the shop', 'active']);
  });

  test('a shop that has not consented says so, and consents anew: the same channel, with all that it has', async () => {
    const own = await opened();
    const granted = ['read_products', 'read_orders', 'write_inventory'];
    await own.admin.query(sql`
      update marketplace.channel set scopes = ${granted}::text[], name = 'Our shop' where tenant_id = ${own.tenant}::uuid`);
    await own.act('service_create_location', { name: 'Second', code: 'second' });
    const before = await own.channel();
    await assert.rejects(own.describe('here'), /consent_missing|has not granted write_products/);
    const token = `shpat_${Math.random()}`;
    own.shop.tokens.set(token, { refresh: 'none', ends: Infinity });
    const code = await installIn({ url: world.db.appUrl, dataDir: world.dataDir }, own.shop.name, token);
    await own.act('service_connect_channel', { code });
    const now = await own.channel();
    for (const member of ['id', 'name', 'brand_id', 'location_id', 'stock'])
      assert.deepEqual(now[member], before[member], member);
    assert.ok((now['scopes'] as unknown as string[]).includes('write_products'));
    await until(async () => list((await own.channel())['imports']).every((one) => String(one['state']) === 'done'));
    assert.equal(list((await own.act('service_list_products', {}))['products']).length, 1, 'nothing is imported twice');
    await own.describe('here');
    assert.equal(String((await own.channel())['products']), 'here');
  });
});
