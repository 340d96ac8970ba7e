import type { BuyerCheckout as Checkout } from '@steward/checkout';
import { Problem } from '@steward/kernel';
import { type Message, problem } from '../shown/message.ts';
import { Refused } from '../shown/outcome.ts';
import { unavailable } from './items.ts';

/** Why nothing was done, where it is no fault of the request: said in an answer that shows how things are. */
export interface Why {
  readonly messages: readonly Message[];
  /** The checkout as it is now, where the shop has said it. */
  readonly checkout?: Checkout;
  /** There is no such thing, or not for this agent: the same answer. */
  readonly gone?: true;
  /** It has ended. */
  readonly ended?: true;
  /** It lacks what its own messages say. */
  readonly unready?: true;
}

/** Undefined: it is a fault of the request, or of the server. */
export function whyOf(error: unknown, what: 'cart' | 'checkout' | 'order'): Why | undefined {
  if (error instanceof Refused) return { messages: error.messages };
  if (!(error instanceof Problem)) return undefined;
  switch (error.code) {
    case 'not_found':
      return { gone: true, messages: [notFound(what)] };
    case 'not_sold':
      return {
        messages: (error.errors ?? []).map(({ pointer }) => unavailable(Number(pointer.split('/')[2]))),
      };
    case 'checkout_closed':
    case 'cart_closed':
      return {
        ended: true,
        messages: [problem(`${what}_closed`, `The ${what} has ended and does not change any more: make a new one.`)],
      };
    case 'payment_in_progress':
      return { messages: [problem('payment_in_progress', error.detail)] };
    case 'checkout_changed':
      return {
        checkout: error.members?.['checkout'] as Checkout,
        messages: [changed()],
      };
    case 'checkout_not_ready':
      return { unready: true, messages: [] };
    case 'payment_attempts_spent':
      return { messages: [problem('payment_failed', error.detail, '$.payment', 'unrecoverable')] };
    case 'payment_not_offered':
      return { messages: [notPaid()] };
    default:
      return undefined;
  }
}

export const notFound = (what: string): Message =>
  problem('not_found', `There is no such ${what} for this agent.`, undefined, 'unrecoverable');

const changed = (): Message =>
  problem(
    'checkout_changed',
    'Nothing was bought: the checkout is not what was shown. Look at it, and complete it anew, under another Idempotency-Key.',
  );

export const notPaid = (): Message =>
  problem(
    'payment_failed',
    'Send exactly one instrument, of a handler of ucp.payment_handlers and a type of its available_instruments.',
    '$.payment.instruments',
  );
