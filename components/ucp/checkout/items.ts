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

/** Everything is sold by the piece: one of UN/CEFACT Recommendation 20, without decimals. What is counted otherwise must not be taken for pieces. */
function isByPiece(unit: unknown): boolean {
  if (unit === undefined || unit === null) return true;
  const { unit: code, scale = 0 } = unit as { unit?: unknown; scale?: unknown };
  return code === 'C62' && scale === 0;
}

/**
 * Items are variants, by their ids or SKUs.
 * @throws Refused where there is no such item, more of it than anybody sells, or where it is counted in what it is not sold by
 */
export async function itemsOf(visit: Visit, given: readonly LineItem[]): Promise<Items> {
  const named = [...new Set(given.map(({ item }) => item.id).filter((id) => !isId(id)))];
  const found = await variantsSold(visit.context, visit.shop.brandId, named);
  const bySku = new Map(found.map(({ id, sku }) => [sku ?? '', id]));
  const faults: Message[] = [];
  const names: Record<string, string> = {};
  const lines = given.flatMap(({ item: { id, ...item }, quantity }, at) => {
    const variantId = isId(id) ? id : bySku.get(id);
    if (variantId === undefined) {
      faults.push(unavailable(at));
      return [];
    }
    if (quantity > mostOfOneLine)
      faults.push(
        problem('quantity_too_large', `At most ${mostOfOneLine} can be bought.`, `$.line_items[${at}].quantity`),
      );
    if (visit.version === '2026-08-25' && !isByPiece(item['quantity_unit']))
      faults.push(
        problem(
          'quantity_unit_mismatch',
          `${id} is sold by the piece (C62, scale 0): send how many pieces.`,
          `$.line_items[${at}].item.quantity_unit`,
        ),
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
