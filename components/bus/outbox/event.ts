import type { BusEvent } from '../consumer.ts';

export interface OutboxRow extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly event_id: string;
  readonly pos: bigint;
  readonly type: string;
  readonly source: string;
  readonly subject: string | null;
  readonly data: string;
  readonly correlation_id: string | null;
  readonly causation_id: string | null;
  readonly occurred_at: string;
}

/** Digits of the largest bigint, and one more. */
const digits = 20;

export const sequenceOf = (position: bigint): string => String(position).padStart(digits, '0');

export function eventOf(row: OutboxRow): BusEvent {
  return {
    id: row.event_id,
    tenant: row.tenant_id,
    type: row.type,
    source: row.source,
    ...(row.subject === null ? {} : { subject: row.subject }),
    data: JSON.parse(row.data) as BusEvent['data'],
    ...(row.correlation_id === null ? {} : { correlationId: row.correlation_id }),
    ...(row.causation_id === null ? {} : { causationId: row.causation_id }),
    occurredAt: row.occurred_at,
    sequence: sequenceOf(row.pos),
  };
}
