import { sql, inTransaction, type Row, type SqlPool, type Statement, type Transaction } from '@steward/sql';
import type { OutboxRow } from '../outbox/event.ts';

/** Positions in which a round looks for the types of its consumer. */
const window = 5_000n;

/** A consumer claimed by one process until its transaction ends; that the process ends sets it free at once. */
export interface Claim {
  readonly tx: Transaction;
  readonly startAt: bigint;
}

/** How far a process knows that a consumer has come. Of another generation it is void: there was a replay. */
export interface Seen {
  readonly generation: number;
  readonly position: bigint;
  /** The cursor as the database last had it. If it is lower in the same generation, a crash or failover lost its move. */
  readonly written: bigint;
}

/** The next events of a claimed consumer. */
export interface Batch extends Claim {
  readonly generation: number;
  readonly rows: readonly BatchRow[];
  /** All of the consumer's events above the cursor, or what was seen, and up to here are in `rows`. */
  readonly through: bigint;
  readonly more: boolean;
  /** Events that were found below the cursor and not handed over; their tenants are behind. */
  readonly passed: number;
}

export interface BatchRow extends OutboxRow {
  /** Its tenant follows by itself. */
  readonly behind: boolean;
  /** The tenant's inbox; 0 where it has none. */
  readonly had: bigint;
}

interface ClaimRow extends Row {
  readonly start_at: bigint;
  readonly generation: number;
  readonly upto: bigint;
  readonly horizon: bigint;
  readonly passed: number;
}

/** Undefined where the consumer is claimed by another. */
export async function withClaim<T>(
  pool: SqlPool,
  consumer: string,
  use: (claim: Claim) => Promise<T>,
): Promise<T | undefined> {
  return claimed(pool, sql`select start_at from bus.claim(${consumer})`, async (tx, [row]) =>
    use({ tx, startAt: (row as ClaimRow).start_at }),
  );
}

/**
 * A claim and its batch, in one round trip.
 * @param consumer null types: all
 * @param most events
 */
export async function withBatch<T>(
  pool: SqlPool,
  { name, types }: { readonly name: string; readonly types: readonly string[] | null },
  seen: Seen,
  most: number,
  use: (batch: Batch) => Promise<T>,
): Promise<T | undefined> {
  const draw = sql`
    select start_at, generation, upto, horizon, passed, tenant_id, event_id, pos, type, source, subject, data, correlation_id,
      causation_id, occurred_at, behind, had
    from bus.draw(${name}, ${types}::text[], ${seen.generation}, ${seen.position}, ${window}, ${most})`;
  return claimed(pool, draw, async (tx, [first, ...drawn]) => {
    const { start_at: startAt, generation, upto, horizon, passed } = first as ClaimRow;
    // What was seen beyond the cursor may have been lost with it: the next batch begins there.
    if (generation === seen.generation && startAt < seen.written)
      return use({ tx, startAt, generation, rows: [], through: startAt, more: false, passed });
    const rows = drawn as BatchRow[];
    const full = rows.length === most;
    const through = full ? (rows.at(-1)?.pos ?? upto) : upto;
    return use({ tx, startAt, generation, rows, through, more: full || through < horizon, passed });
  });
}

async function claimed<T>(
  pool: SqlPool,
  claim: Statement,
  use: (tx: Transaction, rows: Row[]) => Promise<T>,
): Promise<T | undefined> {
  return inTransaction(pool, [claim], async (tx, [rows = []]) => {
    const first = rows[0]?.['start_at'] ?? null;
    return first === null ? undefined : use(tx, rows);
  });
}

/** A tenant that the round leaves out, and why. */
export interface Lagging {
  readonly tenant: string;
  /** Of its next event. */
  readonly attempts: number;
  /** Milliseconds. */
  readonly wait: number;
  readonly eventId?: string;
  readonly code?: string;
}

/** Moves the claimed consumer's cursor with the commit, which fails where it was moved meanwhile; leaves some tenants where it was. */
export function advance(
  { tx, startAt, generation, through }: Batch,
  consumer: string,
  left: readonly Lagging[] = [],
): void {
  tx.later(sql`
    select bus.advance(${consumer}, ${generation}, ${startAt}, ${through}, ${left.map(({ tenant }) => tenant)},
      ${left.map(({ attempts }) => attempts)}, ${left.map(({ wait }) => wait / 1000)},
      ${left.map(({ eventId }) => eventId ?? null)}, ${left.map(({ code }) => code ?? null)})`);
}
