import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { z } from 'zod';
import { minorOf, moneyGiven } from '../money.ts';
import { handles } from '../operations.ts';
import { byOrder } from '../orders/order.ts';
import { changedPayment, changePaymentOf } from './of-order.ts';
import { takeAuthorized } from './requests/ask.ts';

/**
 * Takes what the buyer has authorized, before the shop's setting would. A provider is asked for it after this, and does it once: it releases what
 * is left of the payment.
 * @throws Problem `not_found` (404), `invalid_request` (400), `payment_state`, `amount_exceeds_open` (409)
 */
export const captureOrderPayment = operation(
  {
    ...handles,
    name: 'service_capture_order_payment',
    input: z.strictObject({
      ...byOrder,
      amount: moneyGiven.optional().meta({ description: 'Default: all that is authorized.' }),
    }),
    answer: changedPayment,
    errors: { not_found: null, payment_state: null, amount_exceeds_open: 'amount' },
  },
  async (scope, { orderId, amount }) =>
    scope.write(async (tx) =>
      changePaymentOf(tx, {
        orderId,
        states: ['authorized'],
        none: 'Nothing of the order is authorized and not captured.',
        change: async (payment) =>
          takeAuthorized(tx, payment, {
            amount: amount === undefined ? undefined : minorOf(amount, payment.currency, '/amount'),
            source: { kind: 'member', id: newId() },
          }),
      }),
    ),
);
