import {
  afresh,
  type Answered,
  answeredBefore,
  type Asked,
  type BuyerCheckout as Checkout,
  cancelCheckout,
  completeByToken,
  completeCheckout,
  completedBefore,
  confirmCheckout,
  getCheckout,
  type Holding,
  openCheckout,
  type Pickups,
  type SessionDeps,
  updateCheckout,
  type Updated,
} from '@steward/checkout';
import { fail, isId, Problem } from '@steward/kernel';
import { isCardToken } from '@steward/orders';
import type { TenantTransaction } from '@steward/sql';
import { acpFail } from '../errors.ts';
import type { OrderVerbs } from '../order/verbs.ts';
import { type Due, outcomeOfToken, useToken } from '../payment-token/use.ts';
import { serveAgents } from '../permissions.ts';
import type { CompleteGiven, CreateGiven, UpdateGiven } from '../shown/given.ts';
import { type Message, problem } from '../shown/message.ts';
import type { Outcome } from '../shown/outcome.ts';
import type { Visit } from '../visit.ts';
import { addressOf, oneLine } from './address.ts';
import { type Paid, payingBy } from './handlers.ts';
import { itemsOf } from './items.ts';
import { showSession } from './show.ts';
import { compact, goesToBank, type State, stateOf } from './state.ts';
import { personOf, wantedOf } from './wanted.ts';

export interface SessionVerbs {
  create(visit: Visit, given: CreateGiven): Promise<Outcome>;
  get(visit: Visit, id: string): Promise<Outcome>;
  update(visit: Visit, id: string, given: UpdateGiven): Promise<Outcome>;
  complete(visit: Visit, id: string, given: CompleteGiven): Promise<Outcome>;
  cancel(visit: Visit, id: string): Promise<Outcome>;
}

/** @param of a checkout or a cart, or the agent where one is made */
export const repeatable = ({ key, meaning, shop }: Visit, operation: string, of: string): Pick<Asked, 'repeatable'> =>
  key === undefined
    ? {}
    : {
        repeatable: {
          key,
          operation: `acp ${operation}`,
          of,
          mode: shop.mode,
          agentId: shop.agentId,
          body: meaning,
          refusesMeanwhile: true,
        },
      };

export const repeated = async <T>(
  { context }: Visit,
  { repeatable: asked }: Pick<Asked, 'repeatable'>,
): Promise<Answered<T> | undefined> => answeredBefore(context.require(serveAgents), asked);

/** @throws Problem `not_found` (404) */
export function holding(id: string): Holding {
  if (!isId(id)) throw fail('not_found', 'There is nothing of this id for this agent.');
  return { id, token: undefined };
}

/** Outcomes of an authentication with which a payment may go on (EMV 3-D Secure). */
const authenticated = new Set(['authenticated', 'attempt_acknowledged', 'informational']);

