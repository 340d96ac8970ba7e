import { sql, statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { within } from '@steward/tools';
import { cancelOrder } from '../../orders/cancel.ts';
import { holdOrder, type Order } from '../../orders/order.ts';
import { manageOrders } from '../../permissions.ts';
import type { OrdersPorts, PaperPorts } from '../../ports.ts';
import { lookAt } from '../pay-by.ts';
import { holdPaymentsOf, type Payment, paymentById } from '../payment.ts';

export type OverduePorts = Pick<OrdersPorts, 'releaseDiscounts'> & Pick<PaperPorts, 'mayBePaid'>;

/**
 * Cancels the order of a payment that did not come by its day, where nothing else of it was paid, sent or taken back, and no money may have come for it. Any other
 * is left to people, and looked at again a day later.
 * @returns whether it is cancelled by this
 */
export async function cancelOverdue(
  context: TenantContext,
  paymentId: string,
  { releaseDiscounts, mayBePaid }: OverduePorts,
): Promise<boolean> {
  return context.require(manageOrders).write(async (tx) => {
    const { orderId } = (await paymentById(tx, paymentId)) ?? {};
    if (orderId == null) return false;
    const held = await holdOrder(tx, orderId);
    const payments = await holdPaymentsOf(tx, held.id);
    if (
      !isUntouched(held) ||
      !(await areOverdue(tx, payments)) ||
      // As it is by now, in this transaction.
      (await mayBePaid(within(tx.context, tx), held))
    ) {
      await lookLater(tx, paymentId);
      return false;
    }
    await cancelOrder(within(tx.context, tx), { orderId: held.id, reason: 'payment' }, { releaseDiscounts });
    return true;
  });
}

/** Nothing of it was paid or promised, was sent and is not back, or need not be paid any more. */
const isUntouched = ({ status, paymentStatus, unitsFulfilled, unitsReturned, total, balanceDue }: Order): boolean =>
  status === 'open' &&
  paymentStatus === 'pending' &&
  unitsFulfilled === unitsReturned &&
  balanceDue.amount === total.amount;

/** Each that may still take money has had its day, whatever the job was told to look at. */
async function areOverdue(tx: TenantTransaction, payments: readonly Payment[]): Promise<boolean> {
  const open = payments.filter(({ state }) => state !== 'voided');
  if (open.some(({ state, payBy }) => state !== 'awaiting' || payBy === null)) return false;
  const [early] = await tx.query(
    statement(
      `select from orders.payment where tenant_id = $1::uuid and payment_id = any ($2::uuid[])
         and greatest(look_at, ${lookAt('pay_by')}) > clock_timestamp() limit 1`,
      [tx.context.tenant, open.map(({ id }) => id)],
    ),
  );
  return early === undefined && open.length > 0;
}

/** Looks at it again a day later, so that others are looked at meanwhile. */
export const postpone = async (context: TenantContext, paymentId: string): Promise<unknown> =>
  context.require(manageOrders).write(async (tx) => lookLater(tx, paymentId));

const lookLater = async (tx: TenantTransaction, paymentId: string): Promise<unknown> =>
  tx.query(sql`
    update orders.payment set look_at = clock_timestamp() + interval '1 day'
    where tenant_id = ${tx.context.tenant}::uuid and payment_id = ${paymentId}::uuid and look_at <= clock_timestamp()`);
