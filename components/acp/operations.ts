import type { z } from 'zod';
import type { CartVerbs } from './cart/verbs.ts';
import { type DelegateGiven, delegateGiven } from './payment-token/given.ts';
import type { OrderVerbs } from './order/verbs.ts';
import type { SessionVerbs } from './session/verbs.ts';
import { cancelGiven, cartCreateGiven, completeGiven, createGiven, updateGiven } from './shown/given.ts';
import type { Outcome } from './shown/outcome.ts';
import type { Visit } from './visit.ts';

export interface Verbs {
  readonly session: SessionVerbs;
  readonly cart: CartVerbs;
  readonly order: OrderVerbs;
  delegate(visit: Visit, given: DelegateGiven): Promise<Outcome>;
}

/** One thing that agents can ask for, over any transport. */
export interface Operation {
  /** Of the tool. */
  readonly name: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the address of the door. */
  readonly path: string;
  readonly given: z.ZodType | null;
  /** What is recorded of its writes; null: it records them itself. */
  readonly recorded: 'acp.cart.written' | 'acp.checkout.written' | null;
  /** Whether it is a tool, too: what carries a card is no argument for a model to see. */
  readonly tool: boolean;
  /** Success makes something. */
  readonly made: boolean;
  run(verbs: Verbs, visit: Visit, id: string, given: unknown): Promise<Outcome>;
}

interface Shape<G> extends Omit<Operation, 'given' | 'run' | 'made' | 'recorded' | 'tool'> {
  readonly given?: z.ZodType<G>;
  readonly made?: boolean;
  readonly recorded?: Operation['recorded'];
  readonly tool?: boolean;
  run(verbs: Verbs, visit: Visit, id: string, given: G): Promise<Outcome>;
}

const operation = <G = undefined>({
  given,
  made = false,
  recorded = 'acp.checkout.written',
  tool = true,
  ...rest
}: Shape<G>): Operation =>
  ({
    ...rest,
    given: given ?? null,
    made,
    recorded,
    tool,
  }) as unknown as Operation;

export const operations: readonly Operation[] = [
  operation({
    name: 'create_checkout_session',
    summary: 'Begin a checkout session',
    method: 'POST',
    path: '/checkout_sessions',
    given: createGiven,
    made: true,
    run: async ({ session }, visit, _id, given) => session.create(visit, given),
  }),
  operation({
    name: 'get_checkout_session',
    summary: 'A checkout session as it is now',
    method: 'GET',
    path: '/checkout_sessions/:id',
    run: async ({ session }, visit, id) => session.get(visit, id),
  }),
  operation({
    name: 'update_checkout_session',
    summary: 'Change what is sent of a checkout session',
    method: 'POST',
    path: '/checkout_sessions/:id',
    given: updateGiven,
    run: async ({ session }, visit, id, given) => session.update(visit, id, given),
  }),
  operation({
    name: 'complete_checkout_session',
    summary: 'Buy',
    method: 'POST',
    path: '/checkout_sessions/:id/complete',
    given: completeGiven,
    run: async ({ session }, visit, id, given) => session.complete(visit, id, given),
  }),
  operation({
    name: 'cancel_checkout_session',
    summary: 'End a checkout session',
    method: 'POST',
    path: '/checkout_sessions/:id/cancel',
    given: cancelGiven,
    run: async ({ session }, visit, id) => session.cancel(visit, id),
  }),
  operation({
    name: 'create_cart',
    recorded: 'acp.cart.written',
    summary: 'Make a cart',
    method: 'POST',
    path: '/carts',
    given: cartCreateGiven,
    made: true,
    run: async ({ cart }, visit, _id, given) => cart.create(visit, given),
  }),
  operation({
    name: 'get_cart',
    summary: 'A cart at the prices of now',
    method: 'GET',
    path: '/carts/:id',
    run: async ({ cart }, visit, id) => cart.get(visit, id),
  }),
  operation({
    name: 'update_cart',
    recorded: 'acp.cart.written',
    summary: 'Replace what is in a cart by what is sent',
    method: 'PUT',
    path: '/carts/:id',
    given: cartCreateGiven,
    run: async ({ cart }, visit, id, given) => cart.update(visit, id, given),
  }),
  operation({
    name: 'cancel_cart',
    recorded: 'acp.cart.written',
    summary: 'End a cart',
    method: 'POST',
    path: '/carts/:id/cancel',
    given: cancelGiven,
    run: async ({ cart }, visit, id) => cart.cancel(visit, id),
  }),
  operation({
    name: 'get_order',
    summary: 'An order that the agent placed, with what became of it',
    method: 'GET',
    path: '/orders/:id',
    run: async ({ order }, visit, id) => order.get(visit, id),
  }),
  operation({
    name: 'delegate_payment',
    summary: 'A token to pay with once, for tests',
    method: 'POST',
    path: '/agentic_commerce/delegate_payment',
    given: delegateGiven,
    made: true,
    recorded: null,
    tool: false,
    run: async ({ delegate }, visit, _id, given) => delegate(visit, given),
  }),
];
