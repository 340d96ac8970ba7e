import { statement, type TenantTransaction } from '@steward/sql';

interface Named {
  /** Of the product, with the variant's options. */
  readonly title: string;
  readonly sku: string | null;
}

/** What people call variants, by id; those that were taken off too: stock may still name them. */
export async function variantsNamed(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Named>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ variant_id: string; title: string; sku: string | null }>(
    statement(
      `select v.variant_id, v.sku, p.title || case when cardinality(v.option_values) = 0 then ''
         else ' (' || array_to_string(v.option_values, ', ') || ')' end as title
       from catalogue.variant v join catalogue.product p on p.tenant_id = v.tenant_id and p.product_id = v.product_id
       where v.tenant_id = $1::uuid and v.variant_id = any ($2::uuid[])`,
      [tx.context.tenant, ids],
    ),
  );
  return new Map(rows.map(({ variant_id: id, title, sku }) => [id, { title, sku }]));
}
