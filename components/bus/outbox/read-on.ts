import { sql, type Statement, type TenantScope } from '@steward/sql';
import type { BusEvent } from '../consumer.ts';
import { eventOf, type OutboxRow, sequenceOf } from './event.ts';

export interface ReadOn {
  readonly events: readonly BusEvent[];
  /** Behind which to read on: everything up to there was answered, or is of other types. A sequence. */
  readonly through: string;
}

/** Digits of the largest position. */
const sequencePattern = /^[0-9]{1,20}$/;

/** Whether a text is a sequence of an event: that which is behind all of them is one too. */
export const isSequence = (text: string): boolean => sequencePattern.test(text) && BigInt(text) < 2n ** 63n;

const selectOn = (after: string, types: readonly string[] | null, most: number): Statement =>
  sql`select horizon, tenant_id, event_id, pos, type, source, subject, data, correlation_id, causation_id, occurred_at
    from bus.read_on(${BigInt(after)}::bigint, ${types}::text[], ${most}::int)`;

/**
 * The tenant's next events in their order, for who follows by itself and keeps its own place. Nothing that commits later comes
 * before what was answered.
 * @param after the sequence of the last event that is known
 * @param most how many at most
 */
export async function readOn(
  scope: Pick<TenantScope, 'read'>,
  after: string,
  types: readonly string[] | null,
  most: number,
): Promise<ReadOn> {
  const [first, ...rows] = await scope.read<OutboxRow & { horizon: bigint | null }>(selectOn(after, types, most));
  const events = rows.map((row) => eventOf(row));
  const horizon = sequenceOf(first?.horizon ?? 0n);
  const last = events.at(-1)?.sequence;
  const reached = events.length < most || last === undefined ? horizon : last;
  const known = sequenceOf(BigInt(after));
  return { events, through: reached > known ? reached : known };
}

/** Which of some tenants have events behind a sequence, and up to where that is known. */
export async function newsOf(
  pool: { query<T extends Record<string, unknown>>(statement: Statement): Promise<T[]> },
  after: string,
  tenants: readonly string[],
): Promise<{ readonly tenants: ReadonlySet<string>; readonly through: string }> {
  const rows = await pool.query<{ horizon: bigint; tenant_id: string | null }>(
    sql`select horizon, tenant_id from bus.news(${BigInt(after)}::bigint, ${tenants}::uuid[])`,
  );
  return {
    tenants: new Set(rows.flatMap(({ tenant_id }) => tenant_id ?? [])),
    through: sequenceOf(rows[0]?.horizon ?? 0n),
  };
}

/** The sequence just before the first event since a moment. */
export async function sequenceAt(scope: Pick<TenantScope, 'read'>, time: string): Promise<string> {
  const [row] = await scope.read<{ at: bigint | null }>(sql`select bus.position_at(${time}::timestamptz) as at`);
  return sequenceOf(row?.at ?? 0n);
}

/** Where the outbox ends at this moment: what is published from now on is behind it. */
export async function outboxEnd(scope: Pick<TenantScope, 'read'>): Promise<string> {
  const [row] = await scope.read<{ at: bigint }>(
    sql`select case when s.is_called then s.last_value else s.last_value - 1 end as at from bus.outbox_position_seq s`,
  );
  return sequenceOf(row?.at ?? 0n);
}
