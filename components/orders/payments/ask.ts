import type { TenantContext } from '@steward/sql';
import { ordersFail } from '../errors.ts';
import type { PaymentHandler, PaymentOutcome, PaymentQuestion } from './handlers/handler.ts';
import { type Handlers, kindOf, ownHandlers } from './handlers/handlers.ts';
import type { Payment } from './payment.ts';

export const questionOf = (payment: Payment): PaymentQuestion => {
  const { id, checkoutId, mode, amount, currency, method, attempt, reference, connectionId, captured } = payment;
  return { paymentId: id, checkoutId, mode, amount, currency, method, attempt, reference, connectionId, captured };
};

/** Undefined where it is not configured any more: what became of its payments is not known then. */
const handlerOf = ({ handler }: Payment, handlers: Handlers): PaymentHandler | undefined => handlers.get(handler);
const unknown: PaymentOutcome = { kind: 'unknown' };

/** Whether its handler answers without leaving the process: it is asked inside the transaction then, and between two otherwise. */
export const answersLocally = ({ handler }: Pick<Payment, 'handler'>): boolean => kindOf(handler).local;

/** Asks for the money. `settlePayment` takes the answer. */
export const authorize = async (
  payment: Payment,
  context: TenantContext,
  handlers: Handlers = ownHandlers,
): Promise<PaymentOutcome> => handlerOf(payment, handlers)?.authorize(questionOf(payment), context) ?? unknown;

/** What became of a payment whose answer never came. `settlePayment` takes the answer. */
export const lookUp = async (
  payment: Payment,
  context: TenantContext,
  handlers: Handlers = ownHandlers,
): Promise<PaymentOutcome> => handlerOf(payment, handlers)?.lookUp(questionOf(payment), context) ?? unknown;

/**
 * The buyer's further step. `settlePayment` takes the answer.
 * @throws Problem `payment_state` (409) where none is awaited, `invalid_request` (400) where `given` is none
 */
export async function confirm(
  payment: Payment,
  given: unknown,
  context: TenantContext,
  handlers: Handlers = ownHandlers,
): Promise<PaymentOutcome> {
  const handler = handlerOf(payment, handlers);
  if (payment.state !== 'requires_action' || handler?.confirm === undefined) throw noStep();
  return handler.confirm(questionOf(payment), given, context);
}

/**
 * What the buyer's page needs for the further step. It is for whoever asked and is kept nowhere.
 * @throws Problem `payment_state` (409) where no step is awaited
 */
export async function secretsOf(
  payment: Payment,
  context: TenantContext,
  handlers: Handlers,
): Promise<Readonly<Record<string, string>>> {
  const handler = handlerOf(payment, handlers);
  const found =
    payment.state === 'requires_action' ? await handler?.secretsOf?.(questionOf(payment), context) : undefined;
  if (found === undefined) throw noStep();
  return found;
}

const noStep = (): Error => ordersFail('payment_state', 'The payment awaits no further step of the buyer.');
