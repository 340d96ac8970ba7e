import { type Hand, listOf, textOf } from './client.ts';
import { type Good, goods } from './goods.ts';
import { countries } from './people.ts';
import { drawn } from './pictures.ts';
import type { Chances } from './random.ts';

export interface Sold {
  readonly variantId: string;
  readonly productId: string;
  readonly title: string;
  readonly type: 'Coffee' | 'Ceramics';
  /** Of one, in EUR cents. */
  readonly cost: number;
}

export interface Shop {
  readonly siteId: string;
  readonly liveKey: string;
  readonly testKey: string;
  readonly sold: readonly Sold[];
  /** What its stock cost that it opens with, in EUR cents. */
  readonly worth: number;
}

/** Of the discount for a first order. */
export const code = 'WELCOME10';
const europe = ['AT', 'NL', 'FR', 'ES', 'DK', 'IT', 'BE'];

/** Site and keys, tax, shipping, a discount, and goods with their pictures and stock, each by the tool that an agent calls. */
export async function openShop(
  agent: Hand,
  { count, origin, chances }: { readonly count: number; readonly origin: string; readonly chances: Chances },
): Promise<Shop> {
  const { site } = await agent.call('studio', 'service_create_site', { name: 'Juniper & Clay', origins: [origin] });
  const siteId = textOf(site?.['id']);
  const keyOf = async (mode: string): Promise<string> => {
    const { sdk_key } = await agent.call('studio', 'service_issue_sdk_key', {
      site_id: siteId,
      mode,
      label: `Shop, ${mode}`,
    });
    return textOf(sdk_key?.['key']);
  };
  const [liveKey, testKey] = [await keyOf('live'), await keyOf('test')];
  await sellEverywhere(agent);
  const brandId = textOf(site?.['brand_id']);
  const { sold, worth } = await fillCatalogue(agent, goods(count).toReversed(), brandId, chances);
  for (const [title, rules] of collections)
    await agent.call('commerce/catalogue', 'service_create_collection', { title, rules, brand_ids: [brandId] });
  return { siteId, liveKey, testKey, sold, worth };
}

async function sellEverywhere(agent: Hand): Promise<void> {
  const rates: { category: string; tax_id: string }[] = [];
  for (const [category, name, percentage] of [
    ['standard', 'VAT 19 %', '19'],
    ['reduced', 'VAT 7 %', '7'],
  ] as const) {
    const { tax_rate } = await agent.call('accounting', 'service_create_tax_rate', { name, percentage });
    rates.push({ category, tax_id: textOf(tax_rate?.['id']) });
  }
  await agent.call('commerce/selling', 'service_change_tax_settings', { country: 'DE' });
  await agent.call('commerce/selling', 'service_create_tax_zones', {
    zones: ['DE', ...europe].map((country) => ({ name: `Sales to ${country}`, country, rates })),
  });
  const zones = [
    [
      'Germany',
      ['DE'],
      [
        ['DHL parcel', '4.90', '60.00', 2, 4],
        ['Express', '11.90', undefined, 1, 1],
      ],
    ],
    ['European Union', europe, [['Parcel, tracked', '9.90', '120.00', 3, 6]]],
    [
      'World',
      countries.filter((one) => one !== 'DE' && !europe.includes(one)),
      [['Parcel, insured', '17.90', undefined, 5, 12]],
    ],
  ] as const;
  for (const [name, among, options] of zones) {
    const { shipping_zone } = await agent.call('commerce/selling', 'service_create_shipping_zone', {
      name,
      places: among.map((country) => ({ country })),
    });
    for (const [option, amount, free_from, min_days, max_days] of options)
      await agent.call('commerce/selling', 'service_create_shipping_option', {
        shipping_zone_id: shipping_zone?.['id'],
        name: option,
        kind: 'flat',
        currency: 'EUR',
        amount,
        ...(free_from === undefined ? {} : { free_from }),
        min_days,
        max_days,
      });
  }
  await agent.call('commerce/selling', 'service_create_discount', {
    name: 'Welcome',
    code,
    kind: 'percentage',
    percentage: '10',
    applies_to: 'order',
    usage_limit_per_buyer: 1,
  });
}

const collections = [
  ['Coffee', [{ field: 'type', operator: 'is', value: 'Coffee' }]],
  ['For the table', [{ field: 'tag', operator: 'is', value: 'Ceramics' }]],
  ['Under 25 euros', [{ field: 'price', operator: 'at_most', value: '25.00', currency: 'EUR' }]],
] as const;

/** What one costs of its price with tax: beans are bought, pots are made. */
const shareOfPrice = { Coffee: 0.5, Ceramics: 0.24 } as const;
const cents = (amount: number): string => (amount / 100).toFixed(2);

/** The last that is made is the first in lists. */
async function fillCatalogue(
  agent: Hand,
  all: readonly Good[],
  brandId: string,
  chances: Chances,
): Promise<Pick<Shop, 'sold' | 'worth'>> {
  const { products } = await agent.call('commerce/catalogue', 'service_create_products', {
    products: all.map(({ title, description, type, tags, taxCategory, options, variants }) => ({
      title,
      description,
      type,
      tags,
      vendor: type === 'Coffee' ? 'Hafenrösterei' : 'Juniper & Clay',
      status: 'active',
      tax_category: taxCategory,
      brand_ids: [brandId],
      options: options.map(([name]) => name),
      variants: variants.map((one) => ({
        options: one.options,
        sku: one.sku,
        weight_grams: one.grams,
        prices: [
          {
            amount: cents(one.price),
            currency: 'EUR',
            ...(one.before === undefined ? {} : { compare_at: cents(one.before) }),
          },
        ],
      })),
    })),
  });
  const made = listOf(products);
  const pictures = all.map(async (good) => drawn(good, chances));
  const sold: Sold[] = [];
  for (const [index, good] of all.entries()) {
    const id = textOf(made[index]?.['id']);
    const alt = encodeURIComponent(`${good.title}, drawn on a table`);
    await agent.rest('commerce', `/api/products/${id}/media?alt=${alt}`, {
      body: await pictures[index],
      headers: { 'content-type': 'image/png' },
    });
    const { product } = await agent.call('commerce/catalogue', 'service_get_product', { product_id: id });
    for (const variant of listOf(product?.['variants'])) {
      const { price } = good.variants.find(({ sku }) => sku === textOf(variant['sku'])) ?? { price: 0 };
      const type = good.type === 'Coffee' ? good.type : 'Ceramics';
      const cost = Math.round(price * shareOfPrice[type]);
      sold.push({ variantId: textOf(variant['id']), productId: id, title: good.title, type, cost });
    }
  }
  const counts = sold.map((one) => ({ ...one, counted: chances.whole(24, 90) }));
  for (let from = 0; from < counts.length; from += 500)
    await agent.call('commerce/catalogue', 'service_count_stock', {
      lines: counts.slice(from, from + 500).map(({ variantId, counted, cost }) => ({
        variant_id: variantId,
        counted,
        cost: { amount: cents(counted * cost), currency: 'EUR' },
      })),
    });
  return { sold, worth: counts.reduce((sum, { counted, cost }) => sum + counted * cost, 0) };
}
