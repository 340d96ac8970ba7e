import { sql, type TenantTransaction } from '@steward/sql';

/** What there is of a variant at one location, in pieces of the variant. */
export interface AtLocation {
  readonly onHand: number;
  /** Of what is on hand; below 0 where more was sold. */
  readonly available: number;
}

/** What there is of these variants at a location, of live stock; a variant that is not tracked, or was never counted there, is not in the answer. */
export async function stockAt(
  { context, query }: Pick<TenantTransaction, 'context' | 'query'>,
  locationId: string,
  variantIds: readonly string[],
): Promise<ReadonlyMap<string, AtLocation>> {
  const rows = await query<{ variant_id: string; on_hand: bigint; available: bigint }>(sql`
    select v.id as variant_id, min(floor(l.on_hand::numeric / r.quantity))::bigint as on_hand,
      min(floor((l.on_hand - l.reserved + e.expired)::numeric / r.quantity))::bigint as available
    from unnest(${variantIds}::uuid[]) v (id)
    cross join lateral (
      select item_id, quantity from stock.requirement where tenant_id = ${context.tenant}::uuid and variant_id = v.id offset 0) r
    left join lateral (
      select on_hand, reserved from stock.level
      where tenant_id = ${context.tenant}::uuid and mode = 'live' and item_id = r.item_id and location_id = ${locationId}::uuid offset 0) l on true
    left join lateral (
      select coalesce(sum(h.quantity), 0)::bigint as expired from stock.reservation h
      where h.tenant_id = ${context.tenant}::uuid and h.mode = 'live' and h.item_id = r.item_id and h.location_id = ${locationId}::uuid
        and h.expires_at <= statement_timestamp()) e on true
    group by v.id having count(l.on_hand) = count(*)`);
  return new Map(
    rows.map((row) => [row.variant_id, { onHand: Number(row.on_hand), available: Number(row.available) }]),
  );
}

/** Variants that take of these items. */
export async function variantsTaking(
  { context, query }: Pick<TenantTransaction, 'context' | 'query'>,
  itemIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await query<{ variant_id: string }>(sql`
    select distinct r.variant_id from unnest(${itemIds}::uuid[]) i (id)
    cross join lateral (
      select variant_id from stock.requirement where tenant_id = ${context.tenant}::uuid and item_id = i.id offset 0) r`);
  return rows.map(({ variant_id: id }) => id);
}
