import { statement, type Row, type Statement, type TenantContext } from '@steward/sql';
import { timestamp } from '@steward/kernel';
import type { StoredEvent } from '../appending/stored.ts';
import { genesis } from '../chain/genesis.ts';
import type { Envelope } from '../envelope/envelope.ts';
import { readEvents } from '../policy.ts';

/** All that are given must hold. */
export interface Filter {
  readonly type?: string | undefined;
  readonly grammar?: string | undefined;
  readonly causalId?: string | undefined;
  readonly correlationId?: string | undefined;
}

export interface Page {
  /** 1–500. */
  readonly limit: number;
  /** Only events below this sequence. */
  readonly below?: bigint | undefined;
}

/** The tenant's events, newest first. @throws Problem `tenant_forbidden` (403) */
export async function listEvents(context: TenantContext, filter: Filter, page: Page): Promise<StoredEvent[]> {
  const scope = context.require(readEvents);
  const rows = await scope.read<EventRow>(listStatement(context.tenant, filter, page));
  return rows.map((row) => present(context.tenant, row));
}

/** One event by its id; undefined where the tenant has none such. @throws Problem `tenant_forbidden` (403) */
export async function findEvent(context: TenantContext, id: string): Promise<StoredEvent | undefined> {
  const scope = context.require(readEvents);
  const [row] = await scope.read<EventRow>(
    statement(withPrevious('tenant_id = $1 and id = $2 limit 1'), [context.tenant, id]),
  );
  return row === undefined ? undefined : present(context.tenant, row);
}

interface EventRow extends Row {
  readonly event: string;
  readonly sequence: bigint;
  readonly row_hash: Buffer;
  readonly prev_hash: Buffer | null;
  readonly received_ms: bigint;
}

/**
 * Rows with the hash before each. The number before is computed inside, behind the limit: under row-level security an
 * index is used only for conditions that cannot leak, and arithmetic can, by overflowing.
 */
const withPrevious = (conditions: string): string => `
  select e.event, e.sequence, e.row_hash, (extract(epoch from e.received_at) * 1000)::bigint as received_ms, p.row_hash as prev_hash
  from (select tenant_id, event, sequence, row_hash, received_at, sequence - 1 as previous from audit.event where ${conditions}) e
  left join lateral (select row_hash from audit.event where tenant_id = e.tenant_id and sequence = e.previous limit 1) p on true
  order by e.sequence desc`;

const columnOf = { type: 'type', grammar: 'grammar', causalId: 'causal_id', correlationId: 'correlation_id' } as const;

/** One text for each set of filters, so that each has a plan of its own; values are never part of it. */
function listStatement(tenant: string, filter: Filter, { limit, below }: Page): Statement {
  const values: unknown[] = [tenant];
  const conditions = ['tenant_id = $1'];
  for (const [name, column] of Object.entries(columnOf)) {
    const value = filter[name as keyof Filter];
    if (value === undefined) continue;
    values.push(value);
    conditions.push(`${column} = $${values.length}`);
  }
  if (below !== undefined) {
    values.push(below);
    conditions.push(`sequence < $${values.length}`);
  }
  values.push(limit);
  return statement(withPrevious(`${conditions.join(' and ')} order by sequence desc limit $${values.length}`), values);
}

const present = (tenant: string, row: EventRow): StoredEvent => ({
  envelope: JSON.parse(row.event) as Envelope,
  sequence: Number(row.sequence),
  rowHash: row.row_hash.toString('hex'),
  prevHash: (row.prev_hash ?? genesis(tenant)).toString('hex'),
  receivedAt: timestamp(Number(row.received_ms)),
});
