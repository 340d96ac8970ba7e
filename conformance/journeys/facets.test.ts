import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createShop, StorefrontError, type Facet, type ProductQuery, type Shop } from '@steward/storefront/shop';
import { createWorld, hireAgent, type Agent, type Answer, type Json, type World } from '../world/index.ts';

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];

/** A site with a key, of a brand or of the default brand. */
async function openSite(studio: Agent, brandId?: string): Promise<{ readonly key: string; readonly brandId: string }> {
  const { site } = await studio.call('service_create_site', {
    name: 'Shop',
    origins: [],
    ...(brandId === undefined ? {} : { brand_id: brandId }),
  });
  const { sdk_key } = await studio.call('service_issue_sdk_key', {
    site_id: site?.['id'],
    mode: 'live',
    label: 'Pages',
  });
  return { key: String(sdk_key?.['key']), brandId: String(site?.['brand_id']) };
}

const product = (title: string, brands: readonly string[], more: object = {}) => ({
  title,
  status: 'active',
  brand_ids: brands,
  tags: ['Sale'],
  options: ['Colour', 'Size'],
  variants: [
    { options: { Colour: 'Red', Size: 'M' }, prices: [{ amount: '10.00', currency: 'EUR' }] },
    { options: { Colour: 'Blue', Size: 'L' }, prices: [{ amount: '20.00', currency: 'EUR' }] },
  ],
  ...more,
});

