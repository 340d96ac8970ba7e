import { sql, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { heldRequirements, requirementsOf } from '../items/item.ts';
import { type Book, holdLevels } from '../levels/book.ts';
import { movedOf } from '../levels/change.ts';
import { locationsInUse, noLocation } from '../locations/location.ts';
import { parts } from '../parts.ts';
import type { Mode } from '../words.ts';
import { type Asked, requireQuantities, requireShort, type Shortfall, shortfallsOf } from './asked.ts';

/** What it is done for, such as a fulfilment or a return. A line of it moves stock once, however often it is told. */
export interface MovementSource {
  /** `[a-z_]{1,40}` */
  readonly kind: string;
  readonly id: string;
}

export interface SourceLine extends Asked {
  /** Of the source: up to 64 characters. */
  readonly line: string;
}

interface Shipping {
  /** Whose reservations are used up. */
  readonly holder: string;
  readonly mode: Mode;
  readonly source: MovementSource;
  readonly lines: readonly SourceLine[];
  /** Where the goods leave; default: where they are reserved. */
  readonly locationId?: string | undefined;
}

interface Reserved {
  readonly itemId: string;
  readonly locationId: string;
  quantity: number;
}

/**
 * Takes what leaves from what is on hand, and from what the holder has reserved; what is not reserved is taken from what is free. All
 * of it, or nothing is changed and the answer tells of which variants there is not enough.
 * @throws Problem `not_found` (404) for a location that is not in use, `invalid_request` (400) for quantities that are none
 */
export async function ship(tx: TenantTransaction, shipping: Shipping): Promise<readonly Shortfall[]> {
  const { holder, mode, source, locationId } = shipping;
  requireQuantities(shipping.lines);
  const { tenant } = tx.context;
  // What variants take stays as it is meanwhile: what is noted of it for the holder would stand there for nothing.
  await tx.query(sql`
    select pg_advisory_xact_lock(hashtextextended('stock.holder ' || ${tenant} || ' ' || ${holder}, 0)),
      pg_advisory_xact_lock_shared(hashtextextended(${`stock.requirements ${tenant}`}, 0))`);
  const [now, held] = await Promise.all([
    requirementsOf(tx, [...new Set(shipping.lines.map(({ variantId }) => variantId))]),
    heldRequirements(tx, { holder, mode }),
  ]);
  const takes = new Map([...now, ...held]);
  const itemIds = [...new Set([...takes.values()].flat().map(({ itemId }) => itemId))];
  if (itemIds.length === 0) return [];
  const places = await locationsInUse(tx);
  if (locationId !== undefined && !places.some(({ id }) => id === locationId)) throw noLocation();
  const book = await holdLevels(tx, mode, itemIds);
  const lines = await notYet(tx, 'ship', source, shipping.lines);
  const reserved = await reservedBy(tx, { holder, mode, itemIds });
  const order = places.map(({ id }) => id).toSorted((a, b) => Number(b === locationId) - Number(a === locationId));
  let whole = true;
  const from = locationId === undefined ? order : [locationId];
  const before = freeOf(book, itemIds, reserved, from);
  for (const { line, variantId, quantity } of lines)
    for (const { itemId, quantity: each } of takes.get(variantId) ?? [])
      whole = leave(book, { line, itemId, quantity: quantity * each, order, reserved, from: locationId }) && whole;
  if (!whole)
    return requireShort(
      shortfallsOf(
        lines,
        lines.flatMap(({ variantId }) =>
          (takes.get(variantId) ?? []).map(({ itemId, quantity: each }) => ({
            variantId,
            itemId,
            each,
            free: before.get(itemId) ?? 0,
          })),
        ),
      ),
    );
  await book.write({ ...source, holder });
  await writeReserved(tx, { holder, mode }, reserved);
  if (held.size > 0)
    await tx.query(sql`
      delete from stock.held_requirement k where k.tenant_id = ${tenant}::uuid and k.holder_id = ${holder}::uuid and k.mode = ${mode}
        and not exists (
          select from stock.reservation r where r.tenant_id = k.tenant_id and r.holder_id = k.holder_id and r.mode = k.mode)`);
  for (const levels of parts(movedOf(book)))
    tx.record(event('commerce.stock.shipped', { source_kind: source.kind, source_id: source.id, mode, levels }));
  return [];
}

/** The lines that have not moved anything yet. The items are locked by then. */
export async function notYet<L extends SourceLine>(
  tx: TenantTransaction,
  kind: 'ship' | 'restock',
  source: MovementSource,
  lines: readonly L[],
): Promise<readonly L[]> {
  const rows = await tx.query<{ source_line: string }>(sql`
    select distinct source_line from stock.movement
    where tenant_id = ${tx.context.tenant}::uuid and source_id = ${source.id}::uuid and source_line = any (${lines.map(({ line }) => line)}::text[])
      and kind = ${kind} and kind not in ('reserve', 'release', 'expire', 'open')`);
  const done = new Set(rows.map(({ source_line: line }) => line));
  return lines.filter(({ line }) => !done.has(line));
}

async function reservedBy(
  tx: TenantTransaction,
  { holder, mode, itemIds }: Pick<Shipping, 'holder' | 'mode'> & { readonly itemIds: readonly string[] },
): Promise<Reserved[]> {
  const rows = await tx.query<{ item_id: string; location_id: string; quantity: bigint }>(sql`
    select item_id, location_id, quantity from stock.reservation
    where tenant_id = ${tx.context.tenant}::uuid and holder_id = ${holder}::uuid and mode = ${mode} and item_id = any (${itemIds}::uuid[])`);
  return rows.map((row) => ({ itemId: row.item_id, locationId: row.location_id, quantity: Number(row.quantity) }));
}

/** How much of each item there is for this holder at these places; without an end where it may be lacking. */
function freeOf(
  book: Book,
  itemIds: readonly string[],
  reserved: readonly Reserved[],
  places: readonly string[],
): Map<string, number> {
  return new Map(
    itemIds.map((itemId) => [
      itemId,
      book.mayLack(itemId)
        ? Number.MAX_SAFE_INTEGER
        : places.reduce((sum, at) => {
            const { onHand, reserved: all } = book.at(itemId, at);
            return sum + onHand - all;
          }, 0) +
          reserved.reduce(
            (sum, one) => sum + (one.itemId === itemId && places.includes(one.locationId) ? one.quantity : 0),
            0,
          ),
    ]),
  );
}

interface Leaving {
  readonly line: string;
  readonly itemId: string;
  readonly quantity: number;
  /** Locations, the first to take from first. */
  readonly order: readonly string[];
  readonly reserved: readonly Reserved[];
  /** The only one that the goods leave from, where that is said. */
  readonly from: string | undefined;
}

/** Answers whether there was enough. */
function leave(book: Book, { line, itemId, quantity, order, reserved, from }: Leaving): boolean {
  let left = quantity;
  const move = (locationId: string, onHand: number, held: number): boolean =>
    book.move({ kind: 'ship', line, itemId, locationId, onHand: -onHand, reserved: -held }) === undefined;
  const own = reserved
    .filter((one) => one.itemId === itemId)
    .toSorted((a, b) => order.indexOf(a.locationId) - order.indexOf(b.locationId));
  for (const one of own) {
    const some = Math.min(left, one.quantity);
    if (some === 0) continue;
    const there = from === undefined || from === one.locationId;
    // What is reserved elsewhere is free there before it leaves here.
    if (!move(one.locationId, there ? some : 0, some)) return false;
    if (!there && !move(from, some, 0)) return false;
    one.quantity -= some;
    left -= some;
  }
  const free = (at: string): number => {
    const { onHand, reserved: all } = book.at(itemId, at);
    return Math.max(onHand - all, 0);
  };
  const sources = from === undefined ? order : [from];
  for (const at of sources) {
    const some = Math.min(left, free(at));
    if (some > 0 && !move(at, some, 0)) return false;
    left -= some;
  }
  const first = sources[0];
  return left === 0 || (first !== undefined && book.mayLack(itemId) && move(first, left, 0));
}

async function writeReserved(
  tx: TenantTransaction,
  { holder, mode }: Pick<Shipping, 'holder' | 'mode'>,
  reserved: readonly Reserved[],
): Promise<void> {
  const { tenant } = tx.context;
  const items = reserved.map(({ itemId }) => itemId);
  const places = reserved.map(({ locationId }) => locationId);
  const left = reserved.map(({ quantity }) => quantity);
  await tx.queryAll([
    sql`delete from stock.reservation r using unnest(${items}::uuid[], ${places}::uuid[], ${left}::bigint[]) l (item_id, location_id, quantity)
      where r.tenant_id = ${tenant}::uuid and r.holder_id = ${holder}::uuid and r.mode = ${mode} and r.item_id = l.item_id
        and r.location_id = l.location_id and l.quantity = 0`,
    sql`update stock.reservation r set quantity = l.quantity
      from unnest(${items}::uuid[], ${places}::uuid[], ${left}::bigint[]) l (item_id, location_id, quantity)
      where r.tenant_id = ${tenant}::uuid and r.holder_id = ${holder}::uuid and r.mode = ${mode} and r.item_id = l.item_id
        and r.location_id = l.location_id and l.quantity > 0 and r.quantity <> l.quantity`,
  ]);
}
