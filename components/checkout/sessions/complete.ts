import { fail, newId, Problem } from '@steward/kernel';
import {
  answersLocally,
  askLocally,
  authorize,
  beginPayment,
  carryOut,
  confirm,
  isAgreed,
  letGo,
  nextAttempt,
  payAtOnce,
  type Payment,
  paymentOfCheckout,
  type PaymentOutcome,
  settlePayment,
} from '@steward/orders';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import { reserve, type Shortfall } from '@steward/stock';
import { type Holding, requireVersion, type Shop } from '../carts/cart.ts';
import type { Asked } from '../carts/change.ts';
import { useDiscounts } from '../discounts/use.ts';
import { checkoutFail } from '../errors.ts';
import { endOf } from '../lifetimes.ts';
import { type Answered, enter, keepAnswer, recall, type Repeatable, wasBegun } from '../once/once.ts';
import { serveBuyers } from '../permissions.ts';
import { lastSeen, readAhead } from '../pricing/ahead.ts';
import { type Message, outOfStock, tooFew } from '../pricing/message.ts';
import { attempted, countAttempt, requireAttempt } from './attempts.ts';
import type { SessionDeps } from './deps.ts';
import { areAlike, evaluate, type Evaluated, evaluationReads, type Figures } from './figures.ts';
import type { CompleteGiven } from './given.ts';
import { keepShown } from './get.ts';
import { withFigures } from './open.ts';
import { conclude, goOn, place, resume, shownPayment } from './pay.ts';
import { placingOf } from './placing.ts';
import { type Completed, completedBefore, hasChanged, keepRefusal, requireBought } from './refusal.ts';
import {
  type Checkout,
  closed,
  holdSession,
  type KeptSession,
  selectSession,
  sessionFrom,
  showSession,
} from './session.ts';

/** Nothing is done: what the buyer was shown is not so any more. The transaction is undone by it. */
class Changed extends Error {
  override readonly name = 'Changed';
  readonly messages: readonly Message[];
  constructor(messages: readonly Message[] = []) {
    super('the checkout has changed');
    this.messages = messages;
  }
}

interface Completing {
  /** Under which a refusal is kept, where what comes of the request is kept under it later. */
  readonly refusal?: Repeatable | undefined;

  /** Called in the transaction that begins to pay, with what is to be paid in minor units: where it throws, nothing is done. */
  readonly atPayment?: (
    tx: TenantTransaction,
    due: { readonly amount: bigint; readonly currency: string },
  ) => Promise<void>;
}

/** What is left to do outside of any transaction. */
type Step =
  | { readonly done: KeptSession; readonly replayed?: Checkout }
  | { readonly ask: Payment }
  | { readonly resume: true };

/**
 * Buys: all is read once more, and where it is not what the buyer was shown, nothing is done. Exactly once, however often, by how many and over
 * how many crashes it is asked for: one order, one payment.
 * @returns the checkout: completed, completing where the buyer has a further step to take, or ready again where the payment was declined
 * @throws Problem `checkout_changed` (409) with the checkout as it is now, `checkout_not_ready`, `checkout_closed`, `idempotency_key_reused` (409),
 * `not_found` (404), `version_changed` (412), `payment_not_offered` (422), `invalid_request` (400), `payment_attempts_spent` (409),
 * `payment_attempt_limit` (429)
 */
export async function completeCheckout(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  given: CompleteGiven,
  deps: SessionDeps,
  asked: Asked & Completing = {},
): Promise<Answered<Checkout>> {
  const { tenant } = context;
  const scope = context.require(serveBuyers);
  let step: Step;
  try {
    step = await scope.write(async (tx) => begun(tx, shop, holding, given, deps, asked));
  } catch (error) {
    const changed = asChange(error);
    if (changed === undefined) throw error;
    throw await told(context, shop, holding, changed, deps, asked.repeatable ?? asked.refusal);
  }
  if ('done' in step)
    return step.replayed === undefined
      ? { answer: showSession(tenant, step.done, deps), replayed: false }
      : { answer: step.replayed, replayed: true };
  if ('ask' in step) {
    // Between two transactions, since it leaves the process. Whoever comes after a crash here looks up what became of it.
    const outcome = await authorize(step.ask, context, deps.payments.handlers);
    await concluded(context, shop, holding.id, { payment: step.ask, outcome }, deps);
  } else await resume(context, holding.id, deps);
  return scope.write(async (tx) => {
    const session = sessionFrom(await holdSession(tx, holding.id), shop, holding);
    const answer = showSession(tenant, session, deps);
    // What is not known yet is asked about again.
    if (answer.payment?.status !== 'started') keepAnswer(tx, asked.repeatable, answer);
    return { answer, replayed: false };
  });
}

