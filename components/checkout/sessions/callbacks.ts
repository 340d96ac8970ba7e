import { type Delivery, NeverApplies, type Projection, type Receiver, stripe } from '@steward/callbacks';
import { fail, isId } from '@steward/kernel';
import {
  cardReceiver,
  type CardSettings,
  type Payment,
  type PaymentOutcome,
  paymentOfCheckout,
  refundTold,
  settleRefund,
} from '@steward/orders';
import { serveBuyers } from '../permissions.ts';
import type { SessionDeps } from './deps.ts';
import { becameOf, goOn } from './pay.ts';

/** Of an intent: whichever it is and in whichever order they come, it is read anew. */
const intentTopics = [
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.succeeded',
];
/** What becomes of a refund that was on its way; both ends are final. */
const refundTopics = ['charge.refund.updated', 'refund.failed', 'refund.updated'];

type Members = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const objectOf = ({ data }: Pick<Delivery, 'data'>): Members => membersOf(membersOf(data['data'])['object']);
/** What this server wrote on it. */
const noted = (delivery: Pick<Delivery, 'data'>, name: string): string | undefined => {
  const value = membersOf(objectOf(delivery)['metadata'])[name];
  return typeof value === 'string' && isId(value) ? value : undefined;
};

interface Found {
  readonly payment: Payment;
  readonly outcome: PaymentOutcome | undefined;
}

/** A payment intent has moved: its checkout goes on, where it still waits for that. */
export const followIntent = (deps: SessionDeps): Projection<Found | undefined> => ({
  fetch: async (context, delivery) => {
    const [checkoutId, paymentId] = [noted(delivery, 'checkout_id'), noted(delivery, 'payment_id')];
    if (checkoutId === undefined || paymentId === undefined) return undefined;
    const payment = await paymentOfCheckout(context.require(serveBuyers), checkoutId);
    // Of another attempt, or of something else that the account is used for.
    if (payment?.id !== paymentId) return undefined;
    requireSameMode(delivery, payment);
    const outcome = await becameOf(context, payment, deps);
    if (outcome?.kind === 'unknown')
      throw fail('unavailable', 'The provider does not say what became of the payment: it is asked again.');
    return { payment, outcome };
  },
  apply: async (tx, _delivery, found) => {
    if (found === undefined) return [];
    const { payment, outcome } = found;
    const after = await goOn(tx, payment.checkoutId, { paymentId: payment.id, outcome }, deps);
    if (after === undefined) return [];
    return after.orderId === null ? [{ kind: 'checkout', id: after.id }] : [{ kind: 'order', id: after.orderId }];
  },
});

/** @throws NeverApplies */
function requireSameMode({ live }: Delivery, { mode }: Payment): void {
  if (live !== (mode === 'live'))
    throw new NeverApplies(`The event is ${live === true ? 'live' : 'a test'}, and the checkout is ${mode}.`);
}

/** A refund that was asked for was made, or failed after all. */
export const followRefund: Projection = {
  apply: async (tx, delivery) => {
    const requestId = noted(delivery, 'request_id');
    const object = objectOf(delivery);
    const reference = object['payment_intent'];
    const outcome = refundTold(object);
    if (requestId === undefined || typeof reference !== 'string' || outcome === undefined) return [];
    const paymentId = await settleRefund(tx, { requestId, reference, connectionId: delivery.connectionId }, outcome);
    return paymentId === undefined ? [] : [{ kind: 'payment of an order', id: paymentId }];
  },
};

/**
 * What the provider of card payments says of payments of shops. Of the deployment's account, whose an event is stands in what this server
 * wrote on the intent.
 */
export const cardPayments = (deps: SessionDeps, { account, webhookSecrets }: CardSettings): Receiver => ({
  name: cardReceiver,
  at: 'commerce',
  path: '/webhooks/card_payments',
  summary: 'Storefront checkout completion',
  adapters: [stripe],
  connectable: true,
  credentials: () => ({ apiKey: 'Secret or restricted key of the account: sk_… or rk_…' }),
  settings: () => ({
    publishableKey: 'Optional. Publishable key of the account, for pages of buyers that have not got it: pk_…',
  }),
  unfit: ({ live }, name, given) => {
    const mode = live ? 'live' : 'test';
    if (name === 'publishableKey' && !given.startsWith(`pk_${mode}_`))
      return `Pages of buyers are told it: give the publishable key, pk_${mode}_…, and never a secret one.`;
    if (name === 'apiKey' && !['sk', 'rk'].some((kind) => given.startsWith(`${kind}_${mode}_`)))
      return `The connection is for ${mode} payments: give a key sk_${mode}_… or rk_${mode}_….`;
    return undefined;
  },
  secrets: () =>
    account === undefined ? [] : webhookSecrets.map((secret) => ({ secret, settings: {}, live: account.live })),
  // Of an account that is connected to the deployment's its owner writes what is noted there.
  tenantOf: async (item) => (item.account === null ? noted(item, 'tenant_id') : undefined),
  projections: [
    { topics: intentTopics, projection: followIntent(deps) as Projection<never> },
    { topics: refundTopics, projection: followRefund as Projection<never> },
  ],
});