/** The verbs of our checkout, as the protocol calls and answers them. */
export function sessionVerbs(sessions: SessionDeps, orders: OrderVerbs, pickups: Pickups): SessionVerbs {
  const shown = async (
    visit: Visit,
    checkout: Checkout,
    more: readonly Message[] = [],
    order?: Readonly<Record<string, unknown>>,
  ) => {
    const places = checkout.shippingRequired ? await pickups.of(visit.context, checkout.currency) : [];
    return showSession(checkout, { ...visit, pickups: places }, more, order);
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
  const changed = async (visit: Visit, checkout: Checkout): Promise<Outcome> => {
    const message =
      'Nothing was bought: the session is not what was shown. Look at it, and complete it anew, under another Idempotency-Key.';
    return { status: 200, body: await shown(visit, checkout, [problem('conflict', message)]) };
  };
  const isOpen = ({ status }: Checkout): boolean => status === 'open' || status === 'ready';

  return {
    create: async (visit, given) => {
      const { context, shop } = visit;
      const asked = repeatable(visit, 'checkout.create', shop.agentId);
      const before = await repeated<Checkout>(visit, asked);
      if (before !== undefined) return done(visit, before, 201);
      const currency = given.currency.toUpperCase();
      const { said, codes, state } = wantedOf({}, given, await pickups.of(context, currency));
      const { lines, names, gone } = await itemsOf(visit, given.line_items ?? given.items ?? [], currency);
      const doorState = withItems(state, names, gone);
      const { locale } = given;
      const opening = {
        lines,
        currency,
        said,
        doorState,
        ...(codes === undefined ? {} : { codes }),
        ...(locale !== undefined && isLocale(locale) ? { locale } : {}),
      };
      return done(visit, await openCheckout(context, shop, opening, undefined, sessions, asked.repeatable), 201);
    },
    get: async (visit, id) => {
      const checkout = await current(visit, id);
      const order = checkout.order === null ? undefined : await orders.shown(visit, checkout.order.id);
      return { status: 200, body: await shown(visit, checkout, [], order) };
    },
    update: async (visit, id, given) => {
      const { context, shop } = visit;
      const first = await looked(visit, id);
      const asked = repeatable(visit, 'checkout.update', id);
      const answered = await repeated<Checkout>(visit, asked);
      if (answered !== undefined) return done(visit, answered);
      const places = await pickups.of(context, first.currency);
      const sent = given.line_items ?? given.items;
      const items = sent === undefined ? undefined : await itemsOf(visit, sent, first.currency);
      const change = async (before: Checkout): Promise<Updated> => {
        const { said, codes, state } = wantedOf(stateOf(before), given, places);
        const doorState = items === undefined ? state : withItems(state, items.names, items.gone);
        const next = {
          ...said,
          ...(items === undefined ? {} : { lines: items.lines }),
          ...(codes === undefined ? {} : { codes }),
        };
        const { version } = before;
        return updateCheckout(context, shop, holding(id), next, sessions, { ...asked, doorState, version });
      };
      return done(visit, await afresh(async () => looked(visit, id), change, first));
    },
    complete: async (visit, id, given) => {
      const { context, shop } = visit;
      const before = await looked(visit, id);
      const asked = { ...repeatable(visit, 'checkout.complete', id), anew: true };
      try {
        const answered = await completedBefore(context.require(serveAgents), asked.repeatable);
        if (answered !== undefined) return done(visit, answered);
        const action = before.status === 'completing' ? before.payment?.action : null;
        const awaited = action?.kind === 'confirm';
        const paysByCard = action?.kind === 'stripe';
        if (awaited && given.authentication_result !== undefined) {
          const outcome = authenticated.has(given.authentication_result.outcome) ? 'succeed' : 'decline';
          return done(visit, await confirmCheckout(context, shop, holding(id), { outcome }, sessions, asked));
        }
        const { answer: checkout, asShown } = isOpen(before)
          ? await afresh(
              async () => looked(visit, id),
              async (now) => withSaid(visit, id, now, given, asked),
              before,
            )
          : { answer: before, asShown: true };
        // What was said is kept now: what comes of it is shown, and bought when it is completed anew.
        if (!asShown) return changed(visit, checkout);
        const paid =
          isOpen(checkout) || paysByCard ? payingBy(given.payment_data, checkout.paymentHandlers) : undefined;
        if (isOpen(checkout) && paid === undefined && Number(checkout.total.amount) > 0) throw notPaid();
        const completed = await bought(visit, checkout, paid, asked);
        if (awaited && !completed.replayed && completed.answer.status === 'completing') throw unauthenticated();
        return done(visit, completed);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const now = error.members?.['checkout'];
        if (error.code !== 'checkout_changed' || now === undefined) throw error;
        return changed(visit, now as Checkout);
      }
    },
    cancel: async (visit, id) => {
      const { context, shop } = visit;
      try {
        const asked = repeatable(visit, 'checkout.cancel', id);
        const cancelled = await cancelCheckout(context, shop, holding(id), sessions, asked);
        return done(visit, cancelled);
      } catch (error) {
        if (!(error instanceof Problem) || (error.code !== 'checkout_closed' && error.code !== 'payment_in_progress'))
          throw error;
        throw acpFail('session_not_cancelable', error.detail, { headers: { allow: 'GET' } });
      }
    },
  };

  async function bought(
    visit: Visit,
    checkout: Checkout,
    paid: Paid | undefined,
    asked: Asked,
  ): Promise<Answered<Checkout>> {
    const { context, shop } = visit;
    const { id } = checkout;
    if (paid?.by === 'card') {
      const { token } = paid;
      if (!isCardToken(token)) throw noToken();
      const payment = { handler: 'card', method: 'card' };
      // An issuer who wants to see the buyer does so where the agent has said that it can lead them there; else it refuses.
      const step = goesToBank(stateOf(checkout)) ? { token, returnUrl: visit.continueUrl(id) } : { token };
      return completeByToken(context, shop, holding(id), { payment }, step, sessions, asked);
    }
    const { payment, atPayment } = await chosen(visit, id, paid);
    const buying = { ...asked, ...(atPayment === undefined ? {} : { atPayment }) };
    return completeCheckout(context, shop, holding(id), { payment }, sessions, buying);
  }

  /** What an agent may say with the payment alone: who buys, and where the bill goes. No news are offered, so what is said of them is passed over. */
  async function withSaid(
    visit: Visit,
    id: string,
    checkout: Checkout,
    given: CompleteGiven,
    { repeatable: completing }: Pick<Asked, 'repeatable'>,
  ): Promise<Updated> {
    const before = stateOf(checkout);
    const buyer = given.buyer === undefined ? before.buyer : (given.buyer ?? undefined);
    const person = given.buyer === undefined ? {} : personOf(buyer, before.details);
    const bill = given.payment_data.billing_address;
    const billingAddress = bill == null ? null : addressOf(bill, buyer?.phone_number);
    const change = {
      ...person,
      ...(billingAddress === null ? {} : { billingAddress }),
      ...(given.order_notes === undefined ? {} : { note: oneLine(given.order_notes, 2_000) }),
    };
    if (Object.keys(change).length === 0) return { answer: checkout, replayed: false, asShown: true };
    const doorState = compact({ ...before, buyer });
    try {
      const told = { doorState, completing, buying: true, version: checkout.version };
      return await updateCheckout(visit.context, visit.shop, holding(id), change, sessions, told);
    } catch (error) {
      // Another request has just paid: what came of it is told by the one that pays.
      if (!(error instanceof Problem) || (error.code !== 'checkout_closed' && error.code !== 'payment_in_progress'))
        throw error;
      return { answer: await looked(visit, id), replayed: false, asShown: true };
    }
  }
}

/** A token is taken in the transaction that begins to pay, so that nothing is paid by it twice, and it is not lost where nothing is paid. */
async function chosen(visit: Visit, id: string, paid: Exclude<Paid, { by: 'card' }> | undefined) {
  if (paid === undefined) return { payment: undefined };
  const { handler } = paid;
  if (paid.by === 'method') return { payment: { handler, method: paid.method } };
  const { token } = paid;
  const atPayment = async (tx: TenantTransaction, due: Due): Promise<void> => useToken(tx, visit, token, id, due);
  return { payment: { handler, method: await outcomeOfToken(visit, token) }, atPayment };
}

const withItems = (state: State, names: Readonly<Record<string, string>>, gone: readonly string[]): State =>
  compact({
    ...state,
    names: Object.keys(names).length === 0 ? undefined : names,
    gone: gone.length === 0 ? undefined : gone,
  }) as State;

export const isLocale = (text: string): boolean => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/.test(text);

const unauthenticated = (): Error =>
  acpFail('requires_3ds', 'The buyer must authenticate: send authentication_result, whatever came of it.');

function noToken(): Error {
  const pointer = '/payment_data/instrument/credential/token';
  const detail = 'Give a token of Stripe: spt_… that your platform shares with the shop, pm_… or ctoken_….';
  return fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'invalid_format', detail }] });
}

function notPaid(): Error {
  const pointer = '/payment_data/handler_id';
  const detail = 'Pay by a handler of capabilities.payment.handlers: give its id and an instrument that it takes.';
  return fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'not_offered', detail }] });
}
