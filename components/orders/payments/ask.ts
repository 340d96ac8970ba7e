import { ordersFail } from '../errors.ts';
import type { PaymentOutcome, PaymentQuestion } from './handlers/handler.ts';
import { handlerNamed } from './handlers/handlers.ts';
import type { Payment } from './payment.ts';

const questionOf = ({ id, checkoutId, amount, currency, method, attempt }: Payment): PaymentQuestion => ({
  paymentId: id,
  checkoutId,
  amount,
  currency,
  method,
  attempt,
});

/** Whether its handler answers without leaving the process: it is asked inside the transaction then, and between two otherwise. */
export const answersLocally = ({ handler }: Pick<Payment, 'handler'>): boolean => handlerNamed(handler).local;

/** Asks for the money. `settlePayment` takes the answer. */
export const authorize = async (payment: Payment): Promise<PaymentOutcome> =>
  handlerNamed(payment.handler).authorize(questionOf(payment));

/** What became of a payment whose answer never came. `settlePayment` takes the answer. */
export const lookUp = async (payment: Payment): Promise<PaymentOutcome> =>
  handlerNamed(payment.handler).lookUp(questionOf(payment));

/**
 * The buyer's further step. `settlePayment` takes the answer.
 * @throws Problem `payment_state` (409) where none is awaited, `invalid_request` (400) where `given` is none
 */
export async function confirm(payment: Payment, given: unknown): Promise<PaymentOutcome> {
  const handler = handlerNamed(payment.handler);
  if (payment.state !== 'requires_action' || handler.confirm === undefined)
    throw ordersFail('payment_state', 'The payment awaits no further step of the buyer.');
  return handler.confirm(questionOf(payment), given);
}
