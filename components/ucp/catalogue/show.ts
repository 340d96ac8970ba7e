import type { PublishedProduct } from '@steward/catalogue';
import { minorOf } from '../shown/money.ts';

type Variant = PublishedProduct['variants'][number];

/** A variant with what one of it costs in the currency that is shown. */
export interface Priced {
  readonly variant: Variant;
  readonly amount: number;
  readonly compareAt: number | null;
}

/** Those that are sold in the currency. */
export const pricedIn = ({ variants }: PublishedProduct, currency: string): Priced[] =>
  variants.flatMap((variant) => {
    const price = variant.prices.find((one) => one.currency === currency && one.minQuantity === 1);
    if (price === undefined) return [];
    const { compareAt } = price;
    return [
      {
        variant,
        amount: minorOf(price),
        compareAt: compareAt === null ? null : minorOf({ amount: compareAt, currency }),
      },
    ];
  });

type Picture = PublishedProduct['media'][number];
const showPicture = ({ url, alt, width, height }: Picture) => ({
  type: 'image',
  url,
  ...(alt === '' ? {} : { alt_text: alt }),
  width,
  height,
});

const inWords = (text: string, otherwise: string) =>
  text.trim() === '' ? { plain: otherwise } : { plain: text, markdown: text };

export function showVariant(product: PublishedProduct, { variant, amount, compareAt }: Priced, currency: string) {
  const options = Object.entries(variant.options).filter(([, label]) => label !== '');
  const title = options.map(([, label]) => label).join(' / ');
  const media = product.media.filter(({ variantIds }) => variantIds.includes(variant.id));
  return {
    id: variant.id,
    ...(variant.sku === null ? {} : { sku: variant.sku }),
    title: title === '' ? product.title : title,
    description: inWords(product.description, product.title),
    price: { amount, currency },
    ...(compareAt === null || compareAt <= amount ? {} : { list_price: { amount: compareAt, currency } }),
    availability: { available: variant.available, status: variant.available ? 'in_stock' : 'out_of_stock' },
    ...(options.length === 0 ? {} : { options: options.map(([name, label]) => ({ name, label })) }),
    ...(media.length === 0 ? {} : { media: media.map(showPicture) }),
  };
}

/** @param variants those that are shown, at least one */
export function showProduct(
  product: PublishedProduct,
  priced: readonly Priced[],
  currency: string,
  variants: readonly object[],
) {
  const amounts = priced.map(({ amount }) => amount);
  const range = (all: readonly number[]) => ({
    min: { amount: Math.min(...all), currency },
    max: { amount: Math.max(...all), currency },
  });
  const before = priced.map(({ amount, compareAt }) => Math.max(amount, compareAt ?? amount));
  return {
    id: product.id,
    handle: product.handle,
    title: product.title,
    description: inWords(product.description, product.title),
    ...(product.type === null ? {} : { categories: [{ value: product.type, taxonomy: 'merchant' }] }),
    price_range: range(amounts),
    ...(before.every((one, at) => one === amounts[at]) ? {} : { list_price_range: range(before) }),
    ...(product.media.length === 0 ? {} : { media: product.media.map(showPicture) }),
    ...(product.options.length === 0
      ? {}
      : { options: product.options.map(({ name, values }) => ({ name, values: values.map((label) => ({ label })) })) }),
    variants,
    ...(product.tags.length === 0 ? {} : { tags: product.tags }),
  };
}
