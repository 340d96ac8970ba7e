import {
  cancelCheckout,
  checkout,
  checkoutChange,
  checkoutGiven,
  completeCheckout,
  completeGiven,
  confirmCheckout,
  getCheckout,
  openCheckout,
  paymentSecrets,
  type SessionDeps,
  updateCheckout,
} from '@steward/checkout';
import { type Guard, route, type Route } from '@steward/contract';
import type { Addresses, Request } from '@steward/kernel';
import type { Tenancy } from '@steward/sql';
import type { SiteKey } from '@steward/studio';
import { z } from 'zod';
import {
  answered,
  askedOf,
  holdingOf,
  shopAt,
  tokenHeader,
  versionHeader,
  writeErrors,
  writeHeaders,
} from './buyer.ts';
import { keyHeader } from './routes.ts';
import { visitorOf } from './visitor.ts';

const params = z.strictObject({ checkoutId: z.uuid() });
const path = '/storefront/v1/checkouts/:checkoutId';
const one = { 200: { description: 'The checkout, with `ETag` by version.', schema: checkout } };

/** Checkouts of visitors, from a cart or from lines to an order. Each is reached as its cart is. */
export function checkoutRoutes(
  guard: Guard<SiteKey>,
  {
    tenancy,
    sessions,
    addresses,
  }: { readonly tenancy: Tenancy; readonly sessions: SessionDeps; readonly addresses: Pick<Addresses, 'commerce'> },
): Route[] {
  const visiting = (key: SiteKey, { id }: Request) => tenancy.systemContext(visitorOf(key, id));
  const shopOf = shopAt(addresses.commerce);
  const common = { does: 'for_anyone', tag: 'Storefront', guard } as const;
  const writing = {
    ...common,
    params,
    headers: { ...keyHeader, ...tokenHeader, ...writeHeaders, ...versionHeader },
    answers: one,
    errors: ['not_found', 'checkout_closed', 'payment_in_progress', ...writeErrors],
  };
  return [
    route({
      ...common,
      method: 'POST',
      path: '/storefront/v1/checkouts',
      summary: 'Begin a checkout',
      description:
        'Of a cart, with its `X-Cart-Token`, which opens the checkout too; the same cart again answers the same checkout with what is in the ' +
        'cart now. Or of lines: then the answer has a `token`, which is in no later answer.',
      headers: { ...keyHeader, 'X-Cart-Token': 'The token of the cart, with `cartId`.', ...writeHeaders },
      body: checkoutGiven,
      answers: {
        200: { description: 'The checkout that the cart has already.', schema: checkout },
        201: { description: 'The checkout.', schema: checkout.extend({ token: z.string().optional() }) },
      },
      errors: ['not_found', 'not_sold', 'cart_closed', 'idempotency_key_reused', 'cart_limit'],
      handle: async ({ guard: key, body, request }) => {
        const { cartId } = body;
        const of = cartId ?? key.keyId;
        const { repeatable } = askedOf(request, {
          operation: 'checkout.open',
          of,
          mode: key.mode,
          body,
          makes: cartId === undefined,
        });
        const { token } = holdingOf(request, of);
        const done = await openCheckout(visiting(key, request), shopOf(key), body, token, sessions, repeatable);
        return answered(done.made ? 201 : 200, done.answer, done);
      },
    }),
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'A checkout at this moment',
      description: 'Prices, stock, taxes, shipping and discounts are read again. A completed checkout never changes.',
      params,
      headers: { ...keyHeader, ...tokenHeader },
      answers: one,
      errors: ['not_found'],
      handle: async ({ guard: key, params: { checkoutId }, request }) =>
        answered(200, await getCheckout(visiting(key, request), shopOf(key), holdingOf(request, checkoutId), sessions)),
    }),
    route({
      ...writing,
      method: 'PATCH',
      path,
      summary: 'Say more for a checkout',
      description: 'Members that are left out stay as they are; null clears. It is ready when `missing` is empty.',
      body: checkoutChange,
      errors: [...writing.errors, 'not_sold', 'cart_limit'],
      handle: async ({ guard: key, params: { checkoutId }, body, request }) => {
        const asked = askedOf(request, { operation: 'checkout.update', of: checkoutId, mode: key.mode, body });
        const holding = holdingOf(request, checkoutId);
        const done = await updateCheckout(visiting(key, request), shopOf(key), holding, body, sessions, asked);
        return answered(200, done.answer, done);
      },
    }),
    route({
      ...writing,
      method: 'POST',
      path: `${path}/complete`,
      summary: 'Buy',
      description:
        'Exactly once, however often it is asked for. The answer is `completed` with the `order`; `completing` with `payment.action`, the further step ' +
        'of the buyer; or `ready` again with the message `payment_declined`. Where anything is not as the buyer was shown, or not of the `total` that ' +
        'is sent, nothing is done: 409 `checkout_changed` has the checkout as it is now in `checkout`. Send `If-Match` too: another page of the buyer ' +
        'may have put other goods of the same price into it.',
      body: completeGiven,
      errors: [...writing.errors, 'checkout_changed', 'checkout_not_ready', 'payment_not_offered'],
      handle: async ({ guard: key, params: { checkoutId }, body, request }) => {
        const asked = askedOf(request, { operation: 'checkout.complete', of: checkoutId, mode: key.mode, body });
        const holding = holdingOf(request, checkoutId);
        const done = await completeCheckout(visiting(key, request), shopOf(key), holding, body, sessions, asked);
        return answered(200, done.answer, done);
      },
    }),
    route({
      ...writing,
      method: 'POST',
      path: `${path}/confirm`,
      summary: 'The further step of a payment was taken',
      description:
        'The body is what the handler of the payment wants, such as `{"outcome": "succeed"}` of the test handler.',
      body: z.record(z.string().max(100), z.unknown()),
      errors: [...writing.errors, 'checkout_not_ready', 'payment_state'],
      handle: async ({ guard: key, params: { checkoutId }, body, request }) => {
        const asked = askedOf(request, { operation: 'checkout.confirm', of: checkoutId, mode: key.mode, body });
        const holding = holdingOf(request, checkoutId);
        const done = await confirmCheckout(visiting(key, request), shopOf(key), holding, body, sessions, asked);
        return answered(200, done.answer, done);
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: `${path}/payment-secrets`,
      summary: 'What the page needs for the further step of a payment',
      description:
        'While `payment.status` is `requires_action`. Of the handler `card`: `clientSecret`, which the provider’s own library on the page confirms the ' +
        'payment with, and `publishableKey` where the shop has given it. It is asked of the provider each time and kept nowhere: neither keep nor log it.',
      params,
      headers: { ...keyHeader, ...tokenHeader },
      answers: { 200: { description: 'Texts by name.', schema: z.record(z.string(), z.string()) } },
      errors: ['not_found', 'payment_state'],
      handle: async ({ guard: key, params: { checkoutId }, request }) => ({
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: await paymentSecrets(visiting(key, request), shopOf(key), holdingOf(request, checkoutId), sessions),
      }),
    }),
    route({
      ...writing,
      method: 'POST',
      path: `${path}/cancel`,
      summary: 'Cancel a checkout',
      description: 'While no money is authorized.',
      handle: async ({ guard: key, params: { checkoutId }, request }) => {
        const asked = askedOf(request, { operation: 'checkout.cancel', of: checkoutId, mode: key.mode, body: null });
        const holding = holdingOf(request, checkoutId);
        const done = await cancelCheckout(visiting(key, request), shopOf(key), holding, sessions, asked);
        return answered(200, done.answer, done);
      },
    }),
  ];
}
