import { fail } from '@steward/kernel';
import { hash } from 'node:crypto';
import type Stripe from 'stripe';
import { z } from 'zod';

/** What stands for a card at Stripe: granted to the shop by the platform of an agent, or made with the shop's publishable key. */
const forms = /^(?:spt|pm|ctoken)_\w{1,250}$/;
export const isCardToken = (text: string): boolean => forms.test(text);

const given = z.object({
  token: z.string().regex(forms).optional(),
  returnUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
});

export interface CardToken {
  readonly token: string;
  /** Where the buyer comes back to from the issuer; without it, an issuer who wants to see the buyer refuses. */
  readonly returnUrl?: string | undefined;
}

/** Undefined: the buyer's page has confirmed the card by itself. @throws Problem `invalid_request` (400) for what is no token */
export function cardTokenOf(step: unknown): CardToken | undefined {
  const read = given.safeParse(step ?? {});
  if (read.success) return read.data.token === undefined ? undefined : { ...read.data, token: read.data.token };
  const detail = 'A token of Stripe begins with spt_, pm_ or ctoken_; returnUrl is an address.';
  throw fail('invalid_request', `/token: ${detail}`, {
    errors: [{ pointer: '/token', code: 'invalid_format', detail }],
  });
}

type Confirmation = Readonly<[Stripe.PaymentIntentConfirmParams, Stripe.RequestOptions]>;

/** The first version of the API that takes tokens of agents (https://docs.stripe.com/changelog/dahlia/2026-04-22/shared-payment-granted-token). */
const sharing = '2026-04-22.preview';

/** How an intent is confirmed by a token. The same token again is the same request to the provider. */
export function confirmationBy({ token, returnUrl }: CardToken, paymentId: string): Confirmation {
  const how = returnUrl === undefined ? { error_on_requires_action: true } : { return_url: returnUrl };
  const idempotencyKey = `${paymentId}.${hash('sha256', token).slice(0, 32)}`;
  if (token.startsWith('pm_')) return [{ ...how, payment_method: token }, { idempotencyKey }];
  if (token.startsWith('ctoken_')) return [{ ...how, confirmation_token: token }, { idempotencyKey }];
  // The SDK has no type for it yet.
  const shared = {
    shared_payment_granted_token: token,
  } as unknown as Stripe.PaymentIntentConfirmParams.PaymentMethodData;
  return [
    { ...how, payment_method_data: shared },
    { idempotencyKey, apiVersion: sharing },
  ];
}
