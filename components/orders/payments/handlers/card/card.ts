import type { Log } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type Stripe from 'stripe';
import type { PaymentHandler, PaymentOutcome, PaymentQuestion } from '../handler.ts';
import type { CardAccounts, CardKeys } from './accounts.ts';
import type { CardClient } from './client.ts';
import { faultOf } from './faults.ts';
import { cardKind } from './kind.ts';
import { isOf, outcomeOf } from './outcome.ts';
import { captureAt, refundAt, releaseAt } from './requests.ts';
import { type CardToken, cardTokenOf, confirmationBy } from './token.ts';

interface CardPorts {
  readonly accounts: Pick<CardAccounts, 'keysOf'>;
  readonly client: CardClient;
  readonly log: Pick<Log, 'warn'>;
}

/** Of the intent: it takes a card. */
const open: readonly Stripe.PaymentIntent.Status[] = ['requires_payment_method', 'requires_confirmation'];
/** Until then it waits for a card, or for its issuer. */
const waiting: readonly Stripe.PaymentIntent.Status[] = [...open, 'requires_action'];

type Unknown = { readonly kind: 'unknown'; readonly retryAfter?: number };
const unknown: Unknown = { kind: 'unknown' };
/**
 * Cards by Stripe: a payment intent, which the buyer's page confirms with the client secret, and which is captured by a request of its own
 * (ADR 40). The secret is asked for when it is needed and stored nowhere, so an intent whose answer never came was never shown to anybody
 * and cannot be paid.
 */
export function createCard({ accounts, client, log }: CardPorts): PaymentHandler {
  /** Asks with the keys of the payment's account. What went wrong without saying anything of the payment is `unknown`. */
  const asking = async <T extends { readonly kind: string }>(
    question: PaymentQuestion,
    context: TenantContext,
    ask: (stripe: Stripe, keys: CardKeys) => Promise<T>,
    refused: (code: string) => T | Unknown,
  ): Promise<T | Unknown> => {
    const keys = await accounts.keysOf(context, question.connectionId, question.mode);
    const { tenant } = context;
    const told = { tenant, paymentId: question.paymentId };
    if (keys === undefined) {
      log.warn(told, 'payments: the account that a payment was begun with is not connected');
      return unknown;
    }
    try {
      return await ask(await client(keys.apiKey), keys);
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind === 'refused') return refused(fault.code);
      log.warn({ ...told, code: fault.code }, 'payments: the provider did not say what became of a payment');
      return fault.retryAfter === undefined ? unknown : { ...unknown, retryAfter: fault.retryAfter };
    }
  };
  const read = (intent: Stripe.PaymentIntent, question: PaymentQuestion, keys: CardKeys): PaymentOutcome => {
    if (isOf(intent, question)) return outcomeOf(intent, keys.publishableKey);
    log.warn({ paymentId: question.paymentId }, 'payments: the intent at the provider is not that of the payment');
    return unknown;
  };
  const intentOf = async (stripe: Stripe, question: PaymentQuestion, tenant: string): Promise<Stripe.PaymentIntent> =>
    question.reference === null
      ? stripe.paymentIntents.create(
          {
            amount: Number(question.amount),
            currency: question.currency.toLowerCase(),
            capture_method: 'manual',
            allowed_payment_method_types: ['card'],
            metadata: { tenant_id: tenant, checkout_id: question.checkoutId, payment_id: question.paymentId },
          },
          { idempotencyKey: question.paymentId },
        )
      : stripe.paymentIntents.retrieve(question.reference);
  const lookUp = async (question: PaymentQuestion, context: TenantContext): Promise<PaymentOutcome> =>
    asking(
      question,
      context,
      async (stripe, keys) => read(await intentOf(stripe, question, context.tenant), question, keys),
      (reason): PaymentOutcome => ({ kind: 'declined', reason }),
    );
  /** A card that is refused ends the payment: whoever brings the next begins another, and stock is anybody's until then. */
  const payBy = async (
    question: PaymentQuestion,
    token: CardToken,
    reference: string,
    context: TenantContext,
  ): Promise<PaymentOutcome> =>
    asking(
      question,
      context,
      async (stripe, keys): Promise<PaymentOutcome> => {
        const intent = await stripe.paymentIntents.retrieve(reference);
        if (!isOf(intent, question) || !open.includes(intent.status)) return read(intent, question, keys);
        try {
          const confirmed = await stripe.paymentIntents.confirm(
            reference,
            ...confirmationBy(token, question.paymentId),
          );
          return read(confirmed, question, keys);
        } catch (error) {
          const fault = faultOf(error);
          if (fault.kind !== 'refused') throw error;
          // Another card may have paid it meanwhile.
          const now = await stripe.paymentIntents.retrieve(reference);
          return open.includes(now.status) ? { kind: 'declined', reason: fault.code } : read(now, question, keys);
        }
      },
      () => unknown,
    );
  return {
    ...cardKind,
    // The same question by the same key: what is there is answered, what is not is made.
    authorize: lookUp,
    lookUp,
    confirm: async (question, given, context) => {
      const token = cardTokenOf(given);
      const { reference } = question;
      return token === undefined || reference === null
        ? lookUp(question, context)
        : payBy(question, token, reference, context);
    },
    secretsOf: async (question, context) => {
      const { reference } = question;
      if (reference === null) return undefined;
      const found = await asking(
        question,
        context,
        async (stripe, { publishableKey }) => ({
          kind: 'found' as const,
          intent: await stripe.paymentIntents.retrieve(reference),
          publishableKey,
        }),
        () => unknown,
      );
      if (found.kind === 'unknown') return undefined;
      const { intent, publishableKey } = found;
      if (!waiting.includes(intent.status) || !isOf(intent, question) || intent.client_secret === null)
        return undefined;
      const redirectUrl = intent.next_action?.redirect_to_url?.url ?? undefined;
      return {
        clientSecret: intent.client_secret,
        ...(publishableKey === undefined ? {} : { publishableKey }),
        ...(redirectUrl === undefined ? {} : { redirectUrl }),
      };
    },
    carryOut: async (question, request, context) => {
      const { reference } = question;
      // Nobody was ever shown it.
      if (reference === null) return { kind: 'done' };
      return asking(
        question,
        context,
        async (stripe) => {
          const whole = { ...question, reference, tenant: context.tenant };
          if (request.kind === 'capture') return captureAt(stripe, whole, request);
          return request.kind === 'void' ? releaseAt(stripe, whole, request) : refundAt(stripe, whole, request);
        },
        (reason) => ({ kind: 'refused', reason }),
      );
    },
  };
}
