import { errors as callbacksFail, stripe, type Item, type Projection, type Receiver } from '@steward/callbacks';
import { sql, type SqlPool } from '@steward/sql';
import type { Charging } from './charging.ts';
import { followDispute, followSubscription } from './follow.ts';
import type { MovePorts } from './move.ts';
import { customerIn, idOf, objectOf } from './object.ts';
import type { BillingProvider } from './provider.ts';

export interface ReceiverPorts extends MovePorts {
  readonly pool: Pick<SqlPool, 'read'>;
  readonly charging: Charging | undefined;
  readonly provider: BillingProvider | undefined;
}

const subscriptionTopics = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'invoice.overdue',
];
const disputeTopics = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
];

/** What the platform's own payment provider says of what tenants pay the platform. */
export function billingReceiver({ pool, charging, provider, ...ports }: ReceiverPorts): Receiver {
  const customerOf = async ({ topic, data }: Item): Promise<string | undefined> => {
    const object = objectOf(data);
    if (!disputeTopics.includes(topic)) return customerIn(object);
    // A dispute names only what was paid. Where the provider does not say whose that is, it sends the event again.
    const charge = idOf(object['charge']);
    return charge === undefined ? undefined : provider?.customerOfCharge(charge);
  };
  return {
    name: 'portal.card_payments',
    at: 'portal',
    path: '/webhooks/card_payments',
    summary: 'Platform billing and entitlements',
    adapters: [stripe],
    connectable: false,
    secrets: () =>
      charging === undefined
        ? []
        : charging.webhookSecrets.map((secret) => ({ secret, settings: {}, live: charging.live })),
    admit: ({ account, live }) => {
      if (account !== null)
        throw callbacksFail(
          'callback_refused',
          'The event is of a connected account. Here only events of the platform’s own account belong.',
        );
      if (live !== charging?.live)
        throw callbacksFail(
          'callback_refused',
          `The event is ${live === true ? 'live' : 'a test'}, and the configured key is of the other kind.`,
        );
    },
    tenantOf: async (item) => {
      const customer = await customerOf(item);
      if (customer === undefined || charging === undefined) return undefined;
      const [found] = await pool.read<{ tenant: string | null }>(
        sql`select portal.find_customer(${customer}, ${charging.live}::boolean) as tenant`,
      );
      return found?.tenant ?? undefined;
    },
    projections:
      provider === undefined
        ? []
        : [
            { topics: subscriptionTopics, projection: followSubscription({ ...ports, provider }) as Projection<never> },
            { topics: disputeTopics, projection: followDispute({ ...ports, provider }) as Projection<never> },
          ],
  };
}
