import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';

/** Bytes of the files that are attached, without those that were removed. */
export async function attachedBytes(context: TenantContext): Promise<number> {
  const [row] = await context.require(readBooks).read<{ bytes: bigint }>(sql`
    select bytes from accounting.attached where tenant_id = ${context.tenant}::uuid`);
  return Number(row?.bytes ?? 0n);
}
