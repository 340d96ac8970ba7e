import { money } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { announcement, event } from '../events.ts';
import type { Mode } from '../words.ts';

type Figures = {
  readonly mode: Mode;
  readonly currency: string;
  readonly captured: bigint;
  readonly before: string;
  readonly status: string;
};

/**
 * What an order has authorized, captured and given back: the sums of its payments. Whoever changes a payment of an order has locked the
 * order before, so nothing comes between.
 * @param now what a refund adds: how much of what it gives back an edit had left over, and by how much it lowers what is due
 */
export async function noteFigures(
  tx: TenantTransaction,
  orderId: string,
  { balance, credited }: { readonly balance: bigint; readonly credited: bigint } = { balance: 0n, credited: 0n },
): Promise<void> {
  const { tenant } = tx.context;
  const [row] = await tx.query<Figures>(sql`
    update orders.sales_order o set authorized = s.authorized, captured = s.captured, refunded = s.refunded,
      balance_refunded = o.balance_refunded + ${balance}::bigint, credited = o.credited + ${credited}::bigint
    from (select coalesce(sum(p.amount - p.captured - p.voided) filter (where p.state = 'authorized'), 0) as authorized,
        coalesce(sum(p.captured), 0) as captured, coalesce(sum(p.refunded), 0) as refunded
      from orders.payment p join orders.sales_order q on q.tenant_id = p.tenant_id and q.order_id = p.order_id and q.mode = p.mode
      where p.tenant_id = ${tenant}::uuid and p.order_id = ${orderId}::uuid) s,
      (select b.payment_status from orders.sales_order b where b.tenant_id = ${tenant}::uuid and b.order_id = ${orderId}::uuid) b
    where o.tenant_id = ${tenant}::uuid and o.order_id = ${orderId}::uuid
      and (o.authorized, o.captured, o.refunded, o.credited)
        is distinct from (s.authorized, s.captured, s.refunded, o.credited + ${credited}::bigint)
    returning o.mode, o.currency, o.captured, b.payment_status as before, o.payment_status as status`);
  if (row === undefined || row.status !== 'paid' || row.before === 'paid') return;
  const { mode, currency, captured } = row;
  tx.record(
    event('commerce.order.paid', {
      order_id: orderId,
      mode,
      currency,
      captured: money(BigInt(captured), currency).amount,
    }),
  );
  tx.publish(announcement('commerce.order.paid', { orderId, mode }, { subject: orderId }));
}
