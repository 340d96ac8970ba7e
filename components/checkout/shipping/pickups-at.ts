import { sql, type TenantTransaction } from '@steward/sql';

/** Names of up to five ways of shipping in use by which buyers fetch goods at the location, in the order of their making. */
export async function pickupsAt(tx: TenantTransaction, locationId: string): Promise<readonly string[]> {
  const rows = await tx.query<{ name: string }>(sql`
    select o.name from checkout.shipping_option o
    left join checkout.shipping_zone z on z.tenant_id = o.tenant_id and z.shipping_zone_id = o.shipping_zone_id
    where o.tenant_id = ${tx.context.tenant}::uuid and o.location_id = ${locationId}::uuid and o.archived_at is null
      and z.archived_at is null
    order by o.shipping_option_id limit 5`);
  return rows.map(({ name }) => name);
}
