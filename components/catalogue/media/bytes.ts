import { sql, type TenantContext } from '@steward/sql';
import { readCatalogue } from '../permissions.ts';

/** Bytes of the pictures of products, in all their sizes. */
export async function mediaBytes(context: TenantContext): Promise<number> {
  const [row] = await context.require(readCatalogue).read<{ bytes: bigint }>(sql`
    select bytes from catalogue.pictured where tenant_id = ${context.tenant}::uuid`);
  return Number(row?.bytes ?? 0n);
}
