import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { hireAgent, type Json, type World } from '@steward/conformance/world';

const owner = 'flowers@example.com';
const currency = 'USD';
/** Where the suite's ways of shipping lead to that name no country. */
const abroad = ['CA', 'DE', 'GB', 'JP'];

type Row = Readonly<Record<string, string>>;

const decimal = (cents: string | undefined): string => (Number(cents) / 100).toFixed(2);

/**
 * Fills a tenant like any other with what the official suite expects, by tools, and opens the door of its brand for tests.
 * @param data folder of the suite's tables
 * @returns the address of the door
 */
export async function openFlowerShop(world: World, data: string): Promise<string> {
  const table = async (name: string): Promise<readonly Row[]> =>
    parse(await readFile(join(data, `${name}.csv`), 'utf8'), {
      columns: true,
      comment: '#',
      skip_empty_lines: true,
      trim: true,
      relax_quotes: true,
    });
  const { portal, commerce } = world.server.addresses;
  await world.signUp(owner, 'Flower shop', { defaultCurrency: currency });
  await using goods = await hireAgent(world, owner, 'commerce');
  await using selling = await hireAgent(world, owner, 'commerce/selling');
  const { body } = await world.call(`${portal}/api/brands`, goods);
  const brandId = String((body['items'] as unknown as Json[])[0]?.['id']);

  const counted = new Map((await table('inventory')).map((row) => [row['product_id'], row['quantity']]));
  const rows = await table('products');
  const { products } = await goods.call('service_create_products', {
    products: rows.map((row) => ({
      title: row['title'],
      status: 'active',
      brand_ids: [brandId],
      variants: [{ sku: row['id'], prices: [{ amount: decimal(row['price']), currency }] }],
    })),
  });
  const made = new Map<string | undefined, string>();
  for (const [place, { id }] of (products as unknown as { id: string }[]).entries()) {
    made.set(rows[place]?.['id'], id);
    const { product } = await goods.call('service_get_product', { product_id: id });
    const [variant] = (product?.['variants'] ?? []) as unknown as Json[];
    await goods.call('service_count_stock', {
      lines: [{ variant_id: variant?.['id'], counted: Number(counted.get(rows[place]?.['id']) ?? 0) }],
    });
  }

  const zones = new Map<string, unknown>();
  for (const [name, countries] of [
    ['US', ['US']],
    ['default', abroad],
  ] as const) {
    const { shipping_zone } = await selling.call('service_create_shipping_zone', {
      name,
      places: countries.map((country) => ({ country })),
    });
    zones.set(name, shipping_zone?.['id']);
  }
  const shippingRates = await table('shipping_rates');
  for (const row of shippingRates)
    for (const [zone, id] of zones)
      // What is for every country is not where the same service has a price of its own.
      if (
        row['country_code'] === zone ||
        (row['country_code'] === 'default' &&
          !shippingRates.some(
            (other) => other['country_code'] === zone && other['service_level'] === row['service_level'],
          ))
      )
        await selling.call('service_create_shipping_option', {
          shipping_zone_id: id,
          name: row['id'],
          kind: 'flat',
          currency,
          amount: decimal(row['price']),
        });

  const everything = ['product', 'order', 'shipping'];
  for (const row of await table('discounts'))
    await selling.call('service_create_discount', {
      name: row['description'],
      code: row['code'],
      ...(row['type'] === 'percentage'
        ? { kind: 'percentage', percentage: row['value'] }
        : { kind: 'fixed_amount', amounts: [{ amount: decimal(row['value']), currency }] }),
      combines_with: everything,
    });
  for (const row of await table('promotions')) {
    const eligible = JSON.parse(row['eligible_item_ids'] || '[]') as string[];
    await selling.call('service_create_discount', {
      name: row['description'],
      kind: 'free_shipping',
      product_ids: eligible.map((sku) => made.get(sku)),
      ...(row['min_subtotal'] ? { minimum_amounts: [{ amount: decimal(row['min_subtotal']), currency }] } : {}),
      combines_with: everything,
    });
  }

  await selling.call('service_create_signing_key', { brand_id: brandId });
  const opened = await world.call(`${commerce}/api/brands/${brandId}/agentic-commerce`, {
    token: await world.token({ user: owner, approver: true }),
    tenant: goods.tenant,
    method: 'PATCH',
    body: { protocol: 'ucp', active: true, mode: 'test' },
  });
  if (opened.status !== 200) throw new Error(JSON.stringify(opened.body));
  return `${commerce}/ucp/${brandId}`;
}
