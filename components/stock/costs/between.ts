import { sql, type TenantTransaction } from '@steward/sql';

interface Days {
  /** First and last day, by UTC: YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

/** Ids of sources that moved goods with a known cost on these days, oldest first: `costsOf` says what they cost. */
export async function costedBetween(
  { context, query }: Pick<TenantTransaction, 'context' | 'query'>,
  { from, to, limit }: Days,
): Promise<string[]> {
  const rows = await query(sql`
    select source_id from stock.movement
    where tenant_id = ${context.tenant}::uuid and (costed <> 0 or late_costed <> 0)
      and created_at >= (${from}::date)::timestamp at time zone 'UTC' and created_at < (${to}::date + 1)::timestamp at time zone 'UTC'
    group by source_id order by min(created_at), source_id limit ${limit}::int`);
  return rows.map((row) => String(row['source_id']));
}

/** Minor units of the base currency. */
export interface StockValue {
  /** Of what is on hand and has a known cost. */
  readonly value: bigint;
  /** What receipts said of all that came in, and counts of what was there. The rest is what `costsOf` tells. */
  readonly broughtIn: bigint;
}

export async function stockValue({
  context,
  query,
}: Pick<TenantTransaction, 'context' | 'query'>): Promise<StockValue> {
  const [row] = await query(sql`
    select (select coalesce(sum(value), 0) from stock.valuation where tenant_id = ${context.tenant}::uuid)::text as value,
      (select coalesce(sum(case kind when 'receive' then cost + late_cost else greatest(cost, 0) end), 0) from stock.movement
        where tenant_id = ${context.tenant}::uuid and (costed <> 0 or late_costed <> 0) and kind in ('receive', 'count'))::text as brought_in`);
  return { value: BigInt(String(row?.['value'] ?? 0)), broughtIn: BigInt(String(row?.['brought_in'] ?? 0)) };
}
