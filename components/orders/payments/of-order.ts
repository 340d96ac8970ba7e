import { type Fixed, moneyShape } from '@steward/contract';
import { money } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { ordersFail } from '../errors.ts';
import { noOrder } from '../orders/order.ts';
import { noteFigures } from './figures.ts';
import { holdPaymentsOf, openOf, payment, type Payment, selectShown } from './payment.ts';

/** A payment that was changed, of which order, and by how much. */
export const changedPayment = z.object({ orderNumber: z.string(), moved: moneyShape, payment: payment.answer });
export type ChangedPayment = Fixed<z.output<typeof changedPayment>>;

interface Changing {
  readonly orderId: string;
  readonly states: readonly Payment['state'][];
  /** Where the order has no such payment. */
  readonly none: string;
  /** Begins one where the order has none; undefined: it may not have one. */
  readonly begin?: (orderId: string, payments: readonly Payment[]) => Promise<Payment | undefined>;
  change(payment: Payment): Promise<Payment>;
}

/**
 * Changes the payment of an order that is in a state and open, under the lock of the order, and its figures with it.
 * @throws Problem `not_found` (404), `payment_state` (409)
 */
export async function changePaymentOf(
  tx: TenantTransaction,
  { orderId, states, none, begin, change }: Changing,
): Promise<ChangedPayment> {
  const { tenant } = tx.context;
  const [order] = await tx.query<{ number: string }>(sql`
    select case o.mode when 'test' then 'TEST-' else '' end || o.number as number from orders.sales_order o
    where o.tenant_id = ${tenant}::uuid and o.order_id = ${orderId}::uuid for no key update`);
  if (order === undefined) throw noOrder();
  const payments = await holdPaymentsOf(tx, orderId);
  const found =
    payments.find((one) => states.includes(one.state) && openOf(one) > 0n) ?? (await begin?.(orderId, payments));
  if (found === undefined) throw ordersFail('payment_state', none);
  const moved = openOf(found) - openOf(await change(found));
  await noteFigures(tx, orderId);
  const [row] = await tx.query(selectShown('p.payment_id = $2::uuid', tenant, found.id));
  return { orderNumber: order.number, moved: money(moved, found.currency), payment: payment.read(row ?? {}) };
}
