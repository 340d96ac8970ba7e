import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';

/** Bytes of the files that are attached, without those that were removed. */
export async function attachedBytes(context: TenantContext): Promise<number> {
  const [row] = await context.require(readBooks).read<{ bytes: bigint }>(sql`
    select coalesce(sum(bytes), 0)::bigint as bytes from accounting.attachment
    where tenant_id = ${context.tenant}::uuid and removed_at is null`);
  return Number(row?.bytes ?? 0n);
}
