import { statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';

/**
 * What a product says, with its variants, prices and pictures, as the digest in its events: `tenant_id`, `key` and `digest`. Verification makes the same
 * from the rows, without any function of the database.
 */
export const productContents = `select p.tenant_id, p.product_id as key, ${digestOf(`'product/v1', p.handle, p.title, p.description, p.vendor,
    p.product_type, p.tags, p.status, p.tax_category, p.options, p.custom, (
      select jsonb_agg(jsonb_build_array(v.variant_id, v.position, v.option_values, v.sku, v.barcode, v.weight_grams, v.requires_shipping, (
        select jsonb_agg(jsonb_build_array(c.currency, c.min_quantity, c.amount, c.compare_at) order by c.currency, c.min_quantity)
        from catalogue.price c where c.tenant_id = v.tenant_id and c.variant_id = v.variant_id)) order by v.variant_id)
      from catalogue.variant v where v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.removed_at is null), (
      select jsonb_agg(jsonb_build_array(m.medium_id, m.position, m.alt, m.variant_ids, m.digest, m.source, m.failure) order by m.medium_id)
      from catalogue.medium m where m.tenant_id = p.tenant_id and m.product_id = p.product_id)`)} as digest
  from catalogue.product p`;

/** The digests of products, in the transaction that wrote them: for their events. */
export async function contentsOf(tx: TenantTransaction, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ key: string; digest: string }>(
    statement(
      `select key, digest from (${productContents}) c where c.tenant_id = $1::uuid and c.key = any ($2::uuid[])`,
      [tx.context.tenant, ids],
    ),
  );
  return new Map(rows.map(({ key, digest }) => [key, digest]));
}

/** What is, or is to be, the logo of a brand: likewise. */
export const logoContents = `select m.tenant_id, m.medium_id as key, ${digestOf(`'brand_logo/v1', m.brand_id, m.position, m.alt, m.variant_ids,
    m.digest, m.source, m.failure`)} as digest
  from catalogue.medium m where m.brand_id is not null`;

export async function logoContentsOf(tx: TenantTransaction, mediumId: string): Promise<string> {
  const [row] = await tx.query<{ digest: string }>(
    statement(`select digest from (${logoContents}) c where c.tenant_id = $1::uuid and c.key = $2::uuid`, [
      tx.context.tenant,
      mediumId,
    ]),
  );
  return row?.digest ?? '';
}
