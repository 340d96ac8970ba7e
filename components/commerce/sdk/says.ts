import type { PublishedProduct } from '@steward/catalogue';
import { limitBucket } from '@steward/kernel';
import { isKeyText } from '@steward/studio';
import type { CommercePorts } from '../ports.ts';
import type { ProductPages } from '../storefront/product-pages.ts';
import type { SaysOf } from './example.ts';
import { dataBlock, productData } from './structured-data.ts';

const perAddress = { name: 'example-shop', allowed: 120, windowSeconds: 60 };
const longestHandle = 200;

/** Of the product that the address of the example shop names, by the key that it names. Nobody is refused a page for what it could not say. */
export function createSays({
  limiter,
  clientAddress,
  storefront,
  addresses,
  pages,
}: Pick<CommercePorts, 'limiter' | 'clientAddress' | 'storefront' | 'addresses'> & {
  readonly pages: ProductPages;
}): SaysOf {
  return async ({ query, raw }) => {
    const { key: text, product: handle } = query as { readonly key?: unknown; readonly product?: unknown };
    if (typeof text !== 'string' || typeof handle !== 'string' || handle.length > longestHandle || !isKeyText(text))
      return undefined;
    const { refusal } = await limiter.take([{ limit: perAddress, key: limitBucket(clientAddress(raw)) }]);
    if (refusal !== undefined) return undefined;
    const key = await storefront.keyOf(text);
    const page = key === undefined ? undefined : await pages.get(key, handle);
    if (page === undefined) return undefined;
    const url = new URL(`${addresses.commerce}/example/shop`);
    url.search = new URLSearchParams({ key: text, product: handle }).toString();
    return dataBlock(productData(JSON.parse(page.text) as PublishedProduct, url.href));
  };
}
