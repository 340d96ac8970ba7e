import { variantsSold } from '@steward/catalogue';
import { isCurrency, Problem } from '@steward/kernel';
import type { Visit } from '../visit.ts';

/** Those in which every one of these variants has a price. */
async function sharedBy({ context, shop }: Visit, variantIds: readonly string[]): Promise<string[]> {
  const sold = await variantsSold(context, shop.brandId, variantIds);
  const priced = new Map(sold.map(({ id, currencies }) => [id, new Set(currencies)]));
  const [first, ...rest] = variantIds.map((id) => priced.get(id) ?? new Set<string>());
  return [...(first ?? [])].filter((currency) => rest.every((one) => one.has(currency))).toSorted();
}

/**
 * Makes a cart or checkout in the currency that the platform hints at, else that of the books, else one in which everything is sold: the protocol lets
 * nobody choose it, and a shop need not sell in the currency of its books.
 * @param make undefined: in the currency of the books
 */
export async function inSomeCurrency<T>(
  visit: Visit,
  hint: string | null | undefined,
  variantIds: readonly string[],
  make: (currency: string | undefined) => Promise<T>,
): Promise<T> {
  const asked = hint?.toUpperCase();
  try {
    return await make(asked !== undefined && isCurrency(asked) ? asked : undefined);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_sold') throw error;
    const [currency] = await sharedBy(visit, variantIds);
    if (currency === undefined) throw error;
    return make(currency);
  }
}
