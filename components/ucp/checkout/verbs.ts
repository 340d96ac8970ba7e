import {
  afresh,
  type Answered,
  answeredBefore,
  type Asked,
  cancelCheckout,
  type BuyerCheckout as Checkout,
  completeByToken,
  completeCheckout,
  completedBefore,
  getCart,
  getCheckout,
  hasChanged,
  type Holding,
  isAttemptLimit,
  openCheckout,
  type Pickup,
  type Pickups,
  type SessionDeps,
  updateCheckout,
  type Updated,
} from '@steward/checkout';
import { isId } from '@steward/kernel';
import { isCardToken } from '@steward/orders';
import { serveAgents } from '../permissions.ts';
import type { CheckoutGiven, CompleteGiven, Instrument } from '../shown/given.ts';
import { type Message, problem } from '../shown/message.ts';
import { nothing, type Outcome, Refused } from '../shown/outcome.ts';
import type { Total } from '../shown/totals.ts';
import { names } from '../negotiation/versions.ts';
import type { Visit } from '../visit.ts';
import { buyerOf, consentOf, emailOf, nameOf, oneLine } from './buyer.ts';
import { inSomeCurrency } from './currency.ts';
import type { Destination } from './destination.ts';
import { payingBy, tokenIn } from './handlers.ts';
import { allOf, fewOf, type Items, itemsOf, type LeftOut, notSold, someOf } from './items.ts';
import { notFound, notPaid, whyOf } from './refusals.ts';
import { minorOf } from '../shown/money.ts';
import { continueUrl, type Offered, showCheckout } from './show.ts';
import { type State, stateOf } from './state.ts';
import { billingOf, type Knowing, type Wanted, wantedOf } from './wanted.ts';

/** What only the official suite is served, beyond the protocol. */
export interface Beyond {
  /** Addresses that the shop knows of an e-mail address. */
  known(visit: Visit, email: string | undefined): Promise<readonly Destination[]>;
  offered: Offered;
  /** Ways of shipping by what they are called. */
  options(visit: Visit): Promise<Knowing['optionId']>;
  /** What a checkout lacks at its completion. */
  complete(visit: Visit, checkout: Checkout): Promise<void>;
  totals(totals: readonly Total[]): readonly Total[];
  /** What stands for a card at the handler for tests. */
  token(credential: Instrument['credential']): string;
}

export interface ItemChange {
  /** As the agent calls it. */
  readonly item: string;
  /** How many more; null: none any more. */
  readonly more: number | null;
}

export interface CheckoutVerbs {
  create(visit: Visit, given: CheckoutGiven): Promise<Outcome>;
  get(visit: Visit, id: string): Promise<Outcome>;
  update(visit: Visit, id: string, given: CheckoutGiven): Promise<Outcome>;
  /** More of an item, or none of it, and everything else as it is, whoever changes it meanwhile. */
  changeItem(visit: Visit, id: string, given: ItemChange): Promise<Outcome>;
  complete(visit: Visit, id: string, given: CompleteGiven): Promise<Outcome>;
  cancel(visit: Visit, id: string): Promise<Outcome>;
}

const plain: Beyond = {
  known: async () => [],
  offered: ({ id, name, price }) => ({ id, title: name, amount: minorOf(price) }),
  options: async () => (named) => (isId(named) ? named : undefined),
  complete: async () => undefined,
  totals: (totals) => totals,
  token: tokenIn,
};

/** @param of a checkout or a cart, or the agent where one is made */
export const repeatable = ({ key, sent, shop }: Visit, operation: string, of: string): Pick<Asked, 'repeatable'> =>
  key === undefined
    ? {}
    : { repeatable: { key, operation: `ucp ${operation}`, of, mode: shop.mode, agentId: shop.agentId, body: sent } };

export const repeated = async <T>(
  { context }: Visit,
  { repeatable: asked }: Pick<Asked, 'repeatable'>,
): Promise<Answered<T> | undefined> => answeredBefore(context.require(serveAgents), asked);

/** What the door keeps of items. @param lines those of them that are in it */
export function ofItems(items: Items, lines: Items['lines'], left: readonly LeftOut[]): Pick<State, 'names' | 'left'> {
  const { names: called } = items;
  const there = new Set(lines.map(({ variantId }) => variantId));
  const gone = new Set(items.lines.map(({ variantId }) => variantId).filter((one) => !there.has(one)));
  const all = [...left, ...[...gone].map((one) => notSold(called[one] ?? one))];
  return {
    ...(Object.keys(called).length === 0 ? {} : { names: called }),
    ...(all.length === 0 ? {} : { left: fewOf(all) }),
  };
}

