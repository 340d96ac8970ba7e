import { sql, type TenantTransaction } from '@steward/sql';
import { announcement, event } from '../events.ts';
import { eraseLetters } from '../letters/erase.ts';

export interface DeletedTests {
  readonly orderIds: readonly string[];
  /** What the orders were placed by. */
  readonly checkoutIds: readonly string[];
  /** The number of those that no order came of. */
  readonly payments: number;
  /** Whether as many as allowed were deleted: there may be more. */
  readonly more: boolean;
  /** Whether any order of a test is left, however late it was made. */
  readonly left: boolean;
}

/**
 * Deletes orders of tests, the first ones first, with lines, payments, fulfilments, returns, refunds and letters; and payments of tests that no
 * order came of. Numbers go on where they were. The caller must have checked that this person may ask for it, and must have deleted the checkouts
 * before in this transaction.
 * @param which.last an id: only what was made before it
 * @param which.limit orders, and payments without one, at most
 * @param which.alone whether payments without an order go too
 */
export async function deleteTestOrders(
  tx: TenantTransaction,
  { last, limit, alone }: { readonly last: string; readonly limit: number; readonly alone: boolean },
): Promise<DeletedTests> {
  const { tenant } = tx.context;
  const orders = await tx.query<{ order_id: string; checkout_id: string }>(sql`
    select order_id, checkout_id from orders.sales_order
    where tenant_id = ${tenant}::uuid and mode = 'test' and order_id < ${last}::uuid order by number limit ${limit}::int for no key update`);
  const payments = alone
    ? await tx.query<{ payment_id: string }>(sql`
        select payment_id from orders.payment
        where tenant_id = ${tenant}::uuid and mode = 'test' and order_id is null and payment_id < ${last}::uuid
        order by payment_id limit ${limit}::int for no key update`)
    : [];
  const ids = orders.map(({ order_id: id }) => id);
  const paymentIds = payments.map(({ payment_id: id }) => id);
  await eraseLetters(tx, ids);
  const gone = await tx.query<{ o_order: string }>(
    sql`select o_order from orders.delete_tests(${ids}::uuid[], ${paymentIds}::uuid[]) order by 1`,
  );
  const orderIds = gone.map(({ o_order: id }) => id);
  if (ids.length + paymentIds.length > 0) {
    const causationId = tx.record(
      event('commerce.order.tests_deleted', { order_ids: orderIds, payments: paymentIds.length }),
    );
    tx.publish(announcement('commerce.order.tests_deleted', { orderIds }, { causationId }));
  }
  const [left] = await tx.query(
    sql`select from orders.sales_order where tenant_id = ${tenant}::uuid and mode = 'test' limit 1`,
  );
  return {
    orderIds,
    checkoutIds: orders.map(({ checkout_id: id }) => id),
    payments: paymentIds.length,
    more: ids.length === limit || paymentIds.length === limit,
    left: left !== undefined,
  };
}
