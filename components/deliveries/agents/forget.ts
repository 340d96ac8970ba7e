import { sql, type TenantTransaction } from '@steward/sql';

/** Removes what agents were told of orders, sent or not, and what they answered: of orders that lose their person. */
export async function forgetTold(tx: TenantTransaction, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length > 0) await tx.query(sql`select deliveries.forget(${orderIds}::text[])`);
}
