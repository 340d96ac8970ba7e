import { sql, type TenantTransaction } from '@steward/sql';

/** Pieces of a line that went out with a known cost and did not come back, and what they cost. */
export interface Gone {
  costed: number;
  cost: bigint;
}

/** By line of the source and item. The items are locked by then. */
export async function goneOf(
  tx: TenantTransaction,
  itemIds: readonly string[],
  lines: readonly { readonly line: string }[],
): Promise<(line: string, itemId: string) => Gone | undefined> {
  const rows = await tx.query<{ item_id: string; source_line: string; costed: bigint; cost: bigint }>(sql`
    select m.* from unnest(${itemIds}::uuid[]) i (id) cross join unnest(${lines.map(({ line }) => line)}::text[]) l (line)
    cross join lateral (
      select item_id, source_line, -sum(costed + late_costed)::bigint as costed, -sum(cost + late_cost)::bigint as cost from stock.movement
      where tenant_id = ${tx.context.tenant}::uuid and item_id = i.id and source_line = l.line
        and kind in ('ship', 'restock') and (costed <> 0 or late_costed <> 0)
      group by item_id, source_line) m`);
  const gone = new Map(
    rows.map((row) => [`${row.source_line} ${row.item_id}`, { costed: Number(row.costed), cost: BigInt(row.cost) }]),
  );
  return (line, itemId) => gone.get(`${line} ${itemId}`);
}