async function begun(
  tx: TenantTransaction,
  shop: Shop,
  holding: Holding,
  given: CompleteGiven,
  deps: SessionDeps,
  { version, repeatable, refusal, anew = false, atPayment }: Asked & Completing,
): Promise<Step> {
  await enter(tx, repeatable);
  const { tenant } = tx.context;
  const known = lastSeen(tenant, holding.id);
  const [row, before, read] = await Promise.all([
    holdSession(tx, holding.id),
    recall<Completed>(tx, repeatable ?? refusal),
    readAhead(tx.queryAll, known === undefined ? undefined : evaluationReads(tenant, known, deps.payments)),
  ]);
  const session = sessionFrom(row, shop, holding);
  const replayed = before();
  if (replayed !== undefined) return { done: session, replayed: requireBought(replayed) };
  // Who asks again is told what came of it.
  if (session.status === 'completed' && (!anew || (await wasBegun(tx, repeatable)))) return { done: session };
  if (session.status === 'completing') return { resume: true };
  if (session.status !== 'open' && session.status !== 'ready') throw closed(session.status);
  requireVersion(session.version, version);
  const now = await evaluate(tenant, read, session, shop, deps.payments);
  requireAgreed(session, now, given);
  const next = withFigures(session, now, tx.context);
  const placing = placingOf(next, now.priced);

  const choice = placing.total === 0n ? undefined : requireOffered(given, now.figures);
  if (choice !== undefined) await requireAttempt(tx, session, shop);
  if (choice !== undefined) await atPayment?.(tx, { amount: placing.total, currency: session.currency });
  // In one flight: none is asked for what another answers.
  const { settings } = now;
  const [short, prepared, attempt, instructions] = await Promise.all([
    reserve(tx, {
      holder: session.id,
      mode: session.mode,
      lines: next.lines.map(({ variantId, quantity }) => ({ variantId, quantity })),
      // It is paid for however long that takes.
      expiresAt: null,
    }),
    deps.prepareOrder(tx, session.id),
    choice === undefined ? 1 : nextAttempt(tx, session.id),
    choice === undefined ? null : deps.howToPay(tx, settings, choice),
  ]);
  if (short.length > 0) throw new Changed(shortOf(next, short));
  await useDiscounts(tx, {
    mode: session.mode,
    discountIds: placing.discounts.map(({ discountId }) => discountId),
    useId: session.id,
    buyer: next.email ?? '',
  });
  const kept = async (done: Promise<KeptSession>): Promise<Step> => {
    const concludedOne = await done;
    const isAnswer = concludedOne.status !== 'completing' || concludedOne.payment?.status === 'requires_action';
    keepAnswer(tx, repeatable, isAnswer ? showSession(tenant, concludedOne, deps) : null);
    return { done: concludedOne };
  };
  if (choice === undefined) return kept(place(tx, { ...next, payment: null }, placing, deps, { prepared }));
  const beginning = {
    id: newId(),
    checkoutId: session.id,
    mode: session.mode,
    ...choice,
    amount: placing.total,
    currency: session.currency,
    settings,
  };
  const outcome = await askLocally(tx.context, beginning, attempt);
  if (outcome !== undefined && isAgreed(outcome)) {
    const pay = async (orderId: string) => payAtOnce(tx, beginning, outcome, { orderId, attempt });
    const atOnce = { pay, settings, instructions };
    return kept(place(tx, { ...next, payment: null }, placing, deps, { prepared, atOnce }));
  }
  const payment = await beginPayment(tx, beginning, deps.payments.accounts);
  const paying: KeptSession = {
    ...attempted(next, shop),
    payment: shownPayment(payment, instructions),
    // What it reserves is kept from others for so long and no longer.
    expiresAt: answersLocally(payment) ? next.expiresAt : endOf('paying', tx.context.happenedAt),
  };
  const settled = outcome === undefined ? payment : await settlePayment(tx, payment.id, outcome);
  const done = conclude(tx, paying, settled, placing, deps);
  if (outcome !== undefined) return kept(done);
  await done;
  // Another body under the same key is refused from now on.
  keepAnswer(tx, repeatable, null);
  return { ask: payment };
}

