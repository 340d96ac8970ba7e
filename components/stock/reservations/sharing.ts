import { sql, type TenantTransaction } from '@steward/sql';

/** Variants of which there may be more or less once there is of these items, or of these variants: all that take the same items. */
export async function variantsSharing(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  { itemIds = [], variantIds = [] }: { readonly itemIds?: readonly string[]; readonly variantIds?: readonly string[] },
): Promise<string[]> {
  const { tenant } = tx.context;
  const rows = await tx.query<{ variant_id: string }>(sql`
    select distinct r.variant_id from stock.requirement r where r.tenant_id = ${tenant}::uuid and r.item_id in (
      select unnest(${itemIds}::uuid[])
      union all select q.item_id from stock.requirement q where q.tenant_id = ${tenant}::uuid and q.variant_id = any (${variantIds}::uuid[]))`);
  return rows.map(({ variant_id: id }) => id);
}
