import { sql, type TenantTransaction } from '@steward/sql';
import type { Order } from '../orders/order.ts';

interface Step {
  readonly line_id: string;
  readonly sent: boolean;
  readonly quantity: number;
}

/**
 * How many units of each line are left to send: what was paid back before it left is not sent any more. Units of a line are alike, so what is paid back is
 * of those that have left, as far as there are such. Whoever calls has locked the order.
 */
export async function leftToSend(
  tx: TenantTransaction,
  { id, lines }: Pick<Order, 'id' | 'lines'>,
): Promise<ReadonlyMap<string, number>> {
  const { tenant } = tx.context;
  const steps = await tx.query<Step & Record<string, unknown>>(sql`
    select s.line_id, s.sent, s.quantity from (
      select x.line_id, false as sent, x.quantity, f.created_at as at, f.refund_id as id from orders.refund f
      join orders.refund_line x on x.tenant_id = f.tenant_id and x.refund_id = f.refund_id
      where f.tenant_id = ${tenant}::uuid and f.order_id = ${id}::uuid
      union all
      select x.line_id, true, x.quantity, f.created_at, f.fulfilment_id from orders.fulfilment f
      join orders.fulfilment_line x on x.tenant_id = f.tenant_id and x.fulfilment_id = f.fulfilment_id
      where f.tenant_id = ${tenant}::uuid and f.order_id = ${id}::uuid) s
    order by s.at, s.id`);
  const byLine = Map.groupBy(steps, ({ line_id: line }) => line);
  return new Map(
    lines.map((line) => {
      let [left, kept] = [line.quantity, 0];
      for (const { sent, quantity } of byLine.get(line.id) ?? []) {
        const ofSent = sent ? 0 : Math.min(quantity, kept);
        kept += sent ? quantity : -ofSent;
        left -= quantity - ofSent;
      }
      return [line.id, left];
    }),
  );
}

/** Whether nothing is left to send, so that nothing needs to be reserved. */
export const isAllSent = (left: ReadonlyMap<string, number>): boolean =>
  [...left.values()].every((units) => units <= 0);
