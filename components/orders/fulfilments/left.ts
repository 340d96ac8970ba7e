import { statement, type TenantTransaction } from '@steward/sql';

/**
 * Units of the line `l` that were paid back before they left, and leave no more. Units of a line are alike, so what is paid back is of those
 * that have left, as far as there are such then: the rest is by how much refunds were ahead of fulfilments at most.
 */
export const unsentOf = `(select greatest(coalesce(max(ahead), 0), 0) from (
    select sum(s.quantity) over (order by s.at, s.id rows unbounded preceding) as ahead from (
      select x.quantity, f.created_at as at, f.refund_id as id from orders.refund_line x
      join orders.refund f on f.tenant_id = x.tenant_id and f.refund_id = x.refund_id
      where x.tenant_id = l.tenant_id and x.order_id = l.order_id and x.line_id = l.line_id
      union all
      select -x.quantity, f.created_at, f.fulfilment_id from orders.fulfilment_line x
      join orders.fulfilment f on f.tenant_id = x.tenant_id and f.fulfilment_id = x.fulfilment_id
      where x.tenant_id = l.tenant_id and x.order_id = l.order_id and x.line_id = l.line_id) s) a)`;

/** How many units of each line are left to send. Whoever calls has locked the order. */
export async function leftToSend(
  tx: TenantTransaction,
  { id }: { readonly id: string },
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ line_id: string; left: number }>(
    statement(
      `select l.line_id, (l.quantity - l.fulfilled - ${unsentOf})::int as left from orders.line l
       where l.tenant_id = $1::uuid and l.order_id = $2::uuid`,
      [tx.context.tenant, id],
    ),
  );
  return new Map(rows.map(({ line_id: line, left }) => [line, left]));
}

/** Notes how many units of an order were paid back before they left: it is fulfilled without them. Whoever calls has locked it. */
export async function countUnsent(tx: TenantTransaction, { id }: { readonly id: string }): Promise<void> {
  await tx.query(
    statement(
      `update orders.sales_order set units_unsent = (
         select sum(${unsentOf}) from orders.line l where l.tenant_id = $1::uuid and l.order_id = $2::uuid)
       where tenant_id = $1::uuid and order_id = $2::uuid`,
      [tx.context.tenant, id],
    ),
  );
}

/** Whether nothing is left to send, so that nothing needs to be reserved. */
export const isAllSent = (left: ReadonlyMap<string, number>): boolean =>
  [...left.values()].every((units) => units <= 0);
