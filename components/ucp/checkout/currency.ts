import { variantsSold } from '@steward/catalogue';
import { isCurrency, Problem } from '@steward/kernel';
import type { Visit } from '../visit.ts';
import type { Items } from './items.ts';

type Lines = Items['lines'];

/** In which most of these lines are sold. */
function commonest(lines: Lines, sold: ReadonlyMap<string, readonly string[]>): string | undefined {
  const counts = new Map<string, number>();
  for (const { variantId } of lines)
    for (const one of sold.get(variantId) ?? []) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [first] = [...counts].toSorted(([a, more], [b, fewer]) => fewer - more || (a < b ? -1 : 1));
  return first?.[0];
}

const notSold = (error: unknown): boolean => error instanceof Problem && error.code === 'not_sold';

/**
 * Makes a cart or checkout of what is sold, in the currency that the platform hints at, else that of the books, else that in which most is sold: the
 * protocol lets nobody choose it, and a shop need not sell in the currency of its books.
 * @param make currency undefined: in that of the books
 */
export async function inSomeCurrency<T>(
  { context, shop }: Visit,
  hint: string | null | undefined,
  lines: Lines,
  make: (lines: Lines, currency: string | undefined) => Promise<T>,
): Promise<T> {
  const upper = hint?.toUpperCase();
  const asked = upper !== undefined && isCurrency(upper) ? upper : undefined;
  try {
    return await make(lines, asked);
  } catch (error) {
    if (!notSold(error)) throw error;
    const found = await variantsSold(
      context,
      shop.brandId,
      lines.map(({ variantId }) => variantId),
    );
    const sold = new Map(found.map(({ id, currencies }) => [id, currencies]));
    const there = lines.filter(({ variantId }) => sold.has(variantId));
    if (there.length > 0 && there.length < lines.length) {
      try {
        return await make(there, asked);
      } catch (again) {
        if (!notSold(again)) throw again;
      }
    }
    const currency = commonest(there, sold);
    if (currency === undefined) throw error;
    return make(
      there.filter(({ variantId }) => sold.get(variantId)?.includes(currency)),
      currency,
    );
  }
}
