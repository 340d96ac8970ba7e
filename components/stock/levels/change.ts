import { count, id, moneyShape, nullable, shape, text } from '@steward/contract';
import { type FieldError, type Money, newId } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { insufficient, invalidLines } from '../faults.ts';
import type { Location } from '../locations/location.ts';
import { parts } from '../parts.ts';
import type { Kind } from '../words.ts';
import { type Book, holdLevels } from './book.ts';
import type { Placed } from './line.ts';

/** What a line changed, and how much there was then. */
const levelOfLine = shape('l', {
  /** As the line named it; null where it named an item. */
  variantId: nullable(id()),
  itemId: id(),
  locationId: id(),
  location: text(),
  /** Of what is on hand. */
  change: count(),
  onHand: count(),
  reserved: count(),
  available: count(),
  incoming: count(),
});
const changedLine = levelOfLine.answer.extend({
  cost: moneyShape
    .nullable()
    .meta({ description: 'What the line says that its goods cost in all; null where it says nothing.' }),
});
export type ChangedLine = z.output<typeof changedLine>;
export const changedLines = z.object({
  /** In the order of the lines that were given; a transfer changes two levels by each. */
  lines: z.array(changedLine),
});

/** One level that a line changes, and by how much. */
export interface Wanted {
  readonly location: Location;
  readonly kind: Kind;
  readonly onHand?: number;
  readonly incoming?: number;
  /** What all of it cost that comes in. */
  readonly cost?: bigint | undefined;
  /** What those cost that are there then, and whose cost was not known so far. */
  readonly appraised?: bigint | undefined;
}

interface Change<L> {
  readonly reason?: string | undefined;
  readonly note?: string | undefined;
  /** What a line wants, of what there is after the lines before it. */
  wants(placed: Placed<L>, book: Book): readonly Wanted[];
  /** Where a line says how much. */
  readonly member: string;
}

interface Changed {
  readonly lines: ChangedLine[];
  /** Whether anything was. */
  readonly any: boolean;
  readonly changeId: string;
  readonly book: Book;
}

/**
 * Changes what lines say, each after the other: all of them or nothing.
 * @throws Problem `invalid_request` (400), `stock_insufficient` (409) with pointers
 */
export async function changeLevels<
  L extends { readonly variantId?: string | undefined; readonly cost?: Money | undefined },
>(tx: TenantTransaction, placed: readonly Placed<L>[], change: Change<L>): Promise<Changed> {
  const book = await holdLevels(tx, 'live', [...new Set(placed.map(({ itemId }) => itemId))]);
  const faults: FieldError[] = [];
  let any = false;
  const lines = placed.flatMap((one) =>
    change.wants(one, book).map(({ location, kind, onHand = 0, incoming = 0, cost, appraised }): ChangedLine => {
      const at = { itemId: one.itemId, locationId: location.id };
      if (onHand !== 0 || incoming !== 0 || appraised !== undefined || !book.has(one.itemId, location.id)) {
        any = true;
        const came = cost === undefined ? undefined : { costed: onHand, cost };
        const fault = book.move({ kind, line: String(one.index), ...at, onHand, incoming, came, appraised });
        if (fault !== undefined) {
          const member = fault.code === 'cost_known' ? 'cost' : change.member;
          faults.push({ pointer: `/lines/${one.index}/${member}`, ...fault });
        }
      }
      const level = book.at(one.itemId, location.id);
      return {
        variantId: one.line.variantId ?? null,
        ...at,
        location: location.code,
        change: onHand,
        onHand: level.onHand,
        reserved: level.reserved,
        available: level.onHand - level.reserved,
        incoming: level.incoming,
        cost: one.line.cost ?? null,
      };
    }),
  );
  if (faults.length > 0)
    throw faults.some(({ code }) => code === 'insufficient') ? insufficient(faults) : invalidLines(faults);
  const changeId = newId();
  await book.write({ kind: 'change', id: changeId, reason: change.reason, note: change.note });
  return { lines, any, changeId, book };
}

/** As events tell of levels. */
export const movedOf = (book: Book) =>
  book.moved().map(({ level: { itemId, locationId, onHand }, change }) => ({
    item_id: itemId,
    location_id: locationId,
    change,
    on_hand: onHand,
  }));

/** Records what a change moved on hand. */
export function recordChange(
  tx: TenantTransaction,
  type: 'commerce.stock.counted' | 'commerce.stock.transferred',
  { changeId, book }: Pick<Changed, 'changeId' | 'book'>,
): void {
  for (const levels of parts(movedOf(book))) tx.record(event(type, { change_id: changeId, levels }));
}
