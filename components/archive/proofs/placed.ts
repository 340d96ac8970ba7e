import { fail as refuse, isId, timestamp } from '@steward/kernel';
import type { TenantContext, TenantScope } from '@steward/sql';
import { eventHash, genesis, rowHash } from '@steward/audit/chain';
import { type EventRow, readEvents, rowById } from '@steward/audit';
import { fail } from '../errors.ts';
import { endOf } from '../sealing/calendar.ts';
import { findSealedDay, type Remembered, remembered, type SealedDay, type SealedDayPorts } from './sealed-day.ts';

/** An event and its place in the chain, as proofs and receipts tell it. */
export interface PlacedEvent {
  readonly tenant: string;
  /** The canonical text that is hashed. */
  readonly event: string;
  readonly sequence: number;
  readonly receivedAt: string;
  /** Lower-case hex, as the row hash. */
  readonly previousHash: string;
  readonly rowHash: string;
}

/** What the database has of an event, and the day in which it was sealed, where it was. */
export interface Placed {
  readonly placed: PlacedEvent;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly sealed: SealedDay | 'lost' | undefined;
  readonly scope: TenantScope;
}

/**
 * Reads an event with its place, and computes its hashes again.
 * @throws Problem `not_found` (404), `audit_mismatch` (409), `tenant_forbidden` (403)
 */
export async function readPlaced(ports: SealedDayPorts, context: TenantContext, id: string): Promise<Placed> {
  const { tenant } = context;
  const scope = context.require(readEvents);
  const known = isId(id) ? id : null;
  const [[row], [record]] = (await scope.readAll([rowById(tenant, known), remembered(tenant, known)])) as [
    EventRow[],
    Remembered[],
  ];
  if (row === undefined) throw refuse('not_found', 'The tenant has no such event.');
  const receivedAt = timestamp(Number(row.received_ms));
  const day = receivedAt.slice(0, 10);
  // No day is sealed before it is over: nobody needs to be asked.
  const over = Date.now() >= endOf(day);
  const sealed = over || record?.checkpoint != null ? await findSealedDay(ports, tenant, day, record) : undefined;
  const previous = row.prev_hash ?? genesis(tenant);
  const placed = {
    tenant,
    event: row.event,
    sequence: Number(row.sequence),
    receivedAt,
    previousHash: previous.toString('hex'),
    rowHash: row.row_hash.toString('hex'),
  };
  const hashed = rowHash(previous, row.sequence, row.received_ms, Buffer.from(eventHash(row.event), 'hex'));
  if (!hashed.equals(row.row_hash))
    throw mismatched(ports, placed, `The event of sequence ${row.sequence} has another hash`);
  return { placed, day, sealed, scope };
}

/** The database contradicts itself, or what was sealed: it is logged, and nothing is signed or proved. */
export function mismatched({ log }: Pick<SealedDayPorts, 'log'>, placed: PlacedEvent, what: string): Error {
  const { tenant, sequence, receivedAt } = placed;
  const day = receivedAt.slice(0, 10);
  log.error({ tenant, day, sequence }, `the database is not what was sealed: ${what}`);
  return fail(
    'audit_mismatch',
    `${what}: the day ${day} in the database is not what was written. Run \`steward audit verify\`.`,
  );
}
