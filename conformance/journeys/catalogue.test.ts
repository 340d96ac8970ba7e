import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, hireAgent, type Agent, type Answer, type Json, type World } from '../world/index.ts';

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];

/** A merchant whose agent works over the official client, with a brand, a site and its keys. */
interface Merchant {
  readonly agent: Agent;
  readonly studio: Agent;
  readonly brandId: string;
  readonly key: string;
  read(path: string, headers?: Record<string, string>): Promise<Answer>;
}

const origin = 'https://shop.example.com';

async function open(world: World, user: string): Promise<Merchant> {
  const [agent, studio] = [await hireAgent(world, user, 'commerce'), await hireAgent(world, user, 'studio')];
  const { site } = await studio.call('service_create_site', { name: 'Shop', origins: [origin] });
  const { sdk_key } = await studio.call('service_issue_sdk_key', {
    site_id: site?.['id'],
    mode: 'live',
    label: 'Pages',
  });
  const key = String(sdk_key?.['key']);
  return {
    agent,
    studio,
    key,
    brandId: String(site?.['brand_id']),
    read: async (path, headers) =>
      world.call(`${world.server.addresses.storefront}${path}`, {
        headers: { 'x-service-sdk-key': key, ...headers },
      }),
  };
}

describe('an agent fills a catalogue, and pages of the brand show it', () => {
  let world: World;
  let merchant: Merchant;
  let other: Merchant;
  let ids: string[];
  before(async () => {
    world = await createWorld();
    [merchant, other] = [await open(world, 'owner@example.com'), await open(world, 'rival@example.com')];
    const product = (title: string, more: object) => ({
      title,
      status: 'active',
      brand_ids: [merchant.brandId],
      variants: [{ sku: `SKU-${title.length}`, prices: [{ amount: '9.00', currency: 'EUR' }] }],
      ...more,
    });
    const { products } = await merchant.agent.call('service_create_products', {
      products: [
        product('Linen shirt', {
          description: '<script>alert(1)</script> **Soft**',
          vendor: 'Fjord & Sons',
          type: 'Shirt',
          tags: ['Summer', 'linen'],
          tax_category: 'reduced',
          custom: { care: '30 °C' },
          options: ['Size'],
          variants: [
            {
              options: { Size: 'M' },
              barcode: '4006381333931',
              prices: [{ amount: '49.00', currency: 'EUR', compare_at: '59.00' }],
            },
            {
              options: { Size: 'L' },
              prices: [
                { amount: '52.00', currency: 'EUR' },
                { amount: '9000', currency: 'JPY' },
              ],
            },
          ],
        }),
        product('Müsli bowl', { tags: ['kitchen'] }),
        product('竹の皿', { tags: ['kitchen'] }),
        product('Draft', { status: 'draft' }),
        product('Elsewhere', { brand_ids: [] }),
      ],
    });
    ids = list(products).map(({ id }) => String(id));
  });
  after(async () => {
    for (const { agent, studio } of [merchant, other]) {
      await agent[Symbol.asyncDispose]();
      await studio[Symbol.asyncDispose]();
    }
    await world[Symbol.asyncDispose]();
  });

  const titles = ({ body }: Answer): string[] => list(body['items']).map(({ title }) => String(title));

  test('with what a buyer needs to know, and nothing of how it is taxed, counted or sold elsewhere', async () => {
    const shown = await merchant.read('/products/linen-shirt');
    const { id: _id, updatedAt: _at, variants, ...rest } = shown.body;
    assert.deepEqual(rest, {
      handle: 'linen-shirt',
      title: 'Linen shirt',
      description: '<script>alert(1)</script> **Soft**',
      vendor: 'Fjord & Sons',
      type: 'Shirt',
      tags: ['Summer', 'linen'],
      options: [{ name: 'Size', values: ['M', 'L'] }],
      custom: { care: '30 °C' },
      media: [],
    });
    assert.deepEqual(
      list(variants).map(({ id: _variant, ...one }) => one),
      [
        {
          options: { Size: 'M' },
          sku: null,
          weightGrams: null,
          requiresShipping: true,
          prices: [{ amount: '49.00', currency: 'EUR', minQuantity: 1, compareAt: '59.00' }],
          available: true,
        },
        {
          options: { Size: 'L' },
          sku: null,
          weightGrams: null,
          requiresShipping: true,
          prices: [
            { amount: '52.00', currency: 'EUR', minQuantity: 1, compareAt: null },
            { amount: '9000', currency: 'JPY', minQuantity: 1, compareAt: null },
          ],
          available: true,
        },
      ],
    );
    assert.equal(shown.headers.get('content-type'), 'application/json; charset=utf-8');
  });

  test('in lists of what is active and published, in pages, with the range of prices', async () => {
    const all = await merchant.read('/products');
    assert.deepEqual(titles(all), ['竹の皿', 'Müsli bowl', 'Linen shirt']);
    assert.deepEqual(list(all.body['items'])[2]?.['priceRanges'], [
      { currency: 'EUR', lowest: '49.00', highest: '52.00' },
      { currency: 'JPY', lowest: '9000', highest: '9000' },
    ]);
    const first = await merchant.read('/products?limit=2');
    const second = await merchant.read(`/products?limit=2&cursor=${String(first.body['nextCursor'])}`);
    assert.deepEqual([titles(first).length, titles(second), second.body['nextCursor']], [2, ['Linen shirt'], null]);
  });

  test('in collections of the brand, by hand in their order and by rules, which rivals have no part in', async () => {
    const catalogue = await hireAgent(world, 'owner@example.com', 'commerce/catalogue');
    const brand_ids = [merchant.brandId];
    const [linen, bowl, plate] = ids;
    await catalogue.call('service_create_collection', { title: 'Picks', brand_ids, product_ids: [bowl, plate, linen] });
    const rules = [{ field: 'tag', operator: 'is', value: 'KITCHEN' }];
    await catalogue.call('service_create_collection', { title: 'Kitchen', brand_ids, rules });
    await catalogue[Symbol.asyncDispose]();
    const listed = await merchant.read('/collections');
    assert.deepEqual(titles(listed), ['Kitchen', 'Picks']);
    const tag = { 'if-none-match': String(listed.headers.get('etag')) };
    assert.equal((await merchant.read('/collections', tag)).status, 304);
    assert.equal((await merchant.read('/collections/kitchen')).body['title'], 'Kitchen');
    const picks = await merchant.read('/products?collection=picks&limit=2');
    assert.deepEqual(titles(picks), ['Müsli bowl', '竹の皿']);
    const more = await merchant.read(`/products?collection=picks&limit=2&cursor=${String(picks.body['nextCursor'])}`);
    assert.deepEqual([titles(more), more.body['nextCursor']], [['Linen shirt'], null]);
    assert.deepEqual(titles(await merchant.read('/products?collection=kitchen')), ['竹の皿', 'Müsli bowl']);
    assert.deepEqual(titles(await merchant.read('/products?collection=picks&tag=linen')), ['Linen shirt']);
    for (const path of ['/collections/picks', '/products?collection=picks']) {
      const { status, body } = await other.read(path);
      assert.deepEqual([status, body['code']], [404, 'collection_not_found'], path);
    }
    const { body } = await merchant.read('/products?cursor=2');
    assert.equal(body['code'], 'invalid_cursor', 'a place in a collection is none among all products');
    assert.deepEqual(titles(await other.read('/collections')), []);
  });

  test('found by words in any order, their beginnings and any case, and by tag, kind and maker', async () => {
    for (const [query, found] of [
      ['query=shirt%20LIN', ['Linen shirt']],
      ['query=musli', ['Müsli bowl']],
      ['query=の皿', ['竹の皿']],
      ['query=sh', []],
      ['query=SKU-10', ['Müsli bowl']],
      ['query=%22%27%25', []],
      ['query=shirt%20bowl', []],
      ['tag=KITCHEN', ['竹の皿', 'Müsli bowl']],
      ['tag=kitch', []],
      ['type=shirt&vendor=fjord%20%26%20sons', ['Linen shirt']],
      ['query=draft', []],
    ] as const)
      assert.deepEqual(titles(await merchant.read(`/products?${query}`)), found, query);
    for (const query of ['query=', `query=${'a'.repeat(201)}`, 'limit=0', 'limit=201', 'cursor=x', 'colour=red'])
      assert.equal((await merchant.read(`/products?${query}`)).status, 400, query);
  });

  test('with what can be bought: what is not counted, and what is there', async () => {
    const { product } = await merchant.agent.call('service_get_product', { handle: 'linen-shirt' });
    const variantId = list(product?.['variants'])[0]?.['id'];
    const available = async (): Promise<unknown[]> =>
      list((await merchant.read('/products/linen-shirt')).body['variants']).map((one) => one['available']);
    for (const [counted, seen] of [
      [0, [false, true]],
      [3, [true, true]],
    ] as const) {
      await merchant.agent.call('service_count_stock', { lines: [{ variant_id: variantId, counted }] });
      assert.deepEqual(await available(), seen);
    }
    const { products } = await merchant.agent.call('service_list_products', { query: 'Müsli' });
    const { product: bowl } = await merchant.agent.call('service_get_product', {
      product_id: list(products)[0]?.['id'],
    });
    const bowlVariant = list(bowl?.['variants'])[0]?.['id'];
    for (const [counted, seen] of [
      [0, false],
      [3, true],
    ] as const) {
      await merchant.agent.call('service_count_stock', { lines: [{ variant_id: bowlVariant, counted }] });
      const { products: told } = await merchant.agent.call('service_list_products', { query: 'Müsli' });
      const { body } = await merchant.read('/products?query=musli');
      for (const listed of [list(told), list(body['items'])])
        assert.deepEqual(
          listed.map((one) => one['available']),
          [seen],
        );
      assert.equal(
        list((await merchant.read('/products?query=musli&available=true')).body['items']).length,
        counted && 1,
      );
      assert.equal(
        list((await merchant.read('/products?query=musli&available=false')).body['items']).length,
        counted ? 0 : 1,
      );
    }
  });

  test('with facets that count what pages show and what can be bought of it, for pages and agents alike', async () => {
    const facets = 'facets=tag&facets=option:size&facets=vendor&facets=available&facets=price&currency=EUR';
    const counts = ({ body, status }: Answer): unknown => {
      assert.equal(status, 200);
      return list(body['facets']).map(({ name, values, range }) => [
        name,
        range ?? list(values).map(({ value, count }) => [value, count]),
      ]);
    };
    const price = (lowest: string, highest: string) => ['price', { currency: 'EUR', lowest, highest }];
    const shown = await merchant.read(`/products?tag=summer&tag=kitchen&limit=1&${facets}`);
    assert.deepEqual(counts(shown), [
      [
        'tag',
        [
          ['kitchen', 2],
          ['linen', 1],
          ['summer', 1],
        ],
      ],
      [
        'option:size',
        [
          ['size:l', 1],
          ['size:m', 1],
        ],
      ],
      ['vendor', [['fjord & sons', 1]]],
      ['available', [['true', 3]]],
      price('9.00', '52.00'),
    ]);
    assert.match(String(shown.headers.get('etag')), /^"/);
    const narrowed = await merchant.read(`/products?option=Size:L&vendor=Fjord+%26+Sons&priceFrom=50.00&${facets}`);
    assert.deepEqual(titles(narrowed), ['Linen shirt']);
    assert.deepEqual(counts(narrowed), [
      [
        'tag',
        [
          ['linen', 1],
          ['summer', 1],
        ],
      ],
      ['option:size', [['size:l', 1]]],
      ['vendor', [['fjord & sons', 1]]],
      ['available', [['true', 1]]],
      price('52.00', '52.00'),
    ]);
    assert.notEqual(shown.headers.get('etag'), narrowed.headers.get('etag'));
    assert.deepEqual(titles(await merchant.read('/products?option=Size:M&priceFrom=50.00&currency=EUR')), []);
    const { product: shirt } = await merchant.agent.call('service_get_product', { handle: 'linen-shirt' });
    const lines = list(shirt?.['variants']).map(({ id }) => ({ variant_id: id, counted: 0 }));
    await merchant.agent.call('service_count_stock', { lines });
    const told = await merchant.agent.call('service_list_products', {
      tag: ['summer', 'kitchen'],
      facets: ['tag', 'available'],
    });
    for (const by of [
      list(told['facets']),
      list((await merchant.read('/products?facets=tag&facets=available')).body['facets']),
    ])
      assert.deepEqual(
        by.map(({ values }) => list(values).map(({ value, count }) => [value, count])),
        [
          [
            ['kitchen', 2],
            ['linen', 1],
            ['summer', 1],
          ],
          [
            ['true', 2],
            ['false', 1],
          ],
        ],
      );
    assert.deepEqual(counts(await other.read('/products?facets=tag')), [['tag', []]]);
    for (const [query, pointer] of [
      ['facets=colour', '?facets'],
      ['facets=tag&facets=tag', '?facets'],
      [Array.from({ length: 51 }, (_, at) => `facets=option:${at}`).join('&'), '?facets'],
      [Array.from({ length: 500 }, (_, at) => `tag=${at}`).join('&'), '?tag'],
      ['option=Red', '?option'],
      ['facets=price', '?currency'],
      ['priceTo=1&currency=EUR', '?priceTo'],
      ['colour=Red', '?colour'],
    ] as const) {
      const { status, body } = await merchant.read(`/products?${query}`);
      assert.deepEqual([status, body['code'], list(body['errors'])[0]?.['pointer']], [400, 'invalid_request', pointer]);
    }
    assert.equal((await merchant.read('/products?collection=nowhere&collection=none&facets=tag')).status, 404);
  });

  test('and not where they are no business: drafts, other brands and other tenants answer as what does not exist', async () => {
    const nothing = await merchant.read('/products/no-such');
    const told = ({ status, body }: Answer) => {
      const { requestId: _id, ...rest } = body;
      return { status, ...rest };
    };
    for (const answer of [
      await merchant.read('/products/draft'),
      await merchant.read('/products/elsewhere'),
      await merchant.read('/products/LINEN-SHIRT'),
      await merchant.read(`/products/${'x'.repeat(150)}`),
      await other.read('/products/linen-shirt'),
    ])
      assert.deepEqual(told(answer), told(nothing));
    assert.deepEqual([nothing.status, nothing.body['code']], [404, 'product_not_found']);
    assert.deepEqual(titles(await other.read('/products')), []);
    const noKey = await world.call(`${world.server.addresses.storefront}/products`, {});
    assert.deepEqual([noKey.status, noKey.body['code']], [401, 'invalid_sdk_key']);
    const foreign = await merchant.read('/products', { origin: 'https://evil.example' });
    assert.deepEqual([foreign.status, foreign.body['code']], [403, 'origin_not_allowed']);
    const page = await merchant.read('/products', { origin });
    assert.equal(page.headers.get('access-control-allow-origin'), origin);
  });

  test('with pictures that anybody may see, and nothing that is no picture', async () => {
    const gif = Buffer.from('R0lGODlhAwACAIAAAExpccwzMyH5BAUAAAAALAAAAAADAAIAAAICjF8AOw==', 'base64');
    const token = await world.token({ user: 'owner@example.com' });
    const { tenant } = merchant.agent;
    const send = async (body: Buffer, type: string, alt = '') =>
      world.call(`${world.server.addresses.commerce}/api/products/${ids[0]}/media?alt=${alt}`, {
        token,
        tenant,
        body,
        headers: { 'content-type': type },
      });
    const sent = await send(gif, 'image/gif', 'A%20shirt');
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    for (const [body, type, code] of [
      [Buffer.from('<script>alert(1)</script>'), 'image/png', 'picture_unreadable'],
      [Buffer.alloc(12_000_000), 'image/jpeg', 'payload_too_large'],
      [gif, 'image/svg+xml', 'unsupported_media_type'],
      [Buffer.alloc(0), 'image/png', 'invalid_request'],
    ] as const) {
      const refused = await send(body, type);
      assert.equal(String(refused.body['code']), code);
      if (code === 'payload_too_large') assert.match(String(refused.body['detail']), /10485760/);
    }
    const shown = await merchant.read('/products/linen-shirt');
    const [picture] = list(shown.body['media']);
    const { items } = (await merchant.read('/products?tag=summer')).body;
    assert.deepEqual([picture?.['alt'], list(items)[0]?.['image']?.['url']], ['A shirt', picture?.['url']]);
    const answer = await fetch(String(picture?.['url']));
    assert.deepEqual(
      ['content-type', 'cache-control', 'x-content-type-options', 'content-security-policy', 'ratelimit'].map((name) =>
        answer.headers.get(name),
      ),
      ['image/png', 'public, max-age=31536000, immutable', 'nosniff', "default-src 'none'", null],
    );
    assert.equal((await answer.bytes()).subarray(1, 4).toString(), '80,78,71');
    const nothing = await fetch(`${world.server.addresses.commerce}/media/${'0'.repeat(64)}`);
    assert.deepEqual(
      [nothing.status, nothing.headers.get('cache-control')?.includes('immutable') ?? false],
      [404, false],
    );
  });

  test('a file can be tried over REST: what it would do is told and each wrong line named, and nothing changes until it is meant', async () => {
    const token = await world.token({ user: 'owner@example.com' });
    const send = async (content: string, more: object) =>
      world.call(`${world.server.addresses.commerce}/api/products/import`, {
        token,
        tenant: merchant.agent.tenant,
        body: { content, currency: 'EUR', ...more },
      });
    const known = async (): Promise<string[]> => {
      const { products } = await merchant.agent.call('service_list_products', { query: 'tin' });
      return list(products).map(({ handle }) => String(handle));
    };
    const wrong = await send('Handle,Title,Price\ntin,Tin,9.00\ncan,Can,nine\npan,Pan,-1', { dryRun: true });
    assert.equal(wrong.status, 400);
    assert.deepEqual(
      list(wrong.body['errors']).map(({ pointer, detail }) => [pointer, /^Line \d/.exec(String(detail))?.[0]]),
      [
        ['/content', 'Line 3'],
        ['/content', 'Line 4'],
      ] as unknown,
    );
    const file = 'Handle,Title,Price\ntin,Tin,9.00\nmusli-bowl,Musli bowl,12.00';
    const tried = await send(file, { dryRun: true });
    assert.deepEqual([tried.status, tried.body['added'], tried.body['changed']], [200, 1, 1] as unknown);
    assert.deepEqual(await known(), []);
    const again = await send(file, { dryRun: true });
    assert.deepEqual([again.body['added'], again.body['changed']], [1, 1] as unknown, 'the first try left nothing');
    const meant = await send(file, {});
    assert.deepEqual([meant.body['added'], meant.body['changed']], [1, 1] as unknown);
    assert.deepEqual(await known(), ['tin']);
  });

  test('with an entity tag, until something changes', async () => {
    for (const path of ['/products/musli-bowl', '/products?tag=kitchen']) {
      const first = await merchant.read(path);
      const known = { 'if-none-match': first.headers.get('etag') ?? '' };
      assert.equal((await merchant.read(path, known)).status, 304);
    }
    const earlier = await merchant.read('/products/musli-bowl');
    const known = { 'if-none-match': earlier.headers.get('etag') ?? '' };
    const { product } = await merchant.agent.call('service_get_product', { handle: 'musli-bowl' });
    const variant_id = list(product?.['variants'])[0]?.['id'];
    await merchant.agent.call('service_set_prices', {
      variants: [{ variant_id, prices: [{ amount: '11.00', currency: 'EUR' }] }],
    });
    const changed = await merchant.read('/products/musli-bowl', known);
    assert.equal(list(list(changed.body['variants'])[0]?.['prices'])[0]?.['amount'] as unknown, '11.00');
    await merchant.agent.call('service_unpublish_products', { product_ids: ids, brand_ids: [merchant.brandId] });
    assert.equal((await merchant.read('/products/musli-bowl', known)).status, 404);
    await merchant.agent.call('service_publish_products', { product_ids: ids, brand_ids: [merchant.brandId] });
    assert.equal((await merchant.read('/products/musli-bowl', known)).status, 200);
  });
});
