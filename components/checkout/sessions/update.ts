import { fail } from '@steward/kernel';
import { addressDigest } from '@steward/mail';
import type { TenantContext } from '@steward/sql';
import { type Holding, requireVersion, type Shop } from '../carts/cart.ts';
import type { Asked } from '../carts/change.ts';
import { requireSold, withNew } from '../carts/given.ts';
import { type Answered, enter, keepAnswer, recall, type Repeatable } from '../once/once.ts';
import { serveBuyers } from '../permissions.ts';
import { lastSeen, readAhead, see } from '../pricing/ahead.ts';
import { wantedOf } from '../pricing/line.ts';
import type { Reading } from '../pricing/price.ts';
import { roomIn, takeRoom } from '../room/take.ts';
import type { SessionDeps } from './deps.ts';
import { areAlike, evaluate, evaluationReads, readingOf } from './figures.ts';
import type { CheckoutChange } from './given.ts';
import { withFigures } from './open.ts';
import { keepRefusal } from './refusal.ts';
import {
  type Checkout,
  holdSession,
  type KeptSession,
  requireChangeable,
  sessionFrom,
  showSession,
  storeSession,
} from './session.ts';

interface Updating {
  readonly lenient?: boolean;
  readonly completing?: Repeatable | undefined;
  /** Said with the request that pays, which asks for no room. */
  readonly buying?: boolean;
}

/** Whether the same costs what it did before the change. */
export interface Updated extends Answered<Checkout> {
  readonly asShown: boolean;
}

/**
 * Changes what is given and nothing else; null clears. Agreeing to news belongs to the address that it was said with: it ends where that goes.
 * @param asked.lenient a way of shipping that is not offered is left out, and a message says so
 * @param asked.completing the request that completes it with this: where it does not cost what it did, that buys nothing
 * @throws Problem `not_found` (404), `checkout_closed`, `payment_in_progress`, `idempotency_key_reused` (409), `version_changed` (412), `not_sold`
 * (422), `cart_limit` (429) where it grows, `invalid_request` (400) for a way of shipping that is not offered
 */
export async function updateCheckout(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  { lines, ...change }: CheckoutChange,
  deps: SessionDeps,
  { version, repeatable, doorState, lenient = false, completing, buying = false }: Asked & Updating = {},
): Promise<Updated> {
  const { tenant } = context;
  const guess = likely(lastSeen(tenant, holding.id), lines, change);
  return context.require(serveBuyers).write(async (tx) => {
    await enter(tx, repeatable);
    const [row, before, room, read] = await Promise.all([
      holdSession(tx, holding.id),
      recall<Checkout>(tx, repeatable),
      roomIn(tx),
      readAhead(tx.queryAll, guess === undefined ? undefined : evaluationReads(tenant, guess, deps.payments)),
    ]);
    const session = sessionFrom(row, shop, holding);
    const answered = before();
    if (answered !== undefined) return { answer: answered, replayed: true, asShown: true };
    requireChangeable(session);
    requireVersion(session.version, version);
    const said = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const moved = session.email !== null && change.email !== undefined && !isSameEmail(session.email, change.email);
    const consent = moved ? { marketingConsent: false } : {};
    const asked = { ...session, ...consent, ...said, doorState: doorState ?? session.doorState } as KeptSession;
    const wanted = lines === undefined ? session.lines.map(wantedOf) : withNew(session.lines, lines);
    const found = await evaluate(tenant, read, asked, shop, deps.payments, wanted);
    tx.afterCommit(() => see(tenant, session.id, readingOf(asked, wanted)));
    if (lines !== undefined) requireSold(found.priced, wanted, lines, session.currency);
    const { shippingOptionId: option } = change;
    if (!lenient && option !== undefined && option !== null && found.figures.shippingOptionId !== option)
      throw notOffered(asked);
    const next = { ...withFigures(asked, found, tx.context), version: session.version + 1 };
    // What a buyer changes on a page is not what their agent was shown, which buys at that alone.
    const isOfAgent = session.agentId !== null && shop.agentId === null;
    storeSession(tx, isOfAgent ? { ...next, figures: session.figures } : next);
    const answer = showSession(tenant, next, deps);
    const growth = { before: session, after: next, asked: repeatable, answer, held: [session.id, session.cartId] };
    if (buying || (await takeRoom(tx, shop, room, growth))) keepAnswer(tx, repeatable, answer);
    const asShown = areAlike(session.figures, found.figures);
    if (!asShown) keepRefusal(tx, completing, answer);
    return { answer, replayed: false, asShown };
  });
}

const isSameEmail = (before: string, now: string | null): boolean => before.toLowerCase() === now?.toLowerCase();

/** What is likely to be read after a change of what was seen last. */
function likely(
  before: Reading | undefined,
  lines: CheckoutChange['lines'],
  { email, shippingAddress, codes }: Omit<CheckoutChange, 'lines'>,
): Reading | undefined {
  if (before === undefined) return undefined;
  return {
    ...before,
    ...(codes === undefined ? {} : { codes }),
    ...(lines === undefined ? {} : { lines }),
    ...(email === undefined ? {} : { buyer: email === null ? null : addressDigest(email) }),
    ...(shippingAddress === undefined ? {} : { shipTo: shippingAddress, address: shippingAddress }),
  };
}

function notOffered({ shippingAddress }: KeptSession): Error {
  const detail =
    shippingAddress === null
      ? 'Give the shipping address first: which ways there are depends on it.'
      : 'Give the id of one of shippingOptions.';
  const pointer = '/shippingOptionId';
  return fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'not_offered', detail }] });
}
