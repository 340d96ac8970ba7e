import { type Row, statement, type Statement } from '@steward/sql';
import { timestamp } from '@steward/kernel';
import type { StoredEvent } from '../appending/stored.ts';
import { genesis } from '../chain/genesis.ts';
import type { Envelope } from '../envelope/envelope.ts';

/** A row of `audit.event` with the hash before it. */
export interface EventRow extends Row {
  /** The canonical text. */
  readonly event: string;
  readonly sequence: bigint;
  readonly row_hash: Buffer;
  /** Null before the first. */
  readonly prev_hash: Buffer | null;
  readonly received_ms: bigint;
}

/**
 * What a selection that goes through `withPrevious` must select. The number before is computed there, behind the limit:
 * under row-level security an index is used only for conditions that cannot leak, and arithmetic can, by overflowing.
 */
export const columns = 'tenant_id, event, sequence, row_hash, received_at, sequence - 1 as previous';

/** The rows of a selection as `EventRow`s. */
export const withPrevious = (selection: string, order: 'asc' | 'desc' = 'desc'): string => `
  select e.event, e.sequence, e.row_hash, (extract(epoch from e.received_at) * 1000)::bigint as received_ms, p.row_hash as prev_hash
  from (${selection}) e
  left join lateral (select row_hash from audit.event where tenant_id = e.tenant_id and sequence = e.previous limit 1) p on true
  order by e.sequence ${order}`;

/** Of the tenant's event with this id, an `EventRow`. */
export const rowById = (tenant: string, id: string | null): Statement =>
  statement(withPrevious(`select ${columns} from audit.event where tenant_id = $1 and id = $2 limit 1`), [tenant, id]);

export const eventOf = (tenant: string, row: EventRow): StoredEvent => ({
  envelope: JSON.parse(row.event) as Envelope,
  sequence: Number(row.sequence),
  rowHash: row.row_hash.toString('hex'),
  prevHash: (row.prev_hash ?? genesis(tenant)).toString('hex'),
  receivedAt: timestamp(Number(row.received_ms)),
});
