import { asItWas, operation } from '@steward/access';
import { happened, statement } from '@steward/sql';
import { release } from '@steward/stock';
import { z } from 'zod';
import { ordersFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { manages } from '../operations.ts';
import { voidPayments } from '../payments/attach.ts';
import { holdPaymentsOf } from '../payments/payment.ts';
import type { OrdersPorts } from '../ports.ts';
import { cancelReasons } from '../words.ts';
import { byOrder, holdOrder, order, orderIn } from './order.ts';

/**
 * Cancels an order of which nothing has left, or all that had left is back: its stock is free again, its discounts can be used again, what it owes is void. It gives no money back: an order that is paid, or being paid, is
 * refunded first, which a person approves, so that money leaves in one way alone.
 * @throws Problem `not_found` (404), `order_fulfilled`, `order_paid` (409)
 */
export const cancelOrder = operation(
  {
    ...manages,
    name: 'service_cancel_order',
    input: z.strictObject({
      ...byOrder,
      reason: z.enum(cancelReasons).meta({ description: 'Why; buyers do not see it.' }),
    }),
    answer: order.answer,
    errors: ['not_found', 'order_fulfilled', 'order_paid'],
  },
  async (scope, { orderId, reason }, { releaseDiscounts }: Pick<OrdersPorts, 'releaseDiscounts'>) =>
    scope.write(async (tx) => {
      const held = await holdOrder(tx, orderId);
      if (held.status === 'cancelled') return asItWas(held);
      if (held.unitsFulfilled > held.unitsReturned)
        throw ordersFail(
          'order_fulfilled',
          'Something of the order has left: record what comes back as a return, and cancel the order once all of it is back.',
        );
      if (held.captured.amount !== held.refunded.amount)
        throw ordersFail('order_paid', 'The order is paid: refund it first, then cancel it.');
      if ((await holdPaymentsOf(tx, orderId)).some(({ capturing }) => capturing > 0n))
        throw ordersFail(
          'order_paid',
          'The order is being paid: its provider is asked to capture. Read its payments again in a moment, and refund what was captured first.',
        );
      await release(tx, { holder: orderId });
      await releaseDiscounts(tx, held.checkoutId);
      await voidPayments(tx, orderId);
      await tx.query(
        statement(
          `update orders.sales_order set cancelled_at = ${happened}, cancel_reason = $3
           where tenant_id = $1::uuid and order_id = $2::uuid`,
          [tx.context.tenant, orderId, reason],
        ),
      );
      const { mode } = held;
      tx.record(event('commerce.order.cancelled', { order_id: orderId, mode, reason }));
      tx.publish(announcement('commerce.order.cancelled', { orderId, mode }, { subject: orderId }));
      return (await orderIn(tx, orderId)) ?? held;
    }),
);
