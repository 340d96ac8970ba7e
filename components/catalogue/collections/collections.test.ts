import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, statement, type TenantContext } from '@steward/sql';
import { byDoor, createWorld, refusal, type World } from '../fixtures/world.ts';
import { createProducts } from '../products/create.ts';
import { listProducts } from '../products/list.ts';
import { listCollected } from '../products/published.ts';
import { setPrices } from '../products/set-prices.ts';
import { updateProducts } from '../products/update.ts';
import { recorded } from '../recorded.ts';
import { archiveCollection } from './archive.ts';
import { collectionsIn } from './collections-in.ts';
import { createCollection } from './create.ts';
import { getCollection } from './get.ts';
import { listCollections } from './list.ts';
import { listPublishedCollections, readPublishedCollection } from './published.ts';
import { updateCollection } from './update.ts';
import { manageCatalogue } from '../permissions.ts';

const rule = (field: string, operator: string, value: string, currency?: string) => ({
  field,
  operator,
  value,
  ...(currency === undefined ? {} : { currency }),
});

describe('collections', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const make = async (context: TenantContext, given: object) =>
    byDoor(createCollection)(context, { title: 'Summer', ...given }, world.deps);
  const change = async (context: TenantContext, given: object) => byDoor(updateCollection)(context, given, world.deps);
  const titles = async (context: TenantContext, collectionId: string) =>
    (await listProducts(context, { limit: 50, collectionId }, world.deps)).items.map(({ title }) => title);
  const priced = (amount: string, currency = 'EUR') => [{ prices: [{ amount, currency }] }];

  /** Of a tenant with a brand that sells a shirt, a bowl and a lamp. */
  const stocked = async () => {
    const tenant = await world.tenant();
    const sold = { status: 'active', brandIds: [tenant.brandId] };
    const { products } = await byDoor(createProducts)(
      tenant.context,
      {
        products: [
          { ...sold, title: 'Shirt', tags: ['Sommer', 'Übergröße'], vendor: 'Fjord', variants: priced('49.00') },
          { ...sold, title: 'Bowl', type: 'Kitchen', tags: ['sommer'], variants: priced('19.00') },
          { ...sold, title: 'Desk lamp', taxCategory: 'reduced', variants: priced('9900', 'JPY') },
        ],
      },
      world.deps,
    );
    return { ...tenant, ids: products.map(({ id }) => id) };
  };
  const shown = async (context: TenantContext, brandId: string, collection: string, more: object = {}) =>
    listCollected(world.system(context.tenant), brandId, { limit: 50, collection, ...more }, world.deps);

  test('keep no rules that nobody can read, whoever writes them', async () => {
    const { context } = await world.tenant();
    const price = { field: 'price', operator: 'at_most', value: '1000', currency: 'EUR' };
    await make(context, { match: 'all', rules: [rule('tag', 'is', 'sale'), rule('price', 'at_most', '10.00', 'EUR')] });
    const members = ['field', 'operator', 'value'].flatMap((name) =>
      [undefined, null, 1, {}, []].map((value) => ({ ...price, [name]: value })),
    );
    const forged = [
      ...members,
      { ...price, value: 'x' },
      { ...price, value: '-1' },
      { ...price, value: '1.5' },
      { ...price, currency: undefined },
      { ...price, currency: 1 },
      'x',
      null,
    ];
    for (const one of forged)
      await assert.rejects(
        world.admin.query(
          statement('update catalogue.collection set rules = $2::jsonb where tenant_id = $1::uuid', [
            context.tenant,
            JSON.stringify([one]),
          ]),
        ),
        { code: '23514' },
        JSON.stringify(one),
      );
  });

  test('by hand have the products that were chosen, in that order, page by page', async () => {
    const { context, brandId, ids } = await stocked();
    const [shirt, bowl, lamp] = ids;
    const chosen = [bowl, lamp, shirt];
    const made = await make(context, { productIds: chosen, brandIds: [brandId], description: '**Hot**' });
    assert.deepEqual(
      [made.handle, made.kind, made.productIds, made.productCount, made.match, made.rules],
      ['summer', 'manual', chosen, 3, null, []],
    );
    assert.deepEqual(await getCollection(context, { collectionId: made.id }), made);
    const first = await shown(context, brandId, 'summer', { limit: 2 });
    const second = await shown(context, brandId, 'summer', { limit: 2, cursor: first?.nextCursor });
    assert.deepEqual(
      [first, second].map((one) => one?.items.map(({ title }) => title)),
      [['Bowl', 'Desk lamp'], ['Shirt']],
    );
    assert.equal(second?.nextCursor, null);
    const turned = await change(context, { collectionId: made.id, productIds: [shirt, bowl] });
    assert.deepEqual([turned.productIds, turned.version], [[shirt, bowl], 2]);
    assert.deepEqual(await change(context, { collectionId: made.id, productIds: [shirt, bowl] }), turned);
  });

  test('by rules have what meets them, all or any, as products and rules change', async () => {
    const { context, brandId, ids } = await stocked();
    const [shirt = '', bowl = '', lamp = ''] = ids;
    const of = async (match: string, ...rules: object[]) =>
      titles(context, (await make(context, { title: `By ${newId()}`, match, rules })).id);
    assert.deepEqual(await of('all', rule('tag', 'is', 'SOMMER')), ['Bowl', 'Shirt']);
    assert.deepEqual(await of('all', rule('tag', 'is', 'übergrösse')), []);
    assert.deepEqual(await of('all', rule('tag', 'is', 'ÜBERGRÖßE')), ['Shirt']);
    assert.deepEqual(await of('all', rule('tag', 'is_not', 'sommer')), ['Desk lamp']);
    assert.deepEqual(await of('all', rule('title', 'contains', 'LAMP')), ['Desk lamp']);
    assert.deepEqual(await of('all', rule('title', 'contains_not', 'b')), ['Desk lamp', 'Shirt']);
    assert.deepEqual(await of('all', rule('vendor', 'is', 'fjord')), ['Shirt']);
    assert.deepEqual(await of('all', rule('vendor', 'is_not', 'fjord')), ['Desk lamp', 'Bowl']);
    assert.deepEqual(await of('all', rule('type', 'is', 'kitchen')), ['Bowl']);
    assert.deepEqual(await of('all', rule('tax_category', 'is', 'reduced')), ['Desk lamp']);
    assert.deepEqual(await of('all', rule('price', 'at_least', '19.01', 'EUR')), ['Shirt']);
    assert.deepEqual(await of('all', rule('price', 'at_most', '19.00', 'EUR')), ['Bowl']);
    assert.deepEqual(await of('any', rule('price', 'at_most', '9900', 'JPY'), rule('vendor', 'is', 'Fjord')), [
      'Desk lamp',
      'Shirt',
    ]);
    const cheap = await make(context, {
      title: 'Cheap',
      brandIds: [brandId],
      rules: [rule('tag', 'is', 'sommer'), rule('price', 'at_most', '30.00', 'EUR')],
    });
    assert.deepEqual(cheap.rules[1], rule('price', 'at_most', '30.00', 'EUR'));
    assert.deepEqual(await titles(context, cheap.id), ['Bowl']);
    const { variants } = await context.require(manageCatalogue).write(async (tx) => {
      const rows = await tx.query(
        sql`select variant_id from catalogue.variant where tenant_id = ${context.tenant}::uuid and product_id = ${shirt}::uuid`,
      );
      return { variants: rows.map((row) => String(row['variant_id'])) };
    });
    await byDoor(setPrices)(
      context,
      { variants: [{ variantId: variants[0], prices: [{ amount: '25.00', currency: 'EUR' }] }] },
      world.deps,
    );
    assert.deepEqual(await titles(context, cheap.id), ['Bowl', 'Shirt'], 'a price changed');
    const products = [
      { productId: bowl, tags: [] },
      { productId: lamp, tags: ['sommer'] },
    ];
    await byDoor(updateProducts)(context, { products }, world.deps);
    assert.deepEqual(await titles(context, cheap.id), ['Shirt'], 'tags changed');
    await byDoor(createProducts)(
      context,
      {
        products: [{ title: 'Fan', tags: ['sommer'], status: 'active', brandIds: [brandId], variants: priced('9.00') }],
      },
      world.deps,
    );
    assert.deepEqual(await titles(context, cheap.id), ['Fan', 'Shirt'], 'a product is new');
    const first = await shown(context, brandId, 'cheap', { limit: 1 });
    const second = await shown(context, brandId, 'cheap', { limit: 1, cursor: first?.nextCursor });
    assert.deepEqual(
      [first, second].map((one) => one?.items.map(({ title }) => title)),
      [['Fan'], ['Shirt']],
    );
    const widened = await change(context, { collectionId: cheap.id, match: 'any' });
    assert.deepEqual([widened.match, widened.productCount], ['any', 4]);
    assert.deepEqual(await titles(context, cheap.id), ['Fan', 'Desk lamp', 'Bowl', 'Shirt']);
  });

  test('miss no product that changes while rules do', async () => {
    const { context, ids } = await stocked();
    const made = await make(context, { title: 'Raced', rules: [rule('tag', 'is', 'x0')] });
    for (let round = 1; round <= 8; round += 1) {
      const tags = [`x${round}`];
      await Promise.all([
        change(context, { collectionId: made.id, rules: [rule('tag', 'is', `x${round}`)] }),
        ...ids.map(async (productId, index) =>
          byDoor(updateProducts)(
            context,
            { products: [{ productId, tags, handle: `h-${round}-${index}` }] },
            world.deps,
          ),
        ),
      ]);
      assert.deepEqual(await titles(context, made.id), ['Desk lamp', 'Bowl', 'Shirt'], `round ${round}`);
    }
  });

  test('are shown by brands that they are published to, while in use', async () => {
    const { context, brandId, ids } = await stocked();
    const visitor = world.system(context.tenant);
    const made = await make(context, { productIds: ids, brandIds: [brandId], handle: 'hot' });
    await make(context, { title: 'Nowhere' });
    const { id: _id, updatedAt: _at, ...told } = (await readPublishedCollection(visitor, brandId, 'hot')) ?? {};
    assert.deepEqual(told, { handle: 'hot', title: 'Summer', description: '' });
    assert.deepEqual(
      (await listPublishedCollections(visitor, brandId, { limit: 5 })).items.map(({ handle }) => handle),
      ['hot'],
    );
    assert.equal(await readPublishedCollection(visitor, newId(), 'hot'), undefined);
    assert.equal(await shown(context, newId(), 'hot'), undefined);
    assert.equal(await shown(context, brandId, 'nowhere'), undefined);
    const narrowed = await shown(context, brandId, 'hot', { tag: 'sommer' });
    assert.deepEqual(
      narrowed?.items.map(({ title }) => title),
      ['Shirt', 'Bowl'],
    );
    const archived = await archiveCollection(context, { collectionId: made.id });
    assert.deepEqual([archived.archived, archived.productIds], [true, ids]);
    assert.deepEqual(await archiveCollection(context, { collectionId: made.id }), archived);
    assert.equal(await shown(context, brandId, 'hot'), undefined);
    const refused = await refusal(change(context, { collectionId: made.id, title: 'Back' }));
    assert.equal(refused.code, 'collection_archived');
    assert.equal((await make(context, { handle: 'hot' })).handle, 'hot', 'the handle is free again');
    const seen = async (archivedToo: boolean) =>
      (await listCollections(context, { limit: 5, archived: archivedToo })).items.map(({ title }) => title);
    assert.deepEqual(
      [await seen(false), await seen(true)],
      [
        ['Summer', 'Nowhere'],
        ['Summer', 'Nowhere', 'Summer'],
      ],
    );
    const named = await context
      .require(manageCatalogue)
      .write(async (tx) =>
        collectionsIn(tx, [
          made.id,
          ...(await listCollections(context, { limit: 1, archived: false })).items.map(({ id }) => id),
        ]),
      );
    assert.equal(named.size, 1);
  });

  test('are refused with pointers, and nothing is done', async () => {
    const { context, ids } = await stocked();
    const stranger = await stocked();
    const [shirt = ''] = ids;
    await make(context, { handle: 'taken' });
    const cases: [object, string, Record<string, string>][] = [
      [{ productIds: [shirt, shirt] }, 'invalid_request', { '/productIds/1': 'duplicate' }],
      [
        { productIds: [newId(), stranger.ids[0]] },
        'invalid_request',
        { '/productIds/0': 'unknown_product', '/productIds/1': 'unknown_product' },
      ],
      [{ productIds: Array.from({ length: 1_001 }, () => shirt) }, 'invalid_request', { '/productIds': 'too_big' }],
      [{ productIds: [], rules: [rule('tag', 'is', 'a')] }, 'invalid_request', { '/productIds': 'not_of_kind' }],
      [{ match: 'any' }, 'invalid_request', { '/match': 'not_of_kind' }],
      [{ rules: [] }, 'invalid_request', { '/rules': 'too_small' }],
      [{ rules: Array.from({ length: 21 }, () => rule('tag', 'is', 'a')) }, 'invalid_request', { '/rules': 'too_big' }],
      [{ rules: [rule('tag', 'contains', 'a')] }, 'invalid_request', { '/rules/0/operator': 'not_of_field' }],
      [{ rules: [rule('tag', 'is', 'a', 'EUR')] }, 'invalid_request', { '/rules/0/currency': 'not_of_field' }],
      [{ rules: [rule('price', 'at_most', '1.00')] }, 'invalid_request', { '/rules/0/currency': 'required' }],
      [
        { rules: [rule('price', 'at_most', '1.001', 'EUR')] },
        'invalid_request',
        { '/rules/0/value': 'invalid_amount' },
      ],
      [
        { rules: [rule('price', 'at_most', '1.00', 'XXX')] },
        'invalid_request',
        { '/rules/0/currency': 'unknown_currency' },
      ],
      [{ brandIds: [stranger.brandId] }, 'invalid_request', { '/brandIds/0': 'unknown_brand' }],
      [{ handle: 'taken' }, 'handle_taken', { '/handle': 'handle_taken' }],
    ];
    for (const [given, code, at] of cases)
      assert.deepEqual(
        await refusal(make(context, { title: 'Other', ...given })),
        { code, at },
        JSON.stringify(given).slice(0, 200),
      );
    assert.equal((await listCollections(context, { limit: 50, archived: true })).items.length, 1);
    const { id: collectionId } = await make(context, { title: 'Taken', productIds: [shirt] });
    for (const [given, code] of [
      [{ handle: 'taken' }, 'handle_taken'],
      [{ expectedVersion: 2, title: 'New' }, 'collection_changed'],
      [{ rules: [rule('tag', 'is', 'a')] }, 'invalid_request'],
    ] as const)
      assert.equal((await refusal(change(context, { collectionId, ...given }))).code, code);
    assert.equal((await refusal(change(stranger.context, { collectionId, title: 'Mine' }))).code, 'not_found');
    assert.equal((await refusal(getCollection(stranger.context, { collectionId }))).code, 'not_found');
    const events = await world.events(context.tenant);
    assert.deepEqual(
      events.filter((type) => type.startsWith('commerce.collection.')),
      ['commerce.collection.created', 'commerce.collection.created'],
    );
  });

  test('that somebody fills in the database are told by verification', async () => {
    const { context, ids } = await stocked();
    const made = await make(context, { title: 'Held', rules: [rule('tag', 'is', 'sommer')] });
    const held = recorded.find(({ what }) => what === 'product of collection');
    assert.ok(held !== undefined && 'due' in held);
    const differing = async () =>
      world.admin.query(
        statement(`select * from ((${held.held}) except (${held.due})) a where a.tenant_id = $1::uuid`, [
          context.tenant,
        ]),
      );
    assert.equal((await differing()).length, 0);
    await world.admin.query(
      sql`insert into catalogue.collection_product (tenant_id, collection_id, product_id, position)
        values (${context.tenant}::uuid, ${made.id}::uuid, ${ids[2] ?? ''}::uuid, 0)`,
    );
    assert.equal((await differing()).length, 1);
  });
});
