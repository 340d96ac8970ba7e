import { createShop, type Shop } from '../client/shop.ts';

const shops = new Map<string, Shop>();

/** One shop of an address and a key, so that the elements of a page know of one cart. */
export function shopOf(baseUrl: string, sdkKey: string): Shop {
  const key = `${sdkKey} ${baseUrl}`;
  const found = shops.get(key) ?? createShop({ baseUrl, sdkKey });
  shops.set(key, found);
  return found;
}
