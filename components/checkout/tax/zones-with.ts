import { sql, type TenantTransaction } from '@steward/sql';

/** Categories that zones in use list. */
export async function taxCategories(tx: TenantTransaction): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ category: string }>(sql`
    select distinct r ->> 'category' as category from checkout.tax_zone z cross join lateral jsonb_array_elements(z.rates) r
    where z.tenant_id = ${tx.context.tenant}::uuid and z.archived_at is null`);
  return new Set(rows.map(({ category }) => category));
}

/** Names of up to five zones in use that ask for the tax. */
export async function zonesTaxedBy(tx: TenantTransaction, taxId: string): Promise<readonly string[]> {
  const rows = await tx.query<{ name: string }>(sql`
    select z.name from checkout.tax_zone z
    where z.tenant_id = ${tx.context.tenant}::uuid and z.archived_at is null
      and z.rates @> jsonb_build_array(jsonb_build_object('taxId', ${taxId}::text))
    order by z.tax_zone_id limit 5`);
  return rows.map(({ name }) => name);
}
