import type { z } from 'zod';
import type { CartVerbs } from './cart/verbs.ts';
import type { CatalogueVerbs } from './catalogue/verbs.ts';
import type { CheckoutVerbs } from './checkout/verbs.ts';
import { type CapabilityName, names } from './negotiation/versions.ts';
import type { OrderVerbs } from './order/verbs.ts';
import { cartGiven, checkoutGiven, completeGiven, lookupGiven, productGiven, searchGiven } from './shown/given.ts';
import type { Outcome } from './shown/outcome.ts';
import type { Visit } from './visit.ts';

export interface Verbs {
  readonly checkout: CheckoutVerbs;
  readonly cart: CartVerbs;
  readonly order: OrderVerbs;
  readonly catalogue: CatalogueVerbs;
}

/** One thing that agents can ask for, over any transport. */
export interface Operation {
  /** Of the tool. */
  readonly name: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the address of the door. */
  readonly path: string;
  /** Without it among what both sides can, it is not there. */
  readonly capability: CapabilityName;
  /** The argument of the tool that has what REST sends as the body. */
  readonly payload: 'checkout' | 'cart' | 'catalog' | null;
  readonly given: z.ZodType | null;
  /** Who must send a key that makes a repetition safe: REST for every write of carts and checkouts, MCP for what cannot be undone. */
  readonly key: 'none' | 'rest' | 'always';
  /** Success of REST, for the document. */
  readonly made: boolean;
  run(verbs: Verbs, visit: Visit, id: string, given: unknown): Promise<Outcome>;
}

interface Shape<G> extends Omit<Operation, 'given' | 'run' | 'made' | 'payload' | 'key'> {
  readonly given?: z.ZodType<G>;
  readonly payload?: Operation['payload'];
  readonly key?: Operation['key'];
  readonly made?: boolean;
  run(verbs: Verbs, visit: Visit, id: string, given: G): Promise<Outcome>;
}

const operation = <G = undefined>({
  given,
  payload = null,
  key = 'none',
  made = false,
  ...rest
}: Shape<G>): Operation => ({ ...rest, given: given ?? null, payload, key, made }) as unknown as Operation;

export const operations: readonly Operation[] = [
  operation({
    name: 'create_checkout',
    summary: 'Begin a checkout of items, or of a cart',
    method: 'POST',
    path: '/checkout-sessions',
    capability: names.checkout,
    payload: 'checkout',
    given: checkoutGiven,
    key: 'rest',
    made: true,
    run: async ({ checkout }, visit, _id, given) => checkout.create(visit, given),
  }),
  operation({
    name: 'get_checkout',
    summary: 'A checkout as it is now',
    method: 'GET',
    path: '/checkout-sessions/:id',
    capability: names.checkout,
    run: async ({ checkout }, visit, id) => checkout.get(visit, id),
  }),
  operation({
    name: 'update_checkout',
    summary: 'Replace what a checkout says by what is sent',
    method: 'PUT',
    path: '/checkout-sessions/:id',
    capability: names.checkout,
    payload: 'checkout',
    given: checkoutGiven,
    key: 'rest',
    run: async ({ checkout }, visit, id, given) => checkout.update(visit, id, given),
  }),
  operation({
    name: 'complete_checkout',
    summary: 'Buy',
    method: 'POST',
    path: '/checkout-sessions/:id/complete',
    capability: names.checkout,
    payload: 'checkout',
    given: completeGiven,
    key: 'always',
    run: async ({ checkout }, visit, id, given) => checkout.complete(visit, id, given),
  }),
  operation({
    name: 'cancel_checkout',
    summary: 'End a checkout',
    method: 'POST',
    path: '/checkout-sessions/:id/cancel',
    capability: names.checkout,
    key: 'always',
    run: async ({ checkout }, visit, id) => checkout.cancel(visit, id),
  }),
  operation({
    name: 'create_cart',
    summary: 'Make a cart',
    method: 'POST',
    path: '/carts',
    capability: names.cart,
    payload: 'cart',
    given: cartGiven,
    key: 'rest',
    made: true,
    run: async ({ cart }, visit, _id, given) => cart.create(visit, given),
  }),
  operation({
    name: 'get_cart',
    summary: 'A cart at the prices of now',
    method: 'GET',
    path: '/carts/:id',
    capability: names.cart,
    run: async ({ cart }, visit, id) => cart.get(visit, id),
  }),
  operation({
    name: 'update_cart',
    summary: 'Replace what is in a cart by what is sent',
    method: 'PUT',
    path: '/carts/:id',
    capability: names.cart,
    payload: 'cart',
    given: cartGiven,
    key: 'rest',
    run: async ({ cart }, visit, id, given) => cart.update(visit, id, given),
  }),
  operation({
    name: 'cancel_cart',
    summary: 'End a cart',
    method: 'POST',
    path: '/carts/:id/cancel',
    capability: names.cart,
    key: 'always',
    run: async ({ cart }, visit, id) => cart.cancel(visit, id),
  }),
  operation({
    name: 'get_order',
    summary: 'An order that the agent placed, with what became of it',
    method: 'GET',
    path: '/orders/:id',
    capability: names.order,
    run: async ({ order }, visit, id) => order.get(visit, id),
  }),
  operation({
    name: 'search_catalog',
    summary: 'Products by words, categories and prices',
    method: 'POST',
    path: '/catalog/search',
    capability: names.search,
    payload: 'catalog',
    given: searchGiven,
    run: async ({ catalogue }, visit, _id, given) => catalogue.search(visit, given),
  }),
  operation({
    name: 'lookup_catalog',
    summary: 'Products by ids of theirs or of variants, by SKUs or handles',
    method: 'POST',
    path: '/catalog/lookup',
    capability: names.lookup,
    payload: 'catalog',
    given: lookupGiven,
    run: async ({ catalogue }, visit, _id, given) => catalogue.lookup(visit, given),
  }),
  operation({
    name: 'get_product',
    summary: 'One product, narrowed by options that were chosen',
    method: 'POST',
    path: '/catalog/product',
    capability: names.lookup,
    payload: 'catalog',
    given: productGiven,
    run: async ({ catalogue }, visit, _id, given) => catalogue.product(visit, given),
  }),
];
