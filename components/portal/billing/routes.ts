import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import { html, pageHeaders, pageText, type Scope } from '@steward/kernel';
import type { MemberGuard } from '../door.ts';
import { openCustomerPortal, startCheckout, type CheckoutPorts } from './checkout.ts';

export function billingRoutes(ports: CheckoutPorts, guard: MemberGuard): Route[] {
  const rest = restOf({ guard, tag: 'Billing', ports });
  return [
    rest('POST', '/api/billing/checkout', startCheckout, {
      summary: 'Start to subscribe to a billing tier',
      description:
        'For owners. The tier changes once the provider reports the payment. If a checkout of the same tier is open, the answer is that one.',
      answers: { 201: 'The address of the provider’s page to pay on.' },
    }),
    rest('POST', '/api/billing/portal', openCustomerPortal, {
      summary: 'Open the customer portal of the billing provider',
      description: 'For owners, to pay, change or end the subscription, and to read its invoices.',
      answers: { 201: 'The address of the provider’s page, valid for minutes.' },
    }),
  ];
}

/** Under the portal: where the provider sends people back to. It asks nothing and knows nobody, so what it says is true of everybody. */
export const billingPath = '/billing';

const page = pageText(
  'Billing',
  html`<h1>Billing</h1>
    <p>What you did at the payment provider counts as soon as the provider reports it, as a rule within seconds.</p>
    <p>You can close this page.</p>`,
);

export const billingPage = (scope: Scope): void =>
  void scope.get(billingPath, async (_request, reply) => reply.headers(pageHeaders).send(page));
