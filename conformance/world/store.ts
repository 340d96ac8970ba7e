import { hireAgent } from './shop.ts';
import type { Json, World } from './world.ts';

/** What pages of a site sell, under a key of tests. */
export interface Sold {
  readonly key: string;
  /** Of counted goods, by title. */
  readonly variants: ReadonlyMap<string, string>;
  count(variantId: string, counted: number): Promise<void>;
  /** Whether a product is sold, by its title. */
  offer(title: string, status: 'active' | 'archived'): Promise<void>;
}

/** A shop with goods, tax, shipping and a discount, made by an agent with one key of tests. */
export async function openStore(world: World, owner = 'owner@example.com'): Promise<Sold> {
  const [books, goods, selling, studio] = await Promise.all(
    ['accounting', 'commerce', 'commerce/selling', 'studio'].map(async (pillar) => hireAgent(world, owner, pillar)),
  );
  if (!books || !goods || !selling || !studio) throw new Error('nobody was hired');
  const { site } = await studio.call('service_create_site', {
    name: 'Shop',
    origins: [new URL(world.server.addresses.commerce).origin],
  });
  const { sdk_key } = await studio.call('service_issue_sdk_key', {
    site_id: site?.['id'],
    mode: 'test',
    label: 'Pages of tests',
  });
  const { tax_rate } = await books.call('service_create_tax_rate', { name: 'VAT 19', percentage: '19' });
  const rates = [{ category: 'standard', tax_id: tax_rate?.['id'] }];
  await selling.call('service_create_tax_zones', { zones: [{ name: 'Germany', country: 'DE', rates }] });
  const { shipping_zone } = await selling.call('service_create_shipping_zone', {
    name: 'Germany',
    places: [{ country: 'DE' }],
  });
  for (const [name, amount, days] of [
    ['Standard', '4.90', 4],
    ['Express', '9.90', 1],
  ] as const)
    await selling.call('service_create_shipping_option', {
      shipping_zone_id: shipping_zone?.['id'],
      name,
      kind: 'flat',
      currency: 'EUR',
      amount,
      min_days: Math.ceil(days / 2),
      max_days: days,
    });
  await selling.call('service_create_discount', {
    name: 'Welcome',
    code: 'WELCOME',
    kind: 'fixed_amount',
    amounts: [{ amount: '10.00', currency: 'EUR' }],
  });
  const product = (title: string, amount: string, more: object = {}) => ({
    title,
    status: 'active',
    vendor: 'Fjord & Sons',
    brand_ids: [site?.['brand_id']],
    variants: [{ prices: [{ amount, currency: 'EUR' }] }],
    ...more,
  });
  const { products } = await goods.call('service_create_products', {
    products: [
      product('Stoneware mug', '18.00', { tags: ['table'], type: 'Crockery' }),
      product('Last stool', '240.00'),
      product('Linen shirt', '49.00', {
        description:
          'Washed **linen**, <b>woven</b> in [Portugal](https://example.com).\n\n- Wash at 30 °C\n- [No](javascript:alert(1))',
        options: ['Colour', 'Size'],
        variants: ['Sand', 'Indigo'].flatMap((Colour) =>
          ['M', 'L'].map((Size) => ({
            options: { Colour, Size },
            prices: [
              { amount: Size === 'L' ? '52.00' : '49.00', currency: 'EUR', compare_at: '65.00' },
              { amount: '44.00', currency: 'EUR', min_quantity: 5 },
            ],
          })),
        ),
      }),
    ],
  });
  const variants = new Map<string, string>();
  const ids = new Map((products as unknown as Json[]).map(({ title, id }) => [String(title), String(id)]));
  for (const made of products as unknown as Json[]) {
    const { product: whole = {} } = await goods.call('service_get_product', { product_id: made['id'] });
    const [first] = whole['variants'] as unknown as Json[];
    variants.set(String(whole['title']), String(first?.['id']));
  }
  return {
    key: String(sdk_key?.['key']),
    variants,
    count: async (variant_id, counted) =>
      void (await goods.call('service_count_stock', { lines: [{ variant_id, counted }] })),
    offer: async (title, status) =>
      void (await goods.call('service_update_products', { products: [{ product_id: ids.get(title), status }] })),
  };
}
