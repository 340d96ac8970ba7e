import { errors as callbacksFail } from '@steward/callbacks';
import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { event } from '../events.ts';
import { portalFail } from '../errors.ts';
import { people, writes } from '../operations.ts';
import { manageBilling } from '../permissions.ts';
import { linkCustomer, selectAccount, type AccountRow } from './account.ts';
import type { MovePorts } from './move.ts';
import { offered } from './plans.ts';
import type { BillingProvider } from './provider.ts';

export interface CheckoutPorts extends MovePorts {
  readonly provider: BillingProvider | undefined;
  /** Where people come back to. */
  readonly returnTo: string;
}

const paying = { ...writes, ...people, requires: manageBilling } as const;
const answer = z.object({ url: z.url() });
const unavailable = ['provider_not_configured', 'billing_unavailable', 'billing_refused'];

/**
 * Opens a page of the provider on which a tier is subscribed to. Nothing changes before somebody pays there.
 * @throws Problem `invalid_request` (400) for a tier that is not sold, `already_subscribed` (409), `provider_not_configured` (503), and what the provider throws
 */
export const startCheckout = operation(
  {
    ...paying,
    input: z.strictObject({
      tier: z.string().max(40).meta({ description: 'One of those that `GET /api/billing` offers.' }),
    }),
    answer,
    errors: ['already_subscribed', ...unavailable],
  },
  async (scope, { tier }, ports: CheckoutPorts) => {
    const { plans, provider, returnTo } = ports;
    const asked = configured(provider);
    const sold = offered(plans);
    const price = sold.includes(tier) ? plans.tiers[tier]?.prices?.[0] : undefined;
    if (price === undefined)
      throw fail(
        'invalid_request',
        sold.length === 0 ? 'No tier is sold here.' : `Give a tier that is sold: ${sold.join(', ')}.`,
        {
          errors: [{ pointer: '/tier', code: 'not_sold', detail: 'This tier is not sold.' }],
        },
      );
    const [account] = await scope.read<AccountRow>(selectAccount);
    const isKnown = account?.live === asked.live && (await asked.hasCustomer(account.customer_id));
    if (isKnown && (account.standing === 'active' || account.standing === 'past_due'))
      throw portalFail(
        'already_subscribed',
        'Change, pay or end the subscription in the customer portal: POST /api/billing/portal.',
      );
    const { tenant } = scope.context;
    const customer = isKnown ? account.customer_id : await linkCustomer(scope, account, { ...ports, provider: asked });
    const url = await asked.checkout({ tenant, customer, tier, price, returnTo });
    await scope.write(async (tx) => void tx.record(event('portal.billing.checkout_started', { tier })));
    return { url };
  },
);

/**
 * Opens the page of the provider on which the owner pays, changes or ends the subscription.
 * @throws Problem `no_subscription` (409), `provider_not_configured` (503), and what the provider throws
 */
export const openCustomerPortal = operation(
  { ...paying, input: z.strictObject({}), answer, errors: ['no_subscription', ...unavailable] },
  async (scope, _input, { provider, returnTo }: CheckoutPorts) => {
    const asked = configured(provider);
    const [account] = await scope.read<AccountRow>(selectAccount);
    if (account === undefined || account.live !== asked.live)
      throw portalFail('no_subscription', 'Subscribe first: POST /api/billing/checkout.');
    const url = await asked.customerPortal({ customer: account.customer_id, returnTo });
    await scope.write(async (tx) => void tx.record(event('portal.billing.customer_portal_opened', {})));
    return { url };
  },
);

function configured(provider: BillingProvider | undefined): BillingProvider {
  if (provider === undefined)
    throw callbacksFail(
      'provider_not_configured',
      'Nobody is charged here: the operator has configured no billing provider.',
    );
  return provider;
}
