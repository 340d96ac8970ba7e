import { sql, type TenantContext } from '@steward/sql';
import { readSubmissions } from '../permissions.ts';

/** How many submissions are kept. */
export async function countSubmissions(context: TenantContext): Promise<number> {
  const [row] = await context.require(readSubmissions).read<{ kept: bigint }>(sql`
    select count(*) as kept from commerce.submission where tenant_id = ${context.tenant}::uuid`);
  return Number(row?.kept ?? 0n);
}
