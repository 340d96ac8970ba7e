import { variantsSold } from '@steward/catalogue';
import { isId } from '@steward/kernel';
import { type Message, problem } from '../shown/message.ts';
import { Refused } from '../shown/outcome.ts';
import type { LineItem } from '../shown/given.ts';
import type { Visit } from '../visit.ts';

/** As the shop takes lines. */
export interface Items {
  readonly lines: { readonly variantId: string; readonly quantity: number }[];
  /** How the agent calls variants that it does not call by their ids. */
  readonly names: Readonly<Record<string, string>>;
}

const mostOfOneLine = 999_999;
const itemPath = (at: number): string => `$.line_items[${at}].item.id`;

export const unavailable = (at: number): Message =>
  problem(
    'item_unavailable',
    'The item was not found, or is not sold: give the id of a variant from the catalogue.',
    itemPath(at),
  );

/**
 * Items are variants, by their ids or SKUs.
 * @throws Refused where there is no such item, or more of it than anybody sells
 */
export async function itemsOf(visit: Visit, given: readonly LineItem[]): Promise<Items> {
  const named = [...new Set(given.map(({ item }) => item.id).filter((id) => !isId(id)))];
  const found = await variantsSold(visit.context, visit.shop.brandId, named);
  const bySku = new Map(found.map(({ id, sku }) => [sku ?? '', id]));
  const faults: Message[] = [];
  const names: Record<string, string> = {};
  const lines = given.flatMap(({ item: { id }, quantity }, at) => {
    const variantId = isId(id) ? id : bySku.get(id);
    if (variantId === undefined) {
      faults.push(unavailable(at));
      return [];
    }
    if (quantity > mostOfOneLine)
      faults.push(
        problem('quantity_too_large', `At most ${mostOfOneLine} can be bought.`, `$.line_items[${at}].quantity`),
      );
    if (variantId !== id) names[variantId] = id;
    return [{ variantId, quantity }];
  });
  const sums = Map.groupBy(lines, ({ variantId }) => variantId);
  if (faults.length === 0)
    for (const those of sums.values())
      if (those.reduce((sum, { quantity }) => sum + quantity, 0) > mostOfOneLine)
        faults.push(problem('quantity_too_large', `At most ${mostOfOneLine} can be bought.`, '$.line_items'));
  if (faults.length > 0) throw new Refused(faults);
  return { lines, names };
}
