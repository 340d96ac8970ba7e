import { sql, type TenantTransaction } from '@steward/sql';

/** Ids of the payments that pay something of documents of the tenant, as far as that was not taken back. */
export async function payersOf(tx: TenantTransaction, documentIds: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.query<{ payment_id: string }>(sql`
    select distinct p.payment_id from accounting.allocation l
    join accounting.payment p on p.tenant_id = l.tenant_id and p.payment_id = l.credit_id
    where l.tenant_id = ${tx.context.tenant}::uuid and l.charge_id = any (${documentIds}::uuid[]) and l.undone_on is null`);
  return rows.map((row) => row.payment_id);
}
