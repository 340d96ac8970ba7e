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
  /** Of what is no line: there is no such item, more of it than anybody sells, or it is counted in what it is not sold by. */
  readonly faults: readonly Fault[];
}

interface Fault {
  /** As the agent calls it. */
  readonly item: string;
  readonly message: Message;
}

/** What was asked for and is not in a cart or checkout, which has the rest: it is told until the agent says anew what is wanted. */
export interface LeftOut {
  readonly code: string;
  readonly content: string;
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
 * @throws Refused where it is more of one than anybody sells, over all lines
 */
export async function itemsOf(visit: Visit, given: readonly LineItem[]): Promise<Items> {
  const named = [...new Set(given.map(({ item }) => item.id).filter((id) => !isId(id)))];
  const found = await variantsSold(visit.context, visit.shop.brandId, named);
  const bySku = new Map(found.map(({ id, sku }) => [sku ?? '', id]));
  const faults: Fault[] = [];
  const names: Record<string, string> = {};
  const lines = given.flatMap(({ item: { id, ...item }, quantity }, at) => {
    const variantId = isId(id) ? id : bySku.get(id);
    const message =
      variantId === undefined ? unavailable(at) : miscounted(visit, id, item['quantity_unit'], quantity, at);
    if (variantId === undefined || message !== undefined) {
      if (message !== undefined) faults.push({ item: id, message });
      return [];
    }
    if (variantId !== id) names[variantId] = id;
    return [{ variantId, quantity }];
  });
  const sums = Map.groupBy(lines, ({ variantId }) => variantId);
  for (const those of sums.values())
    if (those.reduce((sum, { quantity }) => sum + quantity, 0) > mostOfOneLine)
      throw new Refused([problem('quantity_too_large', `At most ${mostOfOneLine} can be bought.`, '$.line_items')]);
  return { lines, names, faults };
}

function miscounted(visit: Visit, id: string, unit: unknown, quantity: number, at: number): Message | undefined {
  if (quantity > mostOfOneLine)
    return problem('quantity_too_large', `At most ${mostOfOneLine} can be bought.`, `$.line_items[${at}].quantity`);
  if (visit.version !== '2026-08-25' || isByPiece(unit)) return undefined;
  return problem(
    'quantity_unit_mismatch',
    `${id} is sold by the piece (C62, scale 0): send how many pieces.`,
    `$.line_items[${at}].item.quantity_unit`,
  );
}

/** The whole of what was asked for: of a change, nothing is done by halves. @throws Refused */
export function allOf({ lines, names, faults }: Items): Pick<Items, 'lines' | 'names'> {
  if (faults.length > 0) throw new Refused(faults.map(({ message }) => message));
  return { lines, names };
}

const leftOut = (item: string, { code = '', content }: Message): LeftOut => ({
  code,
  content: `“${item}” is left out. ${content} Update with all items that are wanted.`,
});

/** What was asked for as far as there is some of it. @throws Refused where there is nothing of it */
export function someOf({ lines, faults }: Items): readonly LeftOut[] {
  if (lines.length === 0 && faults.length > 0) throw new Refused(faults.map(({ message }) => message));
  return faults.map(({ item, message }) => leftOut(item, message));
}

/** @param item as the agent calls it */
export const notSold = (item: string): LeftOut => leftOut(item, unavailable(0));

/** Of what is told again with each answer. */
const mostTold = 50;

/** The first ones, and how many more. */
export const fewOf = (left: readonly LeftOut[]): readonly LeftOut[] =>
  left.length <= mostTold
    ? left
    : [
        ...left.slice(0, mostTold),
        {
          code: left[mostTold]?.code ?? '',
          content: `${left.length - mostTold} more are left out. Update with all items that are wanted.`,
        },
      ];

export const tellLeftOut = (left: readonly LeftOut[] = []): Message[] =>
  left.map(({ code, content }) => problem(code, content, '$.line_items'));