/** @throws Changed, Problem `checkout_not_ready` (409) */
function requireAgreed({ figures: seen }: KeptSession, { figures: now }: Evaluated, { total }: CompleteGiven): void {
  const agreed =
    total === undefined
      ? areAlike(seen, now)
      : total.amount === now.total.amount && total.currency === now.total.currency;
  // What a buyer cannot know of: somebody else took the last, or it is not sold any more.
  if (!agreed || (now.missing.includes('lines') && !seen.missing.includes('lines'))) throw new Changed();
  if (now.missing.length === 0) return;
  if (seen.missing.length === 0) throw new Changed();
  throw notReady(now.missing);
}

const pointers: Readonly<Record<Figures['missing'][number], string>> = {
  lines: '/lines',
  email: '/email',
  shipping_address: '/shippingAddress',
  billing_address: '/billingAddress',
  shipping_option: '/shippingOptionId',
};

const notReady = (missing: Figures['missing']): Error =>
  checkoutFail(
    'checkout_not_ready',
    `The checkout still lacks ${missing.join(', ')}: give these first, and look at its messages.`,
    {
      errors: missing.map((one) => ({
        pointer: pointers[one],
        code: 'required',
        detail: 'The checkout cannot be completed without it.',
      })),
    },
  );

function requireOffered({ payment }: CompleteGiven, { paymentHandlers }: Figures): { handler: string; method: string } {
  if (payment === undefined || payment === null)
    throw fail('invalid_request', '/payment: Say how it is paid.', {
      errors: [{ pointer: '/payment', code: 'required', detail: 'Say how it is paid: one of paymentHandlers.' }],
    });
  const own = paymentHandlers.find(({ handler }) => handler === payment.handler);
  if (own?.methods.includes(payment.method) === true) return payment;
  const pointer = own === undefined ? '/payment/handler' : '/payment/method';
  const detail = 'Give a handler of paymentHandlers and one of its methods.';
  throw checkoutFail('payment_not_offered', detail, { errors: [{ pointer, code: 'not_offered', detail }] });
}

function shortOf({ lines }: KeptSession, short: readonly Shortfall[]): Message[] {
  return short.flatMap(({ variantId, available }) => {
    const line = lines.find((one) => one.variantId === variantId);
    if (line === undefined) return [];
    return available < 1 ? outOfStock(line.id, line.title) : tooFew(line.id, line.title, available);
  });
}

/** A discount that was used up at this moment changes the total, too. */
function asChange(error: unknown): Changed | undefined {
  if (error instanceof Changed) return error;
  return error instanceof Problem && error.code === 'discount_unusable' ? new Changed() : undefined;
}

/**
 * The refusal, with the checkout as it would be now: whoever shows it to the buyer may complete it with its `total`. The protocols of agents have no
 * such member, so what an agent is answered is what it was last shown.
 */
async function told(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  { messages }: Changed,
  deps: SessionDeps,
  asked: Repeatable | undefined,
): Promise<Error> {
  const { tenant } = context;
  const scope = context.require(serveBuyers);
  const session = sessionFrom((await scope.read(selectSession(tenant, holding.id)))[0], shop, holding);
  const now = withFigures(session, await evaluate(tenant, scope.readAll, session, shop, deps.payments), context);
  const known = new Set(now.figures.messages.map(({ lineId }) => lineId));
  const more = messages.filter(({ lineId }) => !known.has(lineId));
  const figures: Figures = {
    ...now.figures,
    messages: [...now.figures.messages, ...more],
    missing:
      more.length > 0 && !now.figures.missing.includes('lines')
        ? ['lines', ...now.figures.missing]
        : now.figures.missing,
  };
  const seen: KeptSession = { ...session, figures, status: figures.missing.length === 0 ? 'ready' : 'open' };
  const open = session.status === 'open' || session.status === 'ready';
  const show = (one: KeptSession): Checkout => showSession(tenant, one, deps);
  if (!open || shop.agentId === null) return hasChanged(show(seen));
  return hasChanged(show(await keepShown(context, session, seen, (tx, one) => keepRefusal(tx, asked, show(one)))));
}

/** Of a payment that the checkout does not wait for any more, nothing follows: another has been begun. */
async function concluded(
  context: TenantContext,
  shop: Shop,
  checkoutId: string,
  { payment: { id: paymentId }, outcome }: { readonly payment: Payment; readonly outcome: PaymentOutcome },
  deps: SessionDeps,
): Promise<void> {
  const request = await context.require(serveBuyers).write(async (tx) => {
    const session = await goOn(tx, checkoutId, { paymentId, outcome }, deps);
    if (outcome.kind !== 'declined') return undefined;
    // The payment has ended by another card: this one was tried, too.
    if (session === undefined) await countAttempt(tx, checkoutId, shop);
    return letGo(tx, paymentId);
  });
  // At once, for a worker comes later.
  if (request !== undefined) await carryOut(context, request, deps.payments.handlers);
}

