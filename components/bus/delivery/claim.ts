import { sql, transact, type SqlPool, type Transaction } from '@steward/sql';

/** A consumer in one process's hand until its transaction ends; that the process ends sets it free at once. */
export interface Claim {
  readonly tx: Transaction;
  readonly startAt: bigint;
  readonly generation: number;
  /** Positions up to here are final. */
  readonly horizon: bigint;
  /** Of the first event above `startAt`, final or not. */
  readonly firstAt: bigint | null;
}

interface ClaimRow extends Record<string, unknown> {
  readonly start_at: bigint | null;
  readonly generation: number;
  readonly horizon: bigint;
  readonly first_at: bigint | null;
}

/** Undefined where the consumer is in another's hand. */
export async function withClaim<T>(
  pool: SqlPool,
  consumer: string,
  use: (claim: Claim) => Promise<T>,
): Promise<T | undefined> {
  const claim = sql`select start_at, generation, horizon, first_at from bus.claim(${consumer})`;
  return transact(pool, [claim], async (tx, [rows]) => {
    const row = rows?.[0] as ClaimRow | undefined;
    if (row === undefined || row.start_at === null) return undefined;
    const { start_at: startAt, generation, horizon, first_at: firstAt } = row;
    return use({ tx, startAt, generation, horizon, firstAt });
  });
}

/** A tenant that the round goes on without, and why. */
export interface LeftBehind {
  readonly tenant: string;
  /** Of its next event. */
  readonly attempts: number;
  /** Milliseconds. */
  readonly wait: number;
  readonly eventId?: string;
  readonly code?: string;
}

/** Moves the claimed consumer's cursor, leaving some tenants where it was. @throws Error where it was moved meanwhile */
export async function advance(
  { tx, startAt, generation }: Claim,
  consumer: string,
  through: bigint,
  left: readonly LeftBehind[] = [],
): Promise<void> {
  const [row] = await tx.query<{ moved: boolean }>(sql`
    select bus.advance(${consumer}, ${generation}, ${startAt}, ${through}, ${left.map(({ tenant }) => tenant)},
      ${left.map(({ attempts }) => attempts)}, ${left.map(({ wait }) => wait / 1000)},
      ${left.map(({ eventId }) => eventId ?? null)}, ${left.map(({ code }) => code ?? null)}) as moved`);
  if (row?.moved !== true) throw new Error(`the cursor of ${consumer} was moved by somebody else`);
}
