import { statement, type TenantTransaction } from '@steward/sql';

/** The products that these variants are of; those that were taken off are of none. */
export async function productsOfVariants(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  variantIds: readonly string[],
): Promise<string[]> {
  if (variantIds.length === 0) return [];
  const rows = await tx.query<{ product_id: string }>(
    statement(
      `select distinct product_id from catalogue.variant where tenant_id = $1::uuid and variant_id = any ($2::uuid[]) and removed_at is null`,
      [tx.context.tenant, variantIds],
    ),
  );
  return rows.map((row) => row.product_id);
}
