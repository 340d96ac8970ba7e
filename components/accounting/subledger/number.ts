import { sql, type TenantTransaction } from '@steward/sql';

/** The next number of a series, taken in the transaction that uses it: undone with it, so there are no holes and no reuse. */
export async function nextNumber(tx: TenantTransaction, series: string): Promise<bigint> {
  const [row] = await tx.query<{ number: bigint }>(sql`
    insert into accounting.series as s (tenant_id, name, next) values (${tx.context.tenant}::uuid, ${series}, 2)
    on conflict (tenant_id, name) do update set next = s.next + 1 returning next - 1 as number`);
  return row?.number ?? 0n;
}
