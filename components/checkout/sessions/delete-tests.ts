import { sql, type TenantTransaction } from '@steward/sql';

export interface DeletedDrafts {
  readonly checkoutIds: readonly string[];
  readonly cartIds: readonly string[];
  /** Whether as many as allowed were deleted: there may be more. */
  readonly more: boolean;
  /** Whether any checkout of a test is left, however late it was made. */
  readonly left: boolean;
}

/**
 * Deletes checkouts and carts of tests, the first ones first, with what requests for them were answered. Of a checkout that is being paid at this
 * moment an order comes before, or none. Its uses of discounts and its stock are still to be given back.
 * @param which.before RFC 3339; only what was made before
 * @param which.last the first id of that time
 * @param which.limit checkouts, and carts, at most
 */
export async function deleteTestCheckouts(
  tx: TenantTransaction,
  { before, last, limit }: { readonly before: string | undefined; readonly last: string; readonly limit: number },
): Promise<DeletedDrafts> {
  const rows = await tx.query<{ o_kind: string; o_id: string }>(sql`
    select o_kind, o_id from checkout.delete_tests(${last}::uuid, ${before ?? 'infinity'}::timestamptz, ${limit}::int) order by 2`);
  const [left] = await tx.query(
    sql`select from checkout.session where tenant_id = ${tx.context.tenant}::uuid and mode = 'test' limit 1`,
  );
  const idsOf = (kind: string) => rows.filter((row) => row.o_kind === kind).map((row) => row.o_id);
  const [checkoutIds, cartIds] = [idsOf('session'), idsOf('cart')];
  return {
    checkoutIds,
    cartIds,
    more: checkoutIds.length === limit || cartIds.length === limit,
    left: left !== undefined,
  };
}
