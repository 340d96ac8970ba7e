import type { TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { insufficient } from '../faults.ts';
import { requirementsOf } from '../items/item.ts';
import { holdLevels } from '../levels/book.ts';
import { type Gone, goneOf } from '../costs/gone.ts';
import { share } from '../costs/pool.ts';
import { movedOf } from '../levels/change.ts';
import { locationsInUse, noLocation } from '../locations/location.ts';
import { parts } from '../parts.ts';
import type { Mode } from '../words.ts';
import { requireQuantities } from './asked.ts';
import { type MovementSource, notYet, type SourceLine } from './ship.ts';

interface Restocking {
  /** Whose it was. */
  readonly holder?: string | undefined;
  readonly mode: Mode;
  readonly source: MovementSource;
  readonly lines: readonly SourceLine[];
  /** Where the goods go; default: the location that stock is taken from first. */
  readonly locationId?: string | undefined;
}

/**
 * Puts back what came back and can be sold again. What is not tracked is passed over.
 * @throws Problem `not_found` (404) for a location that is not in use, `stock_insufficient` (409) for more than a level can say,
 * `invalid_request` (400) for quantities that are none
 */
export async function restock(tx: TenantTransaction, restocking: Restocking): Promise<void> {
  const { mode, source, locationId, holder } = restocking;
  requireQuantities(restocking.lines);
  const takes = await requirementsOf(tx, [...new Set(restocking.lines.map(({ variantId }) => variantId))]);
  const itemIds = [...new Set([...takes.values()].flat().map(({ itemId }) => itemId))];
  if (itemIds.length === 0) return;
  const places = await locationsInUse(tx);
  const place = locationId === undefined ? places[0] : places.find(({ id }) => id === locationId);
  if (place === undefined) throw noLocation();
  const book = await holdLevels(tx, mode, itemIds);
  const back = await notYet(tx, 'restock', source, restocking.lines);
  const gone = mode === 'live' ? await goneOf(tx, itemIds, back) : undefined;
  for (const { line, variantId, quantity } of back)
    for (const { itemId, quantity: each } of takes.get(variantId) ?? []) {
      const onHand = quantity * each;
      const fault = book.move({
        kind: 'restock',
        line,
        itemId,
        locationId: place.id,
        onHand,
        came: taken(gone?.(line, itemId), onHand),
      });
      if (fault !== undefined) throw insufficient([{ pointer: '/lines', ...fault }]);
    }
  await book.write({ ...source, holder });
  for (const levels of parts(movedOf(book)))
    tx.record(event('commerce.stock.restocked', { source_kind: source.kind, source_id: source.id, mode, levels }));
}

/** What comes back costs what it did when it went out: those of it whose cost is known come back first. */
function taken(gone: Gone | undefined, pieces: number) {
  if (gone === undefined || gone.costed === 0) return undefined;
  const costed = Math.min(pieces, gone.costed);
  const cost = share(gone.cost, gone.costed, costed);
  gone.costed -= costed;
  gone.cost -= cost;
  return { costed, cost };
}
