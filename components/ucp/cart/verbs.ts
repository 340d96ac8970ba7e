import { afresh, cancelCart, type Cart, createCart, getCart, replaceCart } from '@steward/checkout';
import { isId } from '@steward/kernel';
import { showConsent } from '../checkout/buyer.ts';
import { faultsOfBuyer } from '../checkout/buyer.ts';
import { inSomeCurrency } from '../checkout/currency.ts';
import { allOf, itemsOf, someOf, tellLeftOut } from '../checkout/items.ts';
import { showApplied, showLines, showTotals } from '../checkout/lines.ts';
import { claimsLeft, codesLeft, translated } from '../checkout/messages.ts';
import { notFound, whyOf } from '../checkout/refusals.ts';
import { type State, stateOf } from '../checkout/state.ts';
import { final, holding, ofItems, repeatable, repeated } from '../checkout/verbs.ts';
import { wantedOf } from '../checkout/wanted.ts';
import { names } from '../negotiation/versions.ts';
import type { CartGiven } from '../shown/given.ts';
import type { Message } from '../shown/message.ts';
import { envelope, nothing, type Outcome } from '../shown/outcome.ts';
import type { Visit } from '../visit.ts';

export interface CartVerbs {
  create(visit: Visit, given: CartGiven): Promise<Outcome>;
  get(visit: Visit, id: string): Promise<Outcome>;
  update(visit: Visit, id: string, given: CartGiven): Promise<Outcome>;
  cancel(visit: Visit, id: string): Promise<Outcome>;
}

const gone = new Set<Cart['status']>(['cancelled', 'expired', 'converted']);

/** The verbs of our cart, as the protocol calls and answers them. */
export function cartVerbs(secret: Uint8Array): CartVerbs {
  async function answering(visit: Visit, id: string | undefined, work: () => Promise<Outcome>): Promise<Outcome> {
    const none = (): Outcome => nothing(visit.version, [notFound('cart')]);
    if (id !== undefined && !isId(id)) return none();
    try {
      return await work();
    } catch (error) {
      const why = whyOf(error, 'cart');
      if (why === undefined) throw error;
      if (why.ended || why.gone) return none();
      if (id === undefined) return nothing(visit.version, why.messages.map(final));
      const cart = await getCart(visit.context, visit.shop, holding(id));
      return gone.has(cart.status) ? none() : { status: 200, body: show(visit, cart, why.messages) };
    }
  }
  const wanted = async (
    visit: Visit,
    { line_items, buyer, context, discounts, attribution }: CartGiven,
    before: State = {},
  ) => {
    // Carts have no more: what else is sent was read by nobody.
    const said = { buyer, context, discounts, attribution };
    const { codes, locale, state } = wantedOf(visit, said, { before, optionId: () => undefined });
    return { items: await itemsOf(visit, line_items), codes, state, locale };
  };
  return {
    create: async (visit, given) =>
      answering(visit, undefined, async () => {
        const asked = repeatable(visit, 'cart.create', visit.shop.agentId);
        const before = await repeated<Cart>(visit, asked);
        if (before !== undefined) return { status: 201, body: show(visit, before.answer), replayed: true };
        const { items, codes, state, locale } = await wanted(visit, given);
        const left = someOf(items);
        const { answer, replayed } = await inSomeCurrency(
          visit,
          given.context?.currency,
          items.lines,
          async (lines, currency) =>
            createCart(
              visit.context,
              visit.shop,
              {
                lines,
                codes,
                ...(locale === undefined ? {} : { locale }),
                ...(currency === undefined ? {} : { currency }),
              },
              secret,
              asked.repeatable,
              { ...state, ...ofItems(items, lines, left) },
            ),
        );
        return { status: 201, body: show(visit, answer), replayed };
      }),
    get: async (visit, id) =>
      answering(visit, id, async () => {
        const cart = await getCart(visit.context, visit.shop, holding(id));
        return gone.has(cart.status)
          ? nothing(visit.version, [notFound('cart')])
          : { status: 200, body: show(visit, cart) };
      }),
    update: async (visit, id, given) =>
      answering(visit, id, async () => {
        const once = repeatable(visit, 'cart.update', id);
        const read = async (): Promise<Cart> => getCart(visit.context, visit.shop, holding(id));
        const first = await read();
        const answered = await repeated<Cart>(visit, once);
        if (answered !== undefined) return { status: 200, body: show(visit, answered.answer), replayed: true };
        const change = async (before: Cart) => {
          const { items, codes, state } = await wanted(visit, given, stateOf(before));
          const { lines } = allOf(items);
          const doorState = { ...state, ...ofItems(items, lines, []) };
          const asked = { ...once, doorState, version: before.version };
          return replaceCart(visit.context, visit.shop, holding(id), { lines, codes }, asked);
        };
        const { answer, replayed } = await afresh(read, change, first);
        return { status: 200, body: show(visit, answer), replayed };
      }),
    cancel: async (visit, id) =>
      answering(visit, id, async () => {
        const asked = repeatable(visit, 'cart.cancel', id);
        const { answer, replayed } = await cancelCart(visit.context, visit.shop, holding(id), asked);
        return { status: 200, body: show(visit, answer), replayed };
      }),
  };
}

function show(visit: Visit, cart: Cart, more: readonly Message[] = []): Readonly<Record<string, unknown>> {
  const { version, active } = visit;
  const state = stateOf(cart);
  const messages = [
    ...more,
    ...tellLeftOut(state.left),
    ...translated(cart, state),
    ...codesLeft(state),
    ...claimsLeft(state),
    ...faultsOfBuyer(state.buyer),
  ];
  const consents = active.has(names.consent) && version === '2026-08-25';
  const consent = consents ? showConsent(state.consent, version) : undefined;
  const buyer = { ...state.buyer, ...(consent === undefined ? {} : { consent }) };
  return {
    ucp: envelope(visit, names.cart),
    id: cart.id,
    currency: cart.currency,
    line_items: showLines(cart, state.names),
    totals: showTotals(cart),
    ...(Object.keys(buyer).length === 0 ? {} : { buyer }),
    ...(active.has(names.discount)
      ? { discounts: { codes: state.codes ?? [...cart.codes], applied: showApplied(cart) } }
      : {}),
    ...(state.attribution === undefined ? {} : { attribution: state.attribution }),
    ...(messages.length === 0 ? {} : { messages }),
    links: [],
    expires_at: cart.expiresAt,
  };
}
