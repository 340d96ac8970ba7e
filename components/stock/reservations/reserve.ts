import { sql, type TenantTransaction } from '@steward/sql';
import { actorOf } from '../levels/book.ts';
import type { Mode } from '../words.ts';
import { type Asked, requireQuantities, requireShort, type Shortfall, shortfallsOf } from './asked.ts';

export interface Reserving {
  /** A checkout or an order. */
  readonly holder: string;
  readonly mode: Mode;
  /** Up to 500, each 1–1,000,000,000; those of one variant are summed. What is not tracked is always there. */
  readonly lines: readonly Asked[];
  /** From then on it is anybody's, without a job; null: until it is released, kept by another or shipped. */
  readonly expiresAt: Date | null;
  /** The location that it is taken from as far as there is some; default: by the priority of locations. */
  readonly prefer?: string | undefined;
}

/**
 * Reserves what the lines take in place of all that the holder has reserved: all of it, or nothing is changed and the answer tells of which
 * variants there is not enough. No other call promises the same piece. One statement; called with the same lines again it changes the
 * end alone. Call it once in a transaction, so that no two wait for each other.
 * @throws Problem `invalid_request` (400) for quantities that are none, `conflict` (409) where somebody changes what a variant takes
 */
export async function reserve(
  tx: TenantTransaction,
  { holder, mode, lines, expiresAt, prefer }: Reserving,
): Promise<readonly Shortfall[]> {
  requireQuantities(lines);
  const rows = await tx.query<{ o_variant: string; o_item: string; o_each: bigint; o_free: bigint }>(sql`
    select o_variant, o_item, o_each, o_free from stock.reserve(${holder}::uuid, ${mode}, ${lines.map(({ variantId }) => variantId)}::uuid[],
      ${lines.map(({ quantity }) => quantity)}::bigint[], ${expiresAt}::timestamptz, ${actorOf(tx)}, ${prefer ?? null}::uuid)`);
  if (rows.length === 0) return [];
  return requireShort(
    shortfallsOf(
      lines,
      rows.map((row) => ({
        variantId: row.o_variant,
        itemId: row.o_item,
        each: Number(row.o_each),
        free: Number(row.o_free),
      })),
    ),
  );
}
