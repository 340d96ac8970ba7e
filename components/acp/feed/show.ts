import type { PublishedProduct } from '@steward/catalogue';
import { parseAmount } from '@steward/kernel';

type Variant = PublishedProduct['variants'][number];
type Picture = PublishedProduct['media'][number];

const showPicture = ({ url, alt, width, height }: Picture) => ({
  type: 'image',
  url,
  ...(alt === '' ? {} : { alt_text: alt }),
  width,
  height,
});

/** For one of it: in the currency of the books where it is sold in that, else in the first one by its code. Undefined also where no JSON number holds it. */
function priceOf({ prices }: Variant, preferred: string) {
  const single = prices.filter(({ minQuantity }) => minQuantity === 1);
  const price =
    single.find(({ currency }) => currency === preferred) ??
    single.toSorted((a, b) => (a.currency < b.currency ? -1 : 1))[0];
  if (price === undefined) return undefined;
  const { currency, compareAt } = price;
  const amount = Number(parseAmount(price.amount, currency));
  const before = compareAt === null ? 0 : Number(parseAmount(compareAt, currency));
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(before)) return undefined;
  return {
    price: { amount, currency },
    ...(before > amount ? { list_price: { amount: before, currency } } : {}),
  };
}

/** A product of a feed: the ids of its variants are those of items of sessions. Undefined where nothing of it has a price. */
export function showProduct(product: PublishedProduct, currency: string): object | undefined {
  const { id, title, description, type, media } = product;
  const variants = product.variants.flatMap((variant) => {
    const price = priceOf(variant, currency);
    if (price === undefined) return [];
    const options = Object.entries(variant.options).filter(([, value]) => value !== '');
    const values = options.map(([, value]) => value).join(' / ');
    const own = media.filter(({ variantIds }) => variantIds.includes(variant.id));
    const { available } = variant;
    return [
      {
        id: variant.id,
        title: values === '' ? title : `${title} (${values})`,
        ...price,
        availability: { available, status: available ? 'in_stock' : 'out_of_stock' },
        ...(type === null ? {} : { categories: [{ value: type, taxonomy: 'merchant' }] }),
        ...(options.length === 0 ? {} : { variant_options: options.map(([name, value]) => ({ name, value })) }),
        ...(own.length === 0 ? {} : { media: own.map(showPicture) }),
      },
    ];
  });
  if (variants.length === 0) return undefined;
  return {
    id,
    title,
    ...(description.trim() === '' ? {} : { description: { plain: description, markdown: description } }),
    ...(media.length === 0 ? {} : { media: media.map(showPicture) }),
    variants,
  };
}
