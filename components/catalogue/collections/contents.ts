import { statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';

/** What a collection says, as the digest in its events: of one by hand with its products, of one by rules with the rules. */
export const collectionContents = `select k.tenant_id, k.collection_id as key, ${digestOf(`'collection/v1', k.handle, k.title, k.description,
    k.match, k.rules, k.brand_ids, case when k.rules is null then (
      select jsonb_agg(m.product_id order by m.position) from catalogue.collection_product m
      where m.tenant_id = k.tenant_id and m.collection_id = k.collection_id) end`)} as digest
  from catalogue.collection k`;

/** The digest of a collection, in the transaction that wrote it: for its event. */
export async function collectionDigest(tx: TenantTransaction, collectionId: string): Promise<string> {
  const [row] = await tx.query<{ digest: string }>(
    statement(`select digest from (${collectionContents}) c where c.tenant_id = $1::uuid and c.key = $2::uuid`, [
      tx.context.tenant,
      collectionId,
    ]),
  );
  if (row === undefined) throw new Error('the collection was written');
  return row.digest;
}
