import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { goodsOf } from '../fixtures/goods.ts';
import { ask, createWorld, type Running, type World } from '../fixtures/world.ts';

interface Data {
  readonly name?: string;
  readonly url?: string;
  readonly offers?: readonly Readonly<Record<string, string>>[];
}

describe('what the page of a product says to machines', () => {
  let world: World;
  let server: Running;
  before(async () => {
    world = await createWorld();
    server = await world.start();
  });
  after(async () => world[Symbol.asyncDispose]());

  const title = `Mug </script><script>alert(1)</script> <!-- & "quoted" \u2028 'it'`;
  const opened = async (stock: number) => {
    const site = await server.site(await server.tenant());
    const goods = goodsOf(world.admin, site.context.tenant);
    const variant = await goods.variant({ cents: 1000, stock });
    const [{ handle } = { handle: '' }] = await world.admin.query<{ handle: string }>(sql`
      update catalogue.product p set title = ${title} from catalogue.variant v
      where v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.variant_id = ${variant}::uuid returning p.handle`);
    return { key: site.key, handle };
  };
  const page = async (key: string, handle: string): Promise<string> => {
    const query = new URLSearchParams({ key, product: handle });
    const { status, text } = await ask(server, `/example/shop?${query.toString()}`, { method: 'GET' });
    assert.equal(status, 200);
    return text;
  };
  const blocks = (text: string): string[] =>
    [...text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(([, data = '']) => data);

  test('is its price, its currency and whether it can be bought, in a block that no name ends', async () => {
    for (const [stock, availability] of [
      [5, 'https://schema.org/InStock'],
      [0, 'https://schema.org/OutOfStock'],
    ] as const) {
      const { key, handle } = await opened(stock);
      const text = await page(key, handle);
      assert.doesNotMatch(text, /alert\(1\)<|<script>alert/);
      const [block = '', ...others] = blocks(text);
      assert.deepEqual(others, []);
      const data = JSON.parse(block) as Data;
      assert.equal(data.name, title);
      assert.deepEqual(
        data.offers?.map(({ price, priceCurrency, availability: said }) => [price, priceCurrency, said]),
        [['10.00', 'EUR', availability]],
      );
      assert.equal(new URL(data.url ?? '').searchParams.get('product'), handle);
    }
  });

  test('is nothing where there is no product, or no key', async () => {
    const { key, handle } = await opened(1);
    const other = await opened(1);
    for (const [by, of] of [
      [key, 'nothing-like-it'],
      [other.key, handle],
      ['pk_live_wrong', handle],
      ['</script>', handle],
      [key, 'a'.repeat(5_000)],
      ['', ''],
    ] as const)
      assert.deepEqual(blocks(await page(by, of)), [], `${by.slice(0, 20)} ${of.slice(0, 20)}`);
  });
});
