import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { createCollection } from '../collections/create.ts';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { createProducts } from './create.ts';
import { listProducts } from './list.ts';
import { listCollected, listPublished } from './published.ts';

describe('a list of what can be bought', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  /** Stock of variants whose number begins with `in`. */
  const buyable = (variantId: string): string =>
    `exists (select from catalogue.variant s where s.tenant_id = $1::uuid and s.variant_id = ${variantId} and s.sku like 'in%')`;

  /** Every page of a list, of one product each. */
  const pages = async (
    list: (
      cursor?: string,
    ) => Promise<
      | { readonly items: readonly { title: string; available: boolean }[]; readonly nextCursor: string | null }
      | undefined
    >,
  ): Promise<string[]> => {
    const told: string[] = [];
    let cursor: string | undefined;
    do {
      const found = await list(cursor);
      assert.ok(found !== undefined);
      told.push(...found.items.map(({ title, available }) => `${title} ${available}`));
      cursor = found.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return told;
  };

  test('says it of each product and lists those that can be, or cannot, on the pages of members, of a site and of a collection', async () => {
    const { context, brandId } = await world.tenant();
    const deps = { ...world.deps, buyable };
    const product = (title: string, ...skus: string[]) => ({
      title,
      status: 'active',
      brandIds: [brandId],
      options: ['Size'],
      variants: skus.map((sku) => ({ sku, options: { Size: sku } })),
    });
    const given = [product('A', 'in-1'), product('B', 'out-1'), product('C', 'out-2', 'in-2'), product('D', 'out-3')];
    const { products } = await byDoor(createProducts)(context, { products: given }, deps);
    const productIds = [1, 0, 3, 2].map((at) => products[at]?.id);
    await byDoor(createCollection)(context, { title: 'All', handle: 'all', brandIds: [brandId], productIds }, deps);
    const visitor = world.system(context.tenant);
    for (const [available, newest, chosen] of [
      [undefined, ['D false', 'C true', 'B false', 'A true'], ['B false', 'A true', 'D false', 'C true']],
      [true, ['C true', 'A true'], ['A true', 'C true']],
      [false, ['D false', 'B false'], ['B false', 'D false']],
    ] as const) {
      const asked = (cursor?: string) => ({ limit: 1, available, cursor });
      assert.deepEqual(await pages(async (cursor) => listProducts(context, asked(cursor), deps)), newest);
      assert.deepEqual(await pages(async (cursor) => listPublished(visitor, brandId, asked(cursor), deps)), newest);
      assert.deepEqual(
        await pages(async (cursor) => listCollected(visitor, brandId, { ...asked(cursor), collection: 'all' }, deps)),
        chosen,
      );
    }
  });

  test('looks at no more than 2,000 products for a page, and goes on where it ended', async () => {
    const { context, brandId } = await world.tenant();
    const deps = { ...world.deps, buyable };
    await byDoor(createProducts)(
      context,
      { products: [{ title: 'Oldest', status: 'active', brandIds: [brandId], variants: [{ sku: 'in-1' }] }] },
      deps,
    );
    await world.admin.query(
      sql`with made as (
            insert into catalogue.product (tenant_id, product_id, handle, title, status, tax_category)
            select ${context.tenant}::uuid, ('fffffff0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'p' || n, 'New', 'active', 'standard'
            from generate_series(1, 2100) n returning tenant_id, product_id
          ) insert into catalogue.publication (tenant_id, brand_id, product_id) select tenant_id, ${brandId}::uuid, product_id from made`,
    );
    const first = await listPublished(world.system(context.tenant), brandId, { limit: 50, available: true }, deps);
    assert.deepEqual(first.items, []);
    assert.ok(first.nextCursor !== null);
    const second = await listPublished(
      world.system(context.tenant),
      brandId,
      { limit: 50, available: true, cursor: first.nextCursor },
      deps,
    );
    assert.deepEqual([second.items.map(({ title }) => title), second.nextCursor], [['Oldest'], null]);
  });
});