describe('filters and facets of a site, asked for over HTTP', () => {
  let world: World;
  let goods: Agent;
  /** Keys of two brands of one tenant, and of another tenant. */
  let keys: { readonly first: string; readonly second: string; readonly rival: string };
  before(async () => {
    world = await createWorld({ STOREFRONT_PER_KEY_PER_MINUTE: '10000', STOREFRONT_PER_IP_PER_MINUTE: '10000' });
    goods = await hireAgent(world, 'owner@example.com', 'commerce');
    await using studio = await hireAgent(world, 'owner@example.com', 'studio');
    const second = await world.call(`${world.server.addresses.portal}/api/brands`, {
      token: await world.token({ user: 'owner@example.com' }),
      tenant: goods.tenant,
      body: { name: 'Second' },
    });
    const one = await openSite(studio);
    const two = await openSite(studio, String(second.body['id']));
    await using rivals = await hireAgent(world, 'rival@example.com', 'commerce');
    await using rivalStudio = await hireAgent(world, 'rival@example.com', 'studio');
    const rival = await openSite(rivalStudio);
    await goods.call('service_create_products', {
      products: [
        product('Shirt', [one.brandId], { vendor: 'Fjord', tags: ['Sale', 'Shirt'] }),
        product('Both', [one.brandId, two.brandId], { vendor: 'Fjord' }),
        product('Theirs', [two.brandId], { vendor: 'Secret maker', tags: ['Secret'] }),
        product('Nowhere', [], { vendor: 'Secret maker', tags: ['Secret'] }),
        product('Draft', [one.brandId], { status: 'draft', vendor: 'Secret maker', tags: ['Secret'] }),
        product('Archived', [one.brandId], { status: 'archived', vendor: 'Secret maker', tags: ['Secret'] }),
      ],
    });
    await rivals.call('service_create_products', {
      products: [product('Rival', [rival.brandId], { vendor: 'Rival maker' })],
    });
    keys = { first: one.key, second: two.key, rival: rival.key };
  });
  after(async () => {
    await goods[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const ask = async (query: string, key = keys.first): Promise<Answer> =>
    world.call(`${world.server.addresses.storefront}/products?${query}`, { headers: { 'x-service-sdk-key': key } });
  const counts = ({ status, body }: Answer): Record<string, Record<string, number>> => {
    assert.equal(status, 200, JSON.stringify(body));
    return Object.fromEntries(
      list(body['facets']).map(({ name, values }) => [
        String(name),
        Object.fromEntries(list(values).map(({ label, count }) => [String(label), Number(count)])),
      ]),
    );
  };
  const shop = (key = keys.first): Shop => createShop({ baseUrl: world.server.addresses.storefront, sdkKey: key });

  test('count what the key’s brand sells and nothing else: no draft, nothing archived, unpublished, or of others', async () => {
    const query = 'facets=vendor&facets=tag&facets=option:Colour';
    const both = { Red: 2, Blue: 2 };
    assert.deepEqual(counts(await ask(query)), {
      vendor: { Fjord: 2 },
      tag: { Sale: 2, Shirt: 1 },
      'option:Colour': both,
    });
    assert.deepEqual(counts(await ask(query, keys.second)), {
      vendor: { Fjord: 1, 'Secret maker': 1 },
      tag: { Sale: 1, Secret: 1 },
      'option:Colour': both,
    });
    assert.deepEqual(counts(await ask(query, keys.rival)), {
      vendor: { 'Rival maker': 1 },
      tag: { Sale: 1 },
      'option:Colour': { Red: 1, Blue: 1 },
    });
    const sought = await ask('vendor=Secret+maker&facets=vendor&facets=tag');
    assert.deepEqual(list(sought.body['items']), []);
    assert.deepEqual(
      counts(sought),
      { vendor: { Fjord: 2, 'secret maker': 0 }, tag: {} },
      'what is sought tells nothing',
    );
  });

  test('follow what is published, unpublished and archived at once', async () => {
    const { products } = await goods.call('service_list_products', { vendor: 'Fjord' });
    const shirt = list(products).find(({ title }) => String(title) === 'Shirt')?.['id'];
    const tags = async () => counts(await ask('facets=tag'))['tag'];
    const { product: whole } = await goods.call('service_get_product', { product_id: shirt });
    const brand_ids = whole?.['brand_ids'];
    await goods.call('service_unpublish_products', { product_ids: [shirt], brand_ids });
    assert.deepEqual(await tags(), { Sale: 1 });
    await goods.call('service_publish_products', { product_ids: [shirt], brand_ids });
    assert.deepEqual(await tags(), { Sale: 2, Shirt: 1 });
    await goods.call('service_update_products', { products: [{ product_id: shirt, status: 'archived' }] });
    assert.deepEqual(await tags(), { Sale: 1 });
    await goods.call('service_update_products', { products: [{ product_id: shirt, status: 'active' }] });
    assert.deepEqual(await tags(), { Sale: 2, Shirt: 1 });
  });

  test('and what is none is refused with a pointer to it, of any length and as often as it is said', async () => {
    const many = (name: string, count: number): string =>
      Array.from({ length: count }, (_one, at) => `${name}=${at}`).join('&');
    const long = 'x'.repeat(10_000);
    for (const [query, pointer] of [
      ['facets=colour', '?facets'],
      ['facets=', '?facets'],
      ['facets=option:', '?facets'],
      ['facets=tag,vendor', '?facets'],
      ['facets=__proto__', '?facets'],
      ['facets=tag%00', '?facets'],
      ['facets=tag&facets=tag', '?facets'],
      [`facets=option:${long}`, '?facets'],
      [many('facets', 501), '?facets'],
      [many('tag', 501), '?tag'],
      [many('vendor', 501), '?vendor'],
      [many('option', 501), '?option'],
      [many('collection', 501), '?collection'],
      ['tag=a&tag=a', '?tag'],
      ['tag=%00', '?tag'],
      ['option=Colour:%00', '?option'],
      ['collection=%00', '?collection'],
      ['query=%00', '?query'],
      [`tag=${long}`, '?tag'],
      [`vendor=${long}`, '?vendor'],
      [`option=${long}`, '?option'],
      [`option=Colour:${long}`, '?option'],
      [`collection=${long}`, '?collection'],
      ['option=Red', '?option'],
      ['option=:Red', '?option'],
      ['priceFrom=-1.00&currency=EUR', '?priceFrom'],
      ['priceTo=-0.01&currency=EUR', '?priceTo'],
      ['priceFrom=1e3&currency=EUR', '?priceFrom'],
      ['priceFrom=NaN&currency=EUR', '?priceFrom'],
      ['priceFrom=1.00&currency=JPY', '?priceFrom'],
      ['priceTo=1&currency=EUR', '?priceTo'],
      ['priceFrom=2.00&priceTo=1.00&currency=EUR', '?priceTo'],
      [`priceTo=${'9'.repeat(30)}.00&currency=EUR`, '?priceTo'],
      ['priceFrom=1.00', '?currency'],
      ['facets=price', '?currency'],
      ['priceFrom=1.00&currency=eur', '?currency'],
      ['priceFrom=1.00&currency=XXQ', '?currency'],
      ['priceFrom=1.00&currency=EUR&currency=USD', '?currency'],
      ['priceFrom=1.00&priceFrom=2.00&currency=EUR', '?priceFrom'],
      ['available=true&available=false', '?available'],
      ['available=yes', '?available'],
      ['query=a&query=b', '?query'],
      ['limit=1&limit=2', '?limit'],
      ['tag[]=a', '?tag[]'],
      ['colour=Red', '?colour'],
    ] as const) {
      const { status, body } = await ask(query);
      assert.deepEqual(
        [status, body['code'], list(body['errors'])[0]?.['pointer']],
        [400, 'invalid_request', pointer],
        `${query.slice(0, 60)} ${JSON.stringify(body).slice(0, 300)}`,
      );
    }
  });

  test('and text that looks like SQL, or like nothing at all, is a value that no product has', async () => {
    const before = counts(await ask('facets=tag'));
    for (const said of [
      "'; drop table catalogue.product; --",
      "' or '1'='1",
      '{Sale,Shirt}',
      '$1 or true',
      '%',
      '_',
      '\\',
      '"',
      'Sale\u{10FFFF}',
      '\uFFFD',
      'İ'.repeat(200),
      'constructor',
    ]) {
      const query = new URLSearchParams([
        ['tag', said],
        ['option', `${said}:${said}`],
        ['facets', 'tag'],
        ['facets', `option:${said}`],
      ]);
      const { status, body } = await ask(query.toString());
      assert.deepEqual([status, list(body['items'])], [200, []], said);
      assert.deepEqual(
        list(body['facets']).map(({ values }) => list(values).map(({ count, chosen }) => [count, chosen])),
        [[[0, true]], [[0, true]]],
        said,
      );
    }
    assert.deepEqual(counts(await ask('facets=tag')), before);
  });

  test('and a key that nobody has, or that is of another site, opens nothing', async () => {
    for (const key of ['', 'pk_live_wrong', `${keys.first}x`]) {
      const { status, body } = await ask('facets=tag', key);
      assert.deepEqual([status, body['code'], body['facets']], [401, 'invalid_sdk_key', undefined], key);
    }
  });

  test('the client asks for them, and what a facet tells is what a filter takes', async () => {
    const { facets = [] } = await shop().products.list({
      facets: ['option:Colour', 'vendor', 'price', 'available'],
      currency: 'EUR',
    });
    assert.deepEqual(facets.at(2), {
      name: 'price',
      values: [],
      more: false,
      exact: true,
      range: { currency: 'EUR', lowest: '10.00', highest: '20.00' },
    } satisfies Facet);
    for (const { name, values } of facets)
      for (const { value, count } of values) {
        const [member = ''] = name.split(':');
        const query: ProductQuery = { [member]: value, limit: 200 };
        const { items, facets: none } = await shop().products.list(query);
        assert.deepEqual([items.length, none], [count, undefined], `${name} ${value}`);
      }
    const chosen = await shop().products.list({
      option: ['Colour:Red', 'Size:L'],
      priceTo: '15.00',
      currency: 'EUR',
      facets: 'option:Size',
    });
    assert.deepEqual(chosen.items, [], 'no red one is an L');
    assert.deepEqual(
      chosen.facets?.[0]?.values.map(({ label, count, chosen: own }) => [label, count, own]),
      [
        ['M', 2, false],
        ['l', 0, true],
      ],
    );
    const refused = await shop()
      // @ts-expect-error none that there is
      .products.list({ facets: ['colour'] })
      .catch((error: unknown) => error);
    assert.ok(refused instanceof StorefrontError);
    assert.deepEqual([refused.status, refused.code, refused.errors[0]?.pointer], [400, 'invalid_request', '?facets']);
  });
});