/**
 * The buyer has taken the further step that the payment asked for.
 * @param given as its handler wants it
 * @throws Problem `not_found` (404), `checkout_closed`, `payment_state` (409), `idempotency_key_reused` (409), `invalid_request` (400)
 */
export async function confirmCheckout(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  given: unknown,
  deps: SessionDeps,
  asked: Asked = {},
): Promise<Answered<Checkout>> {
  const { answer, replayed } = await confirmed(context, shop, holding, given, deps, asked);
  return { answer, replayed };
}

interface Confirmed extends Answered<Checkout> {
  /** The provider has said what became of it. */
  readonly known: boolean;
}

async function confirmed(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  given: unknown,
  deps: SessionDeps,
  { version, repeatable }: Asked,
): Promise<Confirmed> {
  const { tenant } = context;
  const scope = context.require(serveBuyers);
  const step = await scope.write(async (tx): Promise<Step> => {
    await enter(tx, repeatable);
    const [row, before] = await Promise.all([holdSession(tx, holding.id), recall<Completed>(tx, repeatable)]);
    const session = sessionFrom(row, shop, holding);
    const replayed = before();
    if (replayed !== undefined) return { done: session, replayed: requireBought(replayed) };
    if (session.status === 'completed') return { done: session };
    if (session.status !== 'completing' || session.placing === null)
      throw session.status === 'open' || session.status === 'ready'
        ? checkoutFail('checkout_not_ready', 'The checkout awaits no further step: complete it first.')
        : closed(session.status);
    requireVersion(session.version, version);
    const payment = await paymentOfCheckout(tx, session.id);
    if (payment === undefined) throw closed(session.status);
    if (session.late) return { resume: true };
    if (!answersLocally(payment)) return { ask: payment };
    const settled = await settlePayment(tx, payment.id, await confirm(payment, given, tx.context));
    const done = await conclude(tx, session, settled, session.placing, deps);
    keepAnswer(tx, repeatable, showSession(tenant, done, deps));
    return { done };
  });
  if ('done' in step)
    return step.replayed === undefined
      ? { answer: showSession(tenant, step.done, deps), replayed: false, known: true }
      : { answer: step.replayed, replayed: true, known: true };
  let known = true;
  if ('ask' in step) {
    const outcome = await confirm(step.ask, given, context, deps.payments.handlers);
    known = outcome.kind !== 'unknown';
    await concluded(context, shop, holding.id, { payment: step.ask, outcome }, deps);
  } else await resume(context, holding.id, deps);
  return scope.write(async (tx) => {
    const answer = showSession(tenant, sessionFrom(await holdSession(tx, holding.id), shop, holding), deps);
    // What is not known yet is asked about again.
    if (known) keepAnswer(tx, repeatable, answer);
    return { answer, replayed: false, known };
  });
}

/**
 * Buys with what stands for a card at its provider and an agent brings: the payment is begun, and confirmed in place of the page of the buyer.
 * The token is handed on to the provider and kept nowhere.
 * @param given its payment is one that the provider asks a step of
 * @param step `token`, and `returnUrl` where the buyer may be asked for by the issuer
 * @throws Problem `unavailable` (503) where the provider did not say what became of it, to be repeated; as `completeCheckout` and `confirmCheckout` do
 */
export async function completeByToken(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  given: CompleteGiven,
  step: { readonly token: string; readonly returnUrl?: string },
  deps: SessionDeps,
  { repeatable, ...asked }: Asked = {},
): Promise<Answered<Checkout>> {
  const scope = context.require(serveBuyers);
  sessionFrom((await scope.read(selectSession(context.tenant, holding.id)))[0], shop, holding);
  const before = await completedBefore(scope, repeatable);
  if (before !== undefined) return before;
  // What is begun is answered by what came of it, also where this process ends meanwhile. Its first half has no key: its answer is not that.
  await scope.write(async (tx) => keepAnswer(tx, repeatable, null));
  const { answer } = await completeCheckout(context, shop, holding, given, deps, { ...asked, refusal: repeatable });
  if (answer.payment?.status === 'started') throw unanswered();
  if (answer.status === 'completing') {
    const { known, ...done } = await confirmed(context, shop, holding, step, deps, { repeatable });
    if (!known) throw unanswered();
    return done;
  }
  await scope.write(async (tx) => keepAnswer(tx, repeatable, answer));
  return { answer, replayed: false };
}

const unanswered = (): Error =>
  fail('unavailable', 'The provider of the payment does not say what became of it: repeat the request.', {
    headers: { 'retry-after': '2' },
  });