export const holding = (id: string): Holding => ({ id, token: undefined });

/** The verbs of our checkout, as the protocol calls and answers them. */
export function checkoutVerbs(sessions: SessionDeps, testing: Beyond, pickups: Pickups): CheckoutVerbs {
  const { secret } = sessions;
  const beyond = ({ conformance }: Visit): Beyond => (conformance ? testing : plain);
  /** The official suite knows of shipping alone, and the schema of the older release takes every location for an address too, and so none for valid. */
  const placesOf = async (
    { context, active, conformance, version }: Visit,
    currency?: string,
  ): Promise<readonly Pickup[]> =>
    active.has(names.fulfillment) && !conformance && version === '2026-08-25' ? pickups.of(context, currency) : [];
  const shown = async (visit: Visit, checkout: Checkout, more: readonly Message[] = []) => {
    const places = checkout.shippingRequired ? await placesOf(visit, checkout.currency) : [];
    const { offered, totals } = beyond(visit);
    return showCheckout(visit, checkout, { secret, offered, totals, pickups: places, more });
  };
  const done = async (visit: Visit, { answer, replayed }: Answered<Checkout>, status = 200): Promise<Outcome> => ({
    status,
    body: await shown(visit, answer),
    replayed,
  });
  const current = async (visit: Visit, id: string): Promise<Checkout> =>
    getCheckout(visit.context, visit.shop, holding(id), sessions);
  /** As it is, for a request that does not end with it: what the agent was last shown stays. */
  const looked = async (visit: Visit, id: string): Promise<Checkout> =>
    getCheckout(visit.context, visit.shop, holding(id), sessions, { shown: false });

  /** What was not done is said with the checkout as it is, or alone where there is none. */
  async function answering(visit: Visit, id: string | undefined, work: () => Promise<Outcome>): Promise<Outcome> {
    if (id !== undefined && !isId(id)) return nothing(visit.version, [notFound('checkout')]);
    try {
      return await work();
    } catch (error) {
      const why = whyOf(error, 'checkout');
      if (why === undefined) throw error;
      if (isAttemptLimit(error)) await visit.noteRefusal(error.code);
      if (id === undefined || why.gone) return nothing(visit.version, why.messages.map(final));
      const checkout = why.checkout ?? (await current(visit, id));
      if (visit.conformance && why.unready) return unready(visit);
      const bill = why.unready && checkout.missing.includes('billing_address') ? [billWanted] : [];
      return {
        status: visit.conformance && why.ended ? 409 : 200,
        body: await shown(visit, checkout, [...why.messages, ...bill]),
      };
    }
  }

  async function wanted(visit: Visit, given: CheckoutGiven, before: State): Promise<Wanted> {
    const { known, options } = beyond(visit);
    const email = given.buyer ? emailOf(buyerOf(given.buyer)) : before.email;
    const [knownOnes, optionId, places] = await Promise.all([known(visit, email), options(visit), placesOf(visit)]);
    const made = wantedOf(visit, given, { before, known: knownOnes, optionId, pickups: places });
    // The suite says who buys once.
    return email === undefined || !visit.conformance
      ? made
      : { ...made, state: { ...made.state, email: email.toLowerCase() } };
  }

  return {
    create: async (visit, given) =>
      answering(visit, undefined, async () => {
        const { context, shop } = visit;
        const cartId = visit.active.has(names.cart) ? given.cart_id : undefined;
        if (cartId) return isId(cartId) ? fromCart(visit, cartId, given) : nothing(visit.version, [notFound('cart')]);
        const asked = repeatable(visit, 'checkout.create', shop.agentId);
        const before = await repeated<Checkout>(visit, asked);
        if (before !== undefined) return done(visit, before, 201);
        const { said, codes, locale, state } = await wanted(visit, given, {});
        const items = await itemsOf(visit, given.line_items ?? []);
        const left = someOf(items);
        if (items.lines.length === 0)
          return nothing(visit.version, [
            final(problem('missing', 'A checkout needs at least one item.', '$.line_items')),
          ]);
        const made = await inSomeCurrency(visit, given.context?.currency, items.lines, async (lines, currency) =>
          openCheckout(
            context,
            shop,
            {
              lines,
              codes,
              said,
              doorState: { ...state, ...ofItems(items, lines, left) },
              ...(locale === undefined ? {} : { locale }),
              ...(currency === undefined ? {} : { currency }),
            },
            undefined,
            sessions,
            asked.repeatable,
          ),
        );
        return done(visit, made, 201);
      }),
    get: async (visit, id) =>
      answering(visit, id, async () => ({ status: 200, body: await shown(visit, await current(visit, id)) })),
    update: async (visit, id, given) =>
      answering(visit, id, async () => {
        const { context, shop } = visit;
        const first = await looked(visit, id);
        const once = repeatable(visit, 'checkout.update', id);
        const answered = await repeated<Checkout>(visit, once);
        if (answered !== undefined) return done(visit, answered);
        const { lines, names: called } = allOf(await itemsOf(visit, given.line_items ?? []));
        if (lines.length === 0)
          throw new Refused([problem('missing', 'A checkout needs at least one item.', '$.line_items')]);
        const change = async (checkout: Checkout): Promise<Updated> => {
          const before = stateOf(checkout);
          const { said, codes, locale, state } = await wanted(visit, given, before);
          const doorState = {
            ...state,
            ...(before.attribution === undefined || state.attribution !== undefined
              ? {}
              : { attribution: before.attribution }),
            ...(Object.keys(called).length === 0 ? {} : { names: called }),
          };
          const { version } = checkout;
          const next = { ...said, lines, codes, locale: locale ?? null };
          return updateCheckout(context, shop, holding(id), next, sessions, {
            ...once,
            doorState,
            lenient: true,
            version,
          });
        };
        return done(visit, await afresh(async () => looked(visit, id), change, first));
      }),
    changeItem: async (visit, id, { item, more }) =>
      answering(visit, id, async () => {
        const { context, shop } = visit;
        const asked = repeatable(visit, 'checkout.change_item', id);
        const first = await looked(visit, id);
        const answered = await repeated<Checkout>(visit, asked);
        if (answered !== undefined) return done(visit, answered);
        const change = async (checkout: Checkout): Promise<Updated> => {
          const {
            lines: [line],
            names: called,
          } = allOf(await itemsOf(visit, [{ item: { id: item }, quantity: more ?? 1 }]));
          const variantId = line?.variantId ?? '';
          const lines = checkout.lines
            .map((one) => ({ variantId: one.variantId, quantity: one.quantity }))
            .filter((one) => more !== null || one.variantId !== variantId);
          const own = lines.find((one) => one.variantId === variantId);
          if (more !== null && own === undefined) lines.push({ variantId, quantity: more });
          else if (more !== null && own !== undefined) own.quantity += more;
          if (lines.length === 0)
            throw new Refused([problem('missing', 'A checkout needs at least one item.', '$.line_items')]);
          const { left: _told, ...before } = stateOf(checkout);
          const doorState = { ...before, names: { ...before.names, ...called } };
          const { version } = checkout;
          const terms = { ...asked, doorState, lenient: true, version };
          return updateCheckout(context, shop, holding(id), { lines }, sessions, terms);
        };
        return done(visit, await afresh(async () => looked(visit, id), change, first));
      }),
    complete: async (visit, id, given) =>
      answering(visit, id, async () => {
        let checkout = await looked(visit, id);
        const asked = { ...repeatable(visit, 'checkout.complete', id), anew: true };
        const bought = async (answered: Answered<Checkout>): Promise<Outcome> => {
          const outcome = await done(visit, answered);
          const declined = answered.answer.payment?.status === 'declined';
          return visit.conformance && declined ? { ...outcome, status: 402 } : outcome;
        };
        const before = await completedBefore(visit.context.require(serveAgents), asked.repeatable);
        if (before !== undefined) return bought(before);
        if (checkout.status === 'open' || checkout.status === 'ready') {
          await beyond(visit).complete(visit, checkout);
          const told = async (before: Checkout): Promise<Checkout> => withPayment(visit, id, before, given, asked);
          checkout = await afresh(async () => looked(visit, id), told, checkout);
        }
        // Nobody buys a part for the whole: the agent says first that it is wanted without what is left out.
        if (stateOf(checkout).left !== undefined) throw new Refused([]);
        const payment = payingBy(
          given.payment?.instruments ?? [],
          checkout.paymentHandlers,
          visit.version,
          beyond(visit).token,
        );
        const free = Number(checkout.total.amount) === 0;
        const open = checkout.status === 'open' || checkout.status === 'ready';
        if (open && payment === undefined && !free) throw new Refused(checkout.missing.length === 0 ? [notPaid()] : []);
        return bought(await pay(visit, id, payment, asked));
      }),
    cancel: async (visit, id) =>
      answering(visit, id, async () => {
        const { context, shop } = visit;
        return done(
          visit,
          await cancelCheckout(context, shop, holding(id), sessions, repeatable(visit, 'checkout.cancel', id)),
        );
      }),
  };

  async function pay(
    { context, shop, base }: Visit,
    id: string,
    paid: ReturnType<typeof payingBy>,
    asked: Asked,
  ): Promise<Answered<Checkout>> {
    if (paid?.token === undefined)
      return completeCheckout(context, shop, holding(id), { payment: paid }, sessions, asked);
    const { token, ...payment } = paid;
    if (!isCardToken(token)) throw new Refused([notPaid()]);
    // Where the issuer wants to see the buyer, they come back to our page.
    const step = { token, returnUrl: continueUrl(base, secret, id) };
    return completeByToken(context, shop, holding(id), { payment }, step, sessions, asked);
  }

  /** What is in the cart and whose it is comes from there, whatever the request says of it. */
  async function fromCart(visit: Visit, cartId: string, given: CheckoutGiven): Promise<Outcome> {
    const { context, shop } = visit;
    const {
      buyer,
      consent,
      email,
      codes,
      claims,
      names: called,
      left,
      attribution,
    } = stateOf(await getCart(context, shop, holding(cartId)));
    const { said, state } = await wanted(
      visit,
      { ...given, buyer: null, discounts: null },
      email === undefined ? {} : { email },
    );
    const person = {
      email: email ?? null,
      name: buyer === undefined ? null : nameOf(buyer),
      phone: oneLine(buyer?.phone_number, 40),
      marketingConsent: consent?.['marketing'] ?? false,
    };
    const doorState = Object.fromEntries(
      Object.entries({
        ...state,
        buyer,
        consent,
        email,
        codes,
        claims,
        names: called,
        left,
        attribution: attribution ?? state.attribution,
      }).filter(([, value]) => value !== undefined),
    );
    const asked = repeatable(visit, 'checkout.create', shop.agentId).repeatable;
    const opening = { cartId, said: { ...said, ...person }, doorState };
    const made = await openCheckout(context, shop, opening, undefined, sessions, asked);
    return done(visit, made, made.made ? 201 : 200);
  }

  /** What a platform may say with the payment alone: what the buyer agrees to, and where the bill goes. */
  async function withPayment(
    visit: Visit,
    id: string,
    checkout: Checkout,
    given: CompleteGiven,
    { repeatable: completing }: Pick<Asked, 'repeatable'>,
  ): Promise<Checkout> {
    const before = stateOf(checkout);
    const billing = checkout.billingAddress === null ? billingOf(given.payment?.instruments ?? []) : null;
    const agreeing = given.buyer ? emailOf(buyerOf(given.buyer)) : undefined;
    const isSame = agreeing === undefined || agreeing.toLowerCase() === checkout.email?.toLowerCase();
    // Nobody agrees for the address of somebody else.
    const consent =
      visit.active.has(names.consent) && given.buyer && isSame ? consentOf(given.buyer, visit.version) : undefined;
    const decided = { ...before.consent, ...consent };
    const told = consent !== undefined && JSON.stringify(decided) !== JSON.stringify(before.consent ?? {});
    if (billing === null && !told) return checkout;
    const change = {
      ...(billing === null ? {} : { billingAddress: billing }),
      ...(told ? { marketingConsent: decided['marketing'] ?? false } : {}),
    };
    const doorState: State = told ? { ...before, consent: decided } : before;
    const { answer, asShown } = await updateCheckout(visit.context, visit.shop, holding(id), change, sessions, {
      doorState,
      lenient: true,
      completing,
      buying: true,
      version: checkout.version,
    });
    // It is kept now: what comes of it is shown, and bought when it is completed anew.
    if (!asShown) throw hasChanged(answer);
    return answer;
  }
}

/** Without a resource nothing that is sent again helps. */
export const final = (message: Message): Message =>
  message.type === 'error' ? { ...message, severity: 'unrecoverable' } : message;

const billWanted = problem(
  'missing',
  'Send the billing address with the payment.',
  '$.payment.instruments[0].billing_address',
);

/** The official suite takes any 200 for success. */
const unready = ({ version }: Visit): Outcome => ({
  ...nothing(version, [problem('missing', 'Fulfillment address and option must be selected.', '$.fulfillment')]),
  status: 400,
});
