import { statement, type TenantTransaction } from '@steward/sql';

/** Which of these ids are products of the tenant, whether they are published or not. */
export async function productsIn(tx: TenantTransaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ product_id: string }>(
    statement(`select product_id from catalogue.product where tenant_id = $1::uuid and product_id = any ($2::uuid[])`, [
      tx.context.tenant,
      ids,
    ]),
  );
  return new Set(rows.map((row) => row.product_id));
}
