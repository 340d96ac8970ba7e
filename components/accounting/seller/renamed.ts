import { sql, type TenantTransaction } from '@steward/sql';

/**
 * Whether an issued document is headed by another name than the one of its kind before it, because the organization was renamed in between: nobody
 * approves that name, as people approve what `service_update_seller` says.
 * @returns both names; undefined where it is the same, where it is the first, or where the seller has a name of its own
 */
export async function renamedSince(
  tx: TenantTransaction,
  documentId: string,
): Promise<{ readonly before: string; readonly now: string } | undefined> {
  const [row] = await tx.query<{ before: string; now: string }>(sql`
    select p.seller_name as before, d.seller_name as now from accounting.document d
    join accounting.document p on p.tenant_id = d.tenant_id and p.kind = d.kind and p.number = d.number - 1
    where d.tenant_id = ${tx.context.tenant}::uuid and d.document_id = ${documentId}::uuid and p.seller_name <> d.seller_name
      and not exists (select from accounting.seller s where s.tenant_id = d.tenant_id and s.name is not null)`);
  return row;
}
