import { type Row, statement, type Statement, type TenantTransaction } from '@steward/sql';

/** Which of these ids are collections in use of the tenant, whether they are published or not. */
export async function collectionsIn(tx: TenantTransaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ collection_id: string }>(
    statement(
      `select collection_id from catalogue.collection
       where tenant_id = $1::uuid and collection_id = any ($2::uuid[]) and archived_at is null`,
      [tx.context.tenant, ids],
    ),
  );
  return new Set(rows.map((row) => row.collection_id));
}

/** Which of these products are in which of these collections in use, for whoever reads the answer's rows by `collectedBy`. */
export const collected = (tenant: string, productIds: readonly string[], collectionIds: readonly string[]): Statement =>
  statement(
    `select m.product_id, array_agg(m.collection_id::text) as collection_ids
     from catalogue.collection_product m join catalogue.collection k on k.tenant_id = m.tenant_id and k.collection_id = m.collection_id
     where m.tenant_id = $1::uuid and m.product_id = any ($2::uuid[]) and m.collection_id = any ($3::uuid[]) and k.archived_at is null
     group by m.product_id`,
    [tenant, productIds, collectionIds],
  );

/** The collections of each product that is in any. */
export const collectedBy = (rows: readonly Row[]): ReadonlyMap<string, readonly string[]> =>
  new Map(rows.map((row) => [String(row['product_id']), row['collection_ids'] as readonly string[]]));
