import {
  addLines,
  cancelCart,
  cart,
  cartGiven,
  codesGiven,
  createCart,
  getCart,
  linesGiven,
  quantitiesGiven,
  setCodes,
  setQuantities,
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

const params = z.strictObject({ cartId: z.uuid() });
const path = '/storefront/v1/carts/:cartId';
const one = { 200: { description: 'The cart, with `ETag` by version.', schema: cart } };

/** Carts of visitors. Each is reached with its own token alone, and only under the site that it was made on. */
export function cartRoutes(
  guard: Guard<SiteKey>,
  {
    tenancy,
    secret,
    addresses,
  }: { readonly tenancy: Tenancy; readonly secret: Uint8Array; readonly addresses: Pick<Addresses, 'commerce'> },
): Route[] {
  const visiting = (key: SiteKey, { id }: Request) => tenancy.systemContext(visitorOf(key, id));
  const shopOf = shopAt(addresses.commerce);
  const common = { does: 'for_anyone', tag: 'Storefront', guard } as const;
  const writing = {
    ...common,
    params,
    headers: { ...keyHeader, ...tokenHeader, ...writeHeaders, ...versionHeader },
    answers: one,
    errors: ['not_found', 'cart_closed', ...writeErrors],
  };
  return [
    route({
      ...common,
      method: 'POST',
      path: '/storefront/v1/carts',
      summary: 'Make a cart',
      description:
        'The answer has `token`, which opens the cart and is in no later answer: keep both, and send it as `X-Cart-Token`. ' +
        'Prices are those of the shop; none can be sent. `currency` is that of the organization where it is left out.',
      headers: { ...keyHeader, ...writeHeaders },
      body: cartGiven,
      answers: { 201: { description: 'The cart and its token.', schema: cart.extend({ token: z.string() }) } },
      errors: ['not_sold', 'idempotency_key_reused', 'cart_limit'],
      handle: async ({ guard: key, body, request }) => {
        const { repeatable } = askedOf(request, {
          operation: 'cart.create',
          of: key.keyId,
          mode: key.mode,
          body,
          makes: true,
        });
        const made = await createCart(visiting(key, request), shopOf(key), body, secret, repeatable);
        return answered(201, made.answer, made);
      },
    }),
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'A cart at the prices of this moment',
      params,
      headers: { ...keyHeader, ...tokenHeader },
      answers: one,
      errors: ['not_found'],
      handle: async ({ guard: key, params: { cartId }, request }) =>
        answered(200, await getCart(visiting(key, request), shopOf(key), holdingOf(request, cartId))),
    }),
    route({
      ...writing,
      method: 'POST',
      path: `${path}/lines`,
      summary: 'Add to a cart',
      description: 'A variant that is in the cart already gets more pieces.',
      body: z.strictObject({ lines: linesGiven.min(1) }),
      errors: [...writing.errors, 'not_sold', 'cart_limit'],
      handle: async ({ guard: key, params: { cartId }, body, request }) => {
        const asked = askedOf(request, { operation: 'cart.lines.add', of: cartId, mode: key.mode, body });
        const holding = holdingOf(request, cartId);
        const done = await addLines(visiting(key, request), shopOf(key), holding, body.lines, asked);
        return answered(200, done.answer, done);
      },
    }),
    route({
      ...writing,
      method: 'PATCH',
      path: `${path}/lines`,
      summary: 'Change how many pieces lines have',
      description: '0 removes a line. Lines that are not named stay as they are.',
      body: z.strictObject({ lines: quantitiesGiven }),
      errors: [...writing.errors, 'cart_limit'],
      handle: async ({ guard: key, params: { cartId }, body, request }) => {
        const asked = askedOf(request, { operation: 'cart.lines.set', of: cartId, mode: key.mode, body });
        const holding = holdingOf(request, cartId);
        const done = await setQuantities(visiting(key, request), shopOf(key), holding, body.lines, asked);
        return answered(200, done.answer, done);
      },
    }),
    route({
      ...writing,
      method: 'PUT',
      path: `${path}/codes`,
      summary: 'Set the discount codes of a cart',
      description:
        'All of them, in the order in which they count. A code that does nothing stays, and a message says why.',
      body: z.strictObject({ codes: codesGiven }),
      errors: [...writing.errors, 'cart_limit'],
      handle: async ({ guard: key, params: { cartId }, body, request }) => {
        const asked = askedOf(request, { operation: 'cart.codes', of: cartId, mode: key.mode, body });
        const holding = holdingOf(request, cartId);
        const done = await setCodes(visiting(key, request), shopOf(key), holding, body.codes, asked);
        return answered(200, done.answer, done);
      },
    }),
    route({
      ...writing,
      method: 'DELETE',
      path,
      summary: 'Cancel a cart',
      description: 'And its checkout, unless that is being paid: of a cancelled cart nothing is bought.',
      errors: [...writing.errors, 'payment_in_progress'],
      handle: async ({ guard: key, params: { cartId }, request }) => {
        const asked = askedOf(request, { operation: 'cart.cancel', of: cartId, mode: key.mode, body: null });
        const done = await cancelCart(visiting(key, request), shopOf(key), holdingOf(request, cartId), asked);
        return answered(200, done.answer, done);
      },
    }),
  ];
}
