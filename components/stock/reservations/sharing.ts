import { sql, type TenantTransaction } from '@steward/sql';

/** Variants that take the same items as one of these: of each there is less once one of these is sold. */
export async function variantsSharing(
  { context, query }: Pick<TenantTransaction, 'context' | 'query'>,
  variantIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await query<{ variant_id: string }>(sql`
    select distinct r.variant_id from stock.requirement q join stock.requirement r on r.tenant_id = q.tenant_id and r.item_id = q.item_id
    where q.tenant_id = ${context.tenant}::uuid and q.variant_id = any (${variantIds}::uuid[])`);
  return rows.map(({ variant_id: id }) => id);
}
