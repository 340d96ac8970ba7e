import { sql, type TenantTransaction } from '@steward/sql';

/** The next number of a series, taken in the transaction that uses it: undone with it, so there are no holes and no reuse. */
export async function nextNumber(tx: TenantTransaction, series: string): Promise<bigint> {
  const [row] = await tx.query<{ number: bigint }>(sql`select accounting.next_number(${series}) as number`);
  return row?.number ?? 0n;
}
