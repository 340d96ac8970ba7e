import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { holdToPublished } from '../fixtures/published.ts';
import { type Brand, createWorld, usual, type World } from '../fixtures/world.ts';

interface Product {
  readonly id: string;
  readonly variants: readonly {
    readonly id: string;
    readonly price: unknown;
    readonly availability: unknown;
  }[];
}

describe('the feed of what a brand sells', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  const get = async (name: string, { of = brand, agent = usual } = {}) =>
    fetch(`${world.origin}/commerce/acp/${of.brandId}/feeds/${name}`, {
      headers: agent === '' ? {} : { authorization: `Bearer ${agent}` },
    });
  const products = async (of = brand): Promise<Product[]> => {
    const answer = await get('products.jsonl', { of });
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/jsonl']);
    const text = await answer.text();
    assert.ok(text === '' || text.endsWith('\n'));
    const all = text.split('\n').slice(0, -1);
    const spec = process.env['ACP_SPEC'];
    return all.map((line) => {
      const body = JSON.parse(line) as Product;
      if (spec !== undefined && spec !== '')
        holdToPublished(spec, {
          method: 'GET',
          path: '/feeds/products.jsonl',
          sent: undefined,
          answer: { status: 200, body },
        });
      return body;
    });
  };

  test('has all that is published, over as many pages as it takes, and nothing else', async () => {
    const sold: string[] = [];
    for (let at = 0; at < 102; at += 1) sold.push(await brand.goods.variant({ cents: 1000 + at }));
    const gone = await brand.goods.variant({ cents: 500, stock: 0 });
    await brand.goods.variant({ status: 'draft' });
    await brand.goods.variant({ published: false });
    const elsewhere = await world.brand();
    const other = await elsewhere.goods.variant({ cents: 700 });
    const all = await products();
    const variants = all.flatMap((one) => one.variants);
    assert.deepEqual(variants.map(({ id }) => id).toSorted(), [...sold, gone].toSorted());
    assert.equal(new Set(all.map(({ id }) => id)).size, 103);
    const of = (id: string) => variants.find((one) => one.id === id);
    assert.deepEqual(of(sold[7] ?? '')?.price, { amount: 1007, currency: 'EUR' });
    assert.deepEqual(of(gone)?.availability, { available: false, status: 'out_of_stock' });
    assert.deepEqual(
      (await products(elsewhere)).flatMap((one) => one.variants.map(({ id }) => id)),
      [other],
    );
    const [first = ''] = sold;
    const made = await brand.send('POST', '/checkout_sessions', {
      body: { currency: 'eur', capabilities: {}, line_items: [{ id: first }] },
    });
    assert.equal(made.body.line_items[0]?.unit_amount, 1000, 'ids of variants are those of items');
    const metadata = await brand.send('GET', '/feeds/metadata.json');
    assert.deepEqual([metadata.status, metadata.body.id], [200, brand.brandId], metadata.text);
  });

  test('is for platforms that the brand knows, sixty files an hour each', async () => {
    for (const name of ['metadata.json', 'products.jsonl']) {
      const answer = await get(name, { agent: '' });
      assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [401, 'unauthorized']);
    }
    const many = await Promise.all(Array.from({ length: 61 }, async () => get('metadata.json', { agent: 'eager' })));
    assert.equal(many.filter(({ status }) => status === 429).length, 1);
    assert.equal((await get('metadata.json')).status, 200, 'another platform is not held up');
  });
});
