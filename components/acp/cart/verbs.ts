import { afresh, cancelCart, type Cart, createCart, getCart, replaceCart } from '@steward/checkout';
import { fail, Problem } from '@steward/kernel';
import { itemsOf } from '../session/items.ts';
import { showLines, showTotals } from '../session/lines.ts';
import { translated } from '../session/messages.ts';
import { compact, type State, stateOf } from '../session/state.ts';
import { holding, isLocale, repeatable, repeated } from '../session/verbs.ts';
import type { CartGiven } from '../shown/given.ts';
import type { Outcome } from '../shown/outcome.ts';
import type { Visit } from '../visit.ts';

export interface CartVerbs {
  create(visit: Visit, given: CartGiven): Promise<Outcome>;
  get(visit: Visit, id: string): Promise<Outcome>;
  update(visit: Visit, id: string, given: CartGiven): Promise<Outcome>;
  cancel(visit: Visit, id: string): Promise<Outcome>;
}

const gone = (): Error => fail('not_found', 'There is no such cart for this agent.');

/** The verbs of our cart, as the protocol calls and answers them: one that has ended is not there. */
export function cartVerbs(secret: Uint8Array): CartVerbs {
  async function wanted(visit: Visit, given: CartGiven, before: State) {
    const { lines, names, gone: missing } = await itemsOf(visit, given.line_items ?? given.items ?? []);
    const doorState = compact({
      buyer: given.buyer === undefined ? before.buyer : (given.buyer ?? undefined),
      names: Object.keys(names).length === 0 ? undefined : names,
      gone: missing.length === 0 ? undefined : missing,
    });
    return { lines, doorState };
  }
  async function open(visit: Visit, id: string): Promise<Cart> {
    const cart = await getCart(visit.context, visit.shop, holding(id));
    if (cart.status !== 'open') throw gone();
    return cart;
  }
  async function ofOpen<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof Problem && error.code === 'cart_closed' ? gone() : error;
    }
  }
  return {
    create: async (visit, given) => {
      const asked = repeatable(visit, 'cart.create', visit.shop.agentId);
      const before = await repeated<Cart>(visit, asked);
      if (before !== undefined) return { status: 201, body: show(before.answer), replayed: true };
      const { lines, doorState } = await wanted(visit, given, {});
      const locale = given.locale !== undefined && isLocale(given.locale) ? { locale: given.locale } : {};
      const next = { lines, ...locale };
      const made = await createCart(visit.context, visit.shop, next, secret, asked.repeatable, doorState);
      return { status: 201, body: show(made.answer), replayed: made.replayed };
    },
    get: async (visit, id) => ({ status: 200, body: show(await open(visit, id)) }),
    update: async (visit, id, given) =>
      ofOpen(async () => {
        const read = async (): Promise<Cart> => getCart(visit.context, visit.shop, holding(id));
        const cart = await read();
        const asked = repeatable(visit, 'cart.update', id);
        const before = await repeated<Cart>(visit, asked);
        if (before !== undefined) return { status: 200, body: show(before.answer), replayed: true };
        if (cart.status !== 'open') throw gone();
        const change = async (held: Cart) => {
          const { lines, doorState } = await wanted(visit, given, stateOf(held));
          const terms = { ...asked, doorState, version: held.version };
          return replaceCart(visit.context, visit.shop, holding(id), { lines, codes: [] }, terms);
        };
        const { answer, replayed } = await afresh(read, change, cart);
        return { status: 200, body: show(answer), replayed };
      }),
    cancel: async (visit, id) =>
      ofOpen(async () => {
        const asked = repeatable(visit, 'cart.cancel', id);
        const { answer, replayed } = await cancelCart(visit.context, visit.shop, holding(id), asked);
        return { status: 200, body: show(answer), replayed };
      }),
  };
}

function show(cart: Cart): Readonly<Record<string, unknown>> {
  const state = stateOf(cart);
  const messages = translated(cart, state);
  return {
    id: cart.id,
    line_items: showLines(cart, state.names),
    ...(state.buyer === undefined ? {} : { buyer: state.buyer }),
    currency: cart.currency.toLowerCase(),
    totals: showTotals(cart),
    ...(messages.length === 0 ? {} : { messages }),
    expires_at: cart.expiresAt,
  };
}
