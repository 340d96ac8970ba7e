import { statement, type TenantTransaction } from '@steward/sql';

/** What was moved for a source, such as a fulfilment, a return or a change by a member: minor units of the base currency. */
export interface MovedCost {
  readonly sourceId: string;
  /** What left for a sale less what came back of it; of a change, what was written off, and what was late. */
  readonly cost: bigint;
  /** Pieces that left for a sale without a known cost. */
  readonly unknown: number;
  /** By UTC, YYYY-MM-DD. */
  readonly day: string;
}

/** What stock that was moved for sources cost the tenant, for its books. Tests cost nothing. */
export async function costsOf(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, MovedCost>> {
  const rows = await tx.query(
    statement(
      `select m.* from unnest($2::uuid[]) s (id)
       cross join lateral (
         select source_id,
           sum(case when kind in ('ship', 'restock') then -cost else greatest(-cost, 0) + late_cost end)::bigint as cost,
           sum(case kind when 'ship' then costed - on_hand else 0 end)::bigint as unknown,
           to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD') as day
         from stock.movement
         where tenant_id = $1::uuid and source_id = s.id and mode = 'live' and kind not in ('reserve', 'release', 'expire', 'open')
         group by source_id) m`,
      [tx.context.tenant, [...new Set(sourceIds)]],
    ),
  );
  return new Map(
    rows.map((row) => {
      const sourceId = String(row['source_id']);
      const [cost, unknown] = [BigInt(row['cost'] as bigint), Number(row['unknown'])];
      return [sourceId, { sourceId, cost, unknown, day: String(row['day']) }];
    }),
  );
}
