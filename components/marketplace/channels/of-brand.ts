import { sql, type TenantTransaction } from '@steward/sql';

/**
 * A shop elsewhere that is connected to a brand goes on selling whatever happens here, and its orders belong in the books:
 * how to end that, in a sentence. Undefined where the brand has none.
 */
export async function channelOf(tx: TenantTransaction, brandId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(sql`
    select name from marketplace.channel
    where tenant_id = ${tx.context.tenant}::uuid and brand_id = ${brandId}::uuid and status <> 'disconnected'
    order by created_at limit 1`);
  if (row === undefined) return undefined;
  return `The shop “${row.name}” sells under this brand. Disconnect it, or connect it once more with another brand.`;
}
