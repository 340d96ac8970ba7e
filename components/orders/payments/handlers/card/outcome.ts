import type Stripe from 'stripe';
import type { PaymentOutcome, PaymentQuestion } from '../handler.ts';
import { codeOf } from './faults.ts';

/** Whether an intent at the provider is the one of a payment, unchanged. */
export const isOf = (intent: Stripe.PaymentIntent, question: PaymentQuestion): boolean =>
  intent.metadata['payment_id'] === question.paymentId &&
  BigInt(intent.amount) === question.amount &&
  intent.currency.toUpperCase() === question.currency &&
  intent.livemode === (question.mode === 'live');

/**
 * What an intent says of its payment. A card that is refused ends nothing: the buyer may give another for the same intent.
 * @param publishableKey shown to the page of the buyer, which asks for the client secret by itself
 */
export function outcomeOf(intent: Stripe.PaymentIntent, publishableKey: string | undefined): PaymentOutcome {
  const reference = intent.id;
  switch (intent.status) {
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'requires_action':
      return {
        kind: 'requires_action',
        reference,
        action: { kind: 'stripe', ...(publishableKey === undefined ? {} : { publishableKey }) },
      };
    case 'requires_capture':
      return intent.amount_capturable === intent.amount ? { kind: 'authorized', reference } : { kind: 'unknown' };
    case 'succeeded':
      // Captured by somebody at the provider. Of a part nobody here can say what became of the rest.
      return intent.amount_received === intent.amount ? { kind: 'captured', reference } : { kind: 'unknown' };
    case 'canceled':
      return { kind: 'declined', reason: codeOf(intent.cancellation_reason, 'cancelled') };
    default:
      return { kind: 'unknown' };
  }
}
