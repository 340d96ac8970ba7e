import { publishedNamed } from '@steward/catalogue';
import { buyable } from '@steward/stock';
import { acpFail } from '../errors.ts';
import type { ItemGiven } from '../shown/given.ts';
import type { Visit } from '../visit.ts';

/** As the shop takes lines. */
export interface Items {
  readonly lines: { readonly variantId: string; readonly quantity: number }[];
  /** How the agent calls variants that it does not call by their ids. */
  readonly names: Readonly<Record<string, string>>;
  /** What is not sold: the rest is all the same. */
  readonly gone: readonly string[];
}

const mostOfOneLine = 999_999;

/** Of the three ways in which the protocol writes an item, the one that was taken. */
const asked = ({ id, item, quantity = 1 }: ItemGiven) => ({ id: item?.id ?? id ?? '', quantity });

/**
 * Items are variants, by their ids or SKUs. @param currency that they are to be sold in; undefined: any
 * @throws Problem `item_unavailable` (422) where nothing of it can be bought
 */
export async function itemsOf(visit: Visit, given: readonly ItemGiven[], currency?: string): Promise<Items> {
  const wanted = given.map(asked);
  const { products } = await publishedNamed(
    visit.context,
    visit.shop.brandId,
    [...new Set(wanted.map(({ id }) => id))],
    {
      mediaAt: visit.shop.mediaAt,
      buyable: (variantId) => buyable(variantId, visit.shop.mode),
    },
  );
  const offered = products.flatMap(({ variants }) => variants);
  const sold = offered.filter(({ prices }) =>
    prices.some((one) => currency === undefined || one.currency === currency),
  );
  const byName = new Map([
    ...sold.map((one) => [one.sku ?? '', one] as const),
    ...sold.map((one) => [one.id, one] as const),
  ]);
  const lines = new Map<string, number>();
  const names: Record<string, string> = {};
  const gone: string[] = [];
  let anyInStock = false;
  for (const { id, quantity } of wanted) {
    const variant = byName.get(id);
    if (variant === undefined) {
      gone.push(id);
      continue;
    }
    anyInStock ||= variant.available;
    lines.set(variant.id, Math.min((lines.get(variant.id) ?? 0) + quantity, mostOfOneLine));
    if (variant.id !== id) names[variant.id] = id;
  }
  if (!anyInStock)
    throw acpFail(
      'item_unavailable',
      lines.size === 0 ? notSold(offered, currency) : 'All of the items are out of stock.',
      {
        errors: [
          {
            pointer: '/line_items/0',
            code: lines.size === 0 ? 'not_found' : 'out_of_stock',
            detail: 'It cannot be bought.',
          },
        ],
      },
    );
  return { lines: [...lines].map(([variantId, quantity]) => ({ variantId, quantity })), names, gone };
}

/** Why nothing of it is sold: what is sold for other money has that as its reason. */
function notSold(
  offered: readonly { readonly prices: readonly { readonly currency: string }[] }[],
  currency: string | undefined,
): string {
  const others = [...new Set(offered.flatMap(({ prices }) => prices.map((one) => one.currency)))].toSorted();
  return currency === undefined || others.length === 0
    ? 'None of the items is sold here: give ids of variants, or their SKUs.'
    : `None of the items is sold in ${currency}: they are sold in ${others.join(', ')}.`;
}
