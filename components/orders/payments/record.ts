import { operation } from '@steward/access';
import { periodDay, remark } from '@steward/contract';
import { fail, newId } from '@steward/kernel';
import { z } from 'zod';
import { minorOf, moneyGiven } from '../money.ts';
import { decides } from '../operations.ts';
import { byOrder } from '../orders/order.ts';
import { receive } from './capture.ts';
import { changedPayment, changePaymentOf } from './of-order.ts';
import { awaitRest } from './rest.ts';

/**
 * Notes that money arrived for an order that is paid by invoice, transfer or cash, also where its payment was given up before. A person approves it, as in the books: goods leave by what it
 * says, and nothing takes it back. More than is open is refused, so that nobody owes a buyer unseen.
 * @throws Problem `not_found` (404), `invalid_request` (400), `payment_state`, `amount_exceeds_open` (409)
 */
export const recordOrderPayment = operation(
  {
    ...decides,
    name: 'service_record_order_payment',
    input: z.strictObject({
      ...byOrder,
      amount: moneyGiven
        .optional()
        .meta({ description: 'What arrived; default: all that is open. At most that: give the rest back.' }),
      receivedOn: periodDay.optional().meta({
        description: 'The day on which it arrived, as the bank has it; default: today. The books have it on this day.',
      }),
      reference: remark(200).optional().meta({ description: 'As the bank shows it. No card number.' }),
    }),
    answer: changedPayment.extend({
      /** null: the day on which it is recorded. */
      receivedOn: z.iso.date().nullable(),
    }),
    errors: { not_found: null, payment_state: null, amount_exceeds_open: 'amount' },
  },
  async (scope, { orderId, amount, receivedOn, reference }) => {
    if (receivedOn !== undefined && receivedOn > latestDay()) throw notYet();
    return scope.write(async (tx) => {
      const changed = await changePaymentOf(tx, {
        orderId,
        states: ['awaiting'],
        none: 'The order awaits no money by other means: nothing is left to pay, or a provider or the marketplace takes it.',
        begin: async (id, payments) => awaitRest(tx, id, payments),
        change: async (payment) =>
          receive(tx, payment, {
            amount: amount === undefined ? undefined : minorOf(amount, payment.currency, '/amount'),
            source: { kind: 'member', id: newId() },
            reference,
            receivedOn,
          }),
      });
      return { ...changed, receivedOn: receivedOn ?? null };
    });
  },
);

/** Today, where the day begins first. */
const latestDay = (): string => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);

function notYet(): Error {
  const detail = 'This day is yet to come: record what has arrived.';
  return fail('invalid_request', detail, { errors: [{ pointer: '/receivedOn', code: 'in_future', detail }] });
}
