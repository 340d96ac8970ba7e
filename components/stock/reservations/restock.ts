import { sql, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { insufficient } from '../faults.ts';
import { type Requirement, requirementsOf } from '../items/item.ts';
import { holdLevels } from '../levels/book.ts';
import { type Gone, goneOf } from '../costs/gone.ts';
import { share } from '../costs/pool.ts';
import { movedOf } from '../levels/change.ts';
import { locationsInUse, noLocation } from '../locations/location.ts';
import { parts } from '../parts.ts';
import type { Mode } from '../words.ts';
import { requireQuantities } from './asked.ts';
import { type MovementSource, notYet, type SourceLine } from './ship.ts';

interface ReturnedLine extends SourceLine {
  /** Pieces of the line that were sent, and those that came back before: then the stock goes back that left, whatever the variant takes by now. */
  readonly sent?: { readonly pieces: number; readonly back: number } | undefined;
}

interface Restocking {
  /** Whose it was. */
  readonly holder?: string | undefined;
  readonly mode: Mode;
  readonly source: MovementSource;
  readonly lines: readonly ReturnedLine[];
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
  const left = await leftBy(tx, mode, restocking.lines);
  const backOf = ({ line, variantId, quantity, sent }: ReturnedLine): readonly Requirement[] => {
    const own = sent === undefined ? undefined : left.get(line);
    if (own === undefined || sent === undefined)
      return (takes.get(variantId) ?? []).map(({ itemId, quantity: each }) => ({ itemId, quantity: quantity * each }));
    const until = (pieces: number, all: number): bigint => (BigInt(all) * BigInt(pieces)) / BigInt(sent.pieces);
    return own
      .map(({ itemId, quantity: all }) => ({
        itemId,
        quantity: Number(until(sent.back + quantity, all) - until(sent.back, all)),
      }))
      .filter((one) => one.quantity > 0);
  };
  const itemIds = [...new Set(restocking.lines.flatMap(backOf).map(({ itemId }) => itemId))];
  if (itemIds.length === 0) return;
  const places = await locationsInUse(tx);
  const place = locationId === undefined ? places[0] : places.find(({ id }) => id === locationId);
  if (place === undefined) throw noLocation();
  const book = await holdLevels(tx, mode, itemIds);
  const back = await notYet(tx, 'restock', source, restocking.lines);
  const gone = mode === 'live' ? await goneOf(tx, itemIds, back) : undefined;
  for (const one of back)
    for (const { itemId, quantity: onHand } of backOf(one)) {
      const { line } = one;
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

/** What lines sent of items, by line; one of which nothing left that was counted is not in it. */
async function leftBy(
  tx: TenantTransaction,
  mode: Mode,
  lines: readonly ReturnedLine[],
): Promise<Map<string, Requirement[]>> {
  const sent = lines.filter((one) => one.sent !== undefined).map(({ line }) => line);
  if (sent.length === 0) return new Map();
  const rows = await tx.query<{ source_line: string; item_id: string; quantity: bigint }>(sql`
    select m.* from unnest(${sent}::text[]) l (line)
    cross join lateral (
      select source_line, item_id, -sum(on_hand)::bigint as quantity from stock.movement
      where tenant_id = ${tx.context.tenant}::uuid and mode = ${mode} and source_line = l.line and kind = 'ship' and on_hand < 0
      group by source_line, item_id) m order by m.item_id`);
  return new Map(
    [...Map.groupBy(rows, ({ source_line: line }) => line)].map(([line, own]) => [
      line,
      own.map(({ item_id: itemId, quantity }) => ({ itemId, quantity: Number(quantity) })),
    ]),
  );
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
