import { sql, type TenantTransaction } from '@steward/sql';

/**
 * Hands all that one holder has reserved to another, without an end from now on: of a checkout to its order. Answers how many
 * reservations those were, of an item at a location each: 0 where nothing is tracked, and where it expired and went to somebody else. So
 * reserve without an end before anything is paid.
 */
export async function keep(
  tx: TenantTransaction,
  { holder, as }: { readonly holder: string; readonly as: string },
): Promise<number> {
  const [row] = await tx.query<{ kept: number }>(sql`select stock.keep(${holder}::uuid, ${as}::uuid) as kept`);
  return row?.kept ?? 0;
}
