import { type Row, statement, type TenantTransaction } from '@steward/sql';

/** What was moved for a source, such as a fulfilment, a return or a change by a member: minor units of the base currency. */
export interface MovedCost {
  readonly sourceId: string;
  /** Such as `fulfilment`. */
  readonly sourceKind: string;
  /** What left for a sale less what came back of it, and what came in late for pieces that had left before there were any. */
  readonly sold: bigint;
  /** What was written off, less what was found: of adjustments and counts. */
  readonly lost: bigint;
  /** Pieces that left for a sale without a known cost. */
  readonly unknown: number;
  /** By UTC, YYYY-MM-DD. */
  readonly day: string;
}

/** Of `stock.movement` named `m`; nothing else moves what stock is worth but what comes in by a receipt, and what a count says of what is there. */
const soldBy = `case when m.kind in ('ship', 'restock') then -m.cost else m.late_cost end`;
const lostBy = `case m.kind when 'adjust' then -m.cost - m.late_cost when 'count' then greatest(-m.cost, 0) else 0 end`;

/** What stock that was moved for sources cost the tenant, for its books. Tests cost nothing. */
export async function costsOf(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, MovedCost>> {
  const rows = await tx.query(
    statement(
      `select c.* from unnest($2::uuid[]) s (id)
       cross join lateral (
         select m.source_id, min(m.source_kind) as source_kind, sum(${soldBy})::bigint as sold, sum(${lostBy})::bigint as lost,
           sum(case m.kind when 'ship' then m.costed - m.on_hand else 0 end)::bigint as unknown,
           to_char(min(m.created_at) at time zone 'UTC', 'YYYY-MM-DD') as day
         from stock.movement m
         where m.tenant_id = $1::uuid and m.source_id = s.id and m.mode = 'live' and m.kind not in ('reserve', 'release', 'expire', 'open')
         group by m.source_id) c`,
      [tx.context.tenant, [...new Set(sourceIds)]],
    ),
  );
  return new Map(rows.map(movedOf).map((one) => [one.sourceId, one]));
}

const movedOf = (row: Row): MovedCost => ({
  sourceId: String(row['source_id']),
  sourceKind: String(row['source_kind']),
  sold: BigInt(row['sold'] as bigint),
  lost: BigInt(row['lost'] as bigint),
  unknown: Number(row['unknown']),
  day: String(row['day']),
});
