import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { z } from 'zod';
import { decides } from '../operations.ts';
import { byOrder } from '../orders/order.ts';
import { changedPayment, changePaymentOf } from './of-order.ts';
import { givenUpBy, voidPayment } from './void.ts';

/**
 * Gives up what an order has authorized or awaits and has not captured: nothing more is taken by it. What the order comes to stays due: what arrives of it is
 * recorded (`recordOrderPayment`). What was captured stays, to be refunded.
 * @throws Problem `not_found` (404), `payment_state` (409)
 */
export const voidOrderPayment = operation(
  {
    ...decides,
    name: 'service_void_order_payment',
    input: z.strictObject(byOrder),
    answer: changedPayment,
    errors: ['not_found', 'payment_state'],
  },
  async (scope, { orderId }) =>
    scope.write(async (tx) =>
      changePaymentOf(tx, {
        orderId,
        states: ['awaiting', 'authorized'],
        none: 'Nothing of the order is open: what was captured is given back with service_refund_order.',
        change: async (payment) => voidPayment(tx, payment, { kind: givenUpBy, id: newId() }),
      }),
    ),
);
