import { sql, type TenantTransaction } from '@steward/sql';

/** Whether it is a location of the tenant in use, which then nobody archives until the transaction ends. */
export async function locationIn(tx: TenantTransaction, id: string): Promise<boolean> {
  const found = await tx.query(
    sql`select from stock.location where tenant_id = ${tx.context.tenant}::uuid and location_id = ${id}::uuid and archived_at is null
      for key share`,
  );
  return found.length > 0;
}
