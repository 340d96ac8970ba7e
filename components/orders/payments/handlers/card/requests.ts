import type Stripe from 'stripe';
import type { PaymentQuestion, ProviderRequest, RequestOutcome } from '../handler.ts';
import { codeOf, faultOf } from './faults.ts';

type Asking = { readonly reference: string; readonly tenant: string } & PaymentQuestion;

const done = (reference?: string): RequestOutcome => ({
  kind: 'done',
  ...(reference === undefined ? {} : { reference }),
});
const refused = (reason: string): RequestOutcome => ({ kind: 'refused', reason });

/** An intent is captured once, by whom and of how much ever: the provider releases what is left of it by itself. */
export async function captureAt(stripe: Stripe, asking: Asking, request: ProviderRequest): Promise<RequestOutcome> {
  const intent = await afterwards(stripe, asking.reference, async () =>
    stripe.paymentIntents.capture(
      asking.reference,
      { amount_to_capture: Number(request.amount) },
      { idempotencyKey: request.id },
    ),
  );
  if (intent.status === 'succeeded')
    return { kind: 'done', reference: intent.id, amount: BigInt(intent.amount_received) };
  if (intent.status === 'canceled') return { kind: 'refused', reason: codeOf(intent.cancellation_reason, 'cancelled') };
  return { kind: 'unknown' };
}

/** Nothing of the payment stays with the merchant but what is captured here. */
export async function releaseAt(stripe: Stripe, asking: Asking, request: ProviderRequest): Promise<RequestOutcome> {
  const intent = await afterwards(stripe, asking.reference, async () =>
    stripe.paymentIntents.cancel(asking.reference, {}, { idempotencyKey: request.id }),
  );
  if (intent.status === 'canceled') return done(intent.id);
  if (intent.status !== 'succeeded') return { kind: 'unknown' };
  const surplus = BigInt(intent.amount_received) - asking.captured;
  return surplus > 0n ? refundAt(stripe, asking, { ...request, amount: surplus }) : done(intent.id);
}

/** The intent after something was asked of it: the provider refuses what it has done already, so then it says how it is. */
async function afterwards(
  stripe: Stripe,
  reference: string,
  ask: () => Promise<Stripe.PaymentIntent>,
): Promise<Stripe.PaymentIntent> {
  try {
    return await ask();
  } catch (error) {
    if (faultOf(error).kind === 'unknown') throw error;
    return stripe.paymentIntents.retrieve(reference);
  }
}

/**
 * Gives back. It is looked for first, as the provider forgets keys after a day; within the day the key lets no second one be made, also where the
 * first is still on its way.
 */
export async function refundAt(stripe: Stripe, asking: Asking, request: ProviderRequest): Promise<RequestOutcome> {
  const key = `refund-${request.id}`;
  if (request.attempt > 1) {
    const { data } = await stripe.refunds.list({ payment_intent: asking.reference, limit: 100 });
    const made = data.find(({ metadata }) => metadata?.['request_id'] === request.id);
    if (made !== undefined) return refundOutcome(made);
  }
  try {
    return refundOutcome(
      await stripe.refunds.create(
        {
          payment_intent: asking.reference,
          amount: Number(request.amount),
          metadata: { tenant_id: asking.tenant, request_id: request.id },
        },
        { idempotencyKey: key },
      ),
    );
  } catch (error) {
    const fault = faultOf(error);
    if (fault.kind === 'unknown') throw error;
    return refused(fault.code);
  }
}

/** One that is pending is on its way; what becomes of it is told later. */
export const refundOutcome = ({ id, status, failure_reason: reason }: Stripe.Refund): RequestOutcome =>
  status === 'failed' || status === 'canceled' ? refused(codeOf(reason, status)) : done(id);

/** What an event says of a refund; undefined while it is on its way. */
export function refundTold({
  id,
  status,
  failure_reason: reason,
}: Readonly<Record<string, unknown>>): RequestOutcome | undefined {
  if (status === 'failed' || status === 'canceled')
    return refused(codeOf(typeof reason === 'string' ? reason : undefined, status));
  return status === 'succeeded' ? done(typeof id === 'string' ? id : undefined) : undefined;
}
