import type { Log } from '@steward/kernel';
import type Stripe from 'stripe';
import { portalFail } from '../errors.ts';
import type { Charging } from './charging.ts';
import { presentDispute, presentSubscription, type Dispute, type Subscription } from './presented.ts';

/** Where a customer of the provider is sent back to. */
type ReturnTo = { readonly returnTo: string };

/** The payment provider that tenants pay the platform through. Every function asks it anew. @throws Problem `billing_unavailable` (503), `billing_refused` (502) */
export interface BillingProvider {
  readonly live: boolean;
  /** Makes a customer; asked again about the same tenant and `instead`, the same one. */
  createCustomer(about: {
    readonly tenant: string;
    readonly name: string;
    readonly instead: string | null;
  }): Promise<string>;
  /** Whether the customer is there; one of another account or mode is not. */
  hasCustomer(customer: string): Promise<boolean>;
  /** Opens a page to subscribe on, the only one of the customer; its address. */
  checkout(
    about: {
      readonly tenant: string;
      readonly customer: string;
      readonly tier: string;
      readonly price: string;
    } & ReturnTo,
  ): Promise<string>;
  /** Opens the page on which a customer changes or ends what it pays; its address. */
  customerPortal(about: { readonly customer: string } & ReturnTo): Promise<string>;
  /** All that are not over, or the newest that is. */
  subscriptions(customer: string, signal?: AbortSignal): Promise<readonly Subscription[]>;
  dispute(id: string, signal?: AbortSignal): Promise<Dispute>;
  /** Undefined where the charge is nobody's, or not there. */
  customerOfCharge(charge: string): Promise<string | undefined>;
}

const most = 100;

/** Stripe, through its own library, which is loaded when it is first needed. */
export function createStripe({ key, live, url }: Charging, log: Pick<Log, 'warn'>): BillingProvider {
  let loaded: Promise<Stripe> | undefined;
  const ask = async <T>(call: (stripe: Stripe) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    loaded ??= load(key, url);
    const stripe = await loaded;
    try {
      return await call(stripe);
    } catch (error) {
      throw translated(error, log);
    }
  };
  return {
    live,
    createCustomer: async ({ tenant, name, instead }) =>
      ask(async ({ customers }) => {
        const made = await customers.create(
          { name, metadata: { tenant } },
          { idempotencyKey: `steward-customer-${tenant}-${instead ?? 'first'}` },
        );
        return made.id;
      }),
    hasCustomer: async (customer) =>
      ask(async ({ customers }) => {
        const found = await unlessMissing(async () => customers.retrieve(customer));
        return found !== undefined && found.deleted !== true;
      }),
    checkout: async ({ tenant, customer, tier, price, returnTo }) =>
      ask(async ({ checkout: { sessions } }) => {
        const open = await sessions.list({ customer, status: 'open', limit: most });
        const isSame = ({ metadata, url: page }: Stripe.Checkout.Session): boolean =>
          page !== null && metadata?.['price'] === price && metadata['returnTo'] === returnTo;
        const same = open.data.find(isSame);
        // Two that are open could both be paid.
        for (const { id } of open.data) if (id !== same?.id) await sessions.expire(id);
        if (typeof same?.url === 'string') return same.url;
        const metadata = { tenant, tier, price, returnTo };
        const made = await sessions.create({
          mode: 'subscription',
          customer,
          client_reference_id: tenant,
          line_items: [{ price, quantity: 1 }],
          success_url: returnTo,
          cancel_url: returnTo,
          metadata,
          subscription_data: { metadata },
        });
        if (made.url === null) throw new Error('a checkout without an address');
        return made.url;
      }),
    customerPortal: async ({ customer, returnTo }) =>
      ask(async ({ billingPortal }) => (await billingPortal.sessions.create({ customer, return_url: returnTo })).url),
    subscriptions: async (customer, signal) => {
      const going = await ask(async ({ subscriptions }) => subscriptions.list({ customer, limit: most }), signal);
      const { data } =
        going.data.length > 0
          ? going
          : await ask(
              async ({ subscriptions }) => subscriptions.list({ customer, status: 'canceled', limit: 1 }),
              signal,
            );
      return Promise.all(
        data.map(async (one) => {
          if (!['past_due', 'unpaid'].includes(one.status)) return presentSubscription(one, []);
          const listed = await ask(
            async ({ invoices }) => invoices.list({ customer, subscription: one.id, status: 'open', limit: most }),
            signal,
          );
          return presentSubscription(one, listed.data);
        }),
      );
    },
    dispute: async (id, signal) =>
      ask(async ({ disputes }) => presentDispute(await disputes.retrieve(id, { expand: ['charge'] })), signal),
    customerOfCharge: async (charge) =>
      ask(async ({ charges }) => {
        const found = await unlessMissing(async () => charges.retrieve(charge));
        const customer = found?.customer;
        return typeof customer === 'string' ? customer : customer?.id;
      }),
  };
}

async function load(key: string, { hostname, port, protocol }: URL): Promise<Stripe> {
  const { default: Client } = await import('stripe');
  return new Client(key, {
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: 10_000,
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

interface ProviderFault {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly requestId?: unknown;
}

/** What the provider has; undefined where it says that there is none. */
async function unlessMissing<T>(retrieve: () => Promise<T>): Promise<T | undefined> {
  try {
    return await retrieve();
  } catch (error) {
    if ((error as ProviderFault | null)?.code === 'resource_missing') return undefined;
    throw error;
  }
}

/** What the provider says in words may hold what was sent, so no more than names and numbers of it are kept. */
function translated(error: unknown, log: Pick<Log, 'warn'>): Error {
  const { type, code, statusCode: status, requestId: request } = (error ?? {}) as ProviderFault;
  log.warn({ provider: 'stripe', type, code, status, request }, 'the billing provider did not do what it was asked');
  // 409: the same is under way.
  if (typeof status !== 'number' || status >= 500 || [408, 409, 429].includes(status))
    return portalFail('billing_unavailable', 'The billing provider does not answer. Try again in a minute.', {
      headers: { 'retry-after': '60' },
    });
  return portalFail(
    'billing_refused',
    `The billing provider refused this (${typeof code === 'string' && /^[a-z_]{1,60}$/.test(code) ? code : status}). Ask the operator: the log says more.`,
  );
}
