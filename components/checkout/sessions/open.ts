import { baseCurrency } from '@steward/accounting';
import { fail, newIdAt } from '@steward/kernel';
import { type Row, sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { cartFrom, type DoorState, type KeptCart, selectCart, type Shop } from '../carts/cart.ts';
import { requireSold, withMore } from '../carts/given.ts';
import { tokenDigest, tokenOf } from '../carts/token.ts';
import { checkoutFail } from '../errors.ts';
import { endOf } from '../lifetimes.ts';
import { type Answered, claim, enter, keepAnswer, recall, type Repeatable } from '../once/once.ts';
import { serveBuyers } from '../permissions.ts';
import { lastSeen, readAhead, see } from '../pricing/ahead.ts';
import { wantedOf, type WantedLine } from '../pricing/line.ts';
import { roomIn, takeRoom } from '../room/take.ts';
import { unattempted } from './attempts.ts';
import type { SessionDeps } from './deps.ts';
import { evaluate, type Evaluated, evaluationReads, readingOf } from './figures.ts';
import type { CheckoutChange, CheckoutGiven } from './given.ts';
import {
  type Checkout,
  holdSession,
  insertSession,
  type KeptSession,
  readSession,
  showSession,
  storeSession,
} from './session.ts';
import { nothingSaid, type Said } from './said.ts';

/** Whether it was made by this call. */
export interface Opened extends Answered<Checkout & { readonly token?: string }> {
  readonly made: boolean;
}

/** What a door knows of a buyer as it begins a checkout for them. */
export interface Opening extends CheckoutGiven {
  readonly said?: Omit<CheckoutChange, 'lines' | 'codes' | 'locale'>;
  readonly doorState?: DoorState;
}

/**
 * A checkout of a cart, which the cart's token opens, or of lines, with a token of its own in this answer alone. The same cart again answers the
 * same checkout, with what is in the cart now.
 * @param given a way of shipping in `said` that is not offered is left out, and a message says so
 * @param token that of the cart
 * @throws Problem `not_found` (404), `cart_closed` (409), `not_sold` (422), `invalid_request` (400), `cart_limit` (429)
 */
export async function openCheckout(
  context: TenantContext,
  shop: Shop,
  given: Opening,
  token: string | undefined,
  deps: SessionDeps,
  asked?: Repeatable,
): Promise<Opened> {
  const { cartId, lines } = given;
  if ((cartId === undefined) === (lines === undefined))
    throw invalid('/cartId', 'required', 'Give cartId or lines, and not both.');
  if (cartId === undefined) return openDirect(context, shop, given, deps, asked);
  for (const member of ['currency', 'codes'] as const)
    if (given[member] !== undefined)
      throw invalid(`/${member}`, 'not_accepted', 'It is that of the cart: leave it out.');
  return context.require(serveBuyers).write(async (tx) => ofCart(tx, shop, given, { id: cartId, token }, deps, asked));
}

const invalid = (pointer: string, code: string, detail: string): Error =>
  fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });

async function ofCart(
  tx: TenantTransaction,
  shop: Shop,
  { locale, said = {}, doorState }: Opening,
  holding: { readonly id: string; readonly token: string | undefined },
  deps: SessionDeps,
  asked: Repeatable | undefined,
): Promise<Opened> {
  await enter(tx, asked);
  const { tenant } = tx.context;
  const known = lastSeen(tenant, holding.id);
  const [[row], before, room, read] = await Promise.all([
    tx.query<Row>(selectCart(tenant, holding.id, true)),
    recall<Pick<Opened, 'answer' | 'made'>>(tx, asked),
    roomIn(tx),
    // Of a checkout that there is not yet nobody has said an address.
    readAhead(
      tx.queryAll,
      known === undefined ? undefined : evaluationReads(tenant, { ...known, shipTo: null }, deps.payments),
    ),
  ]);
  const cart = cartFrom(row, shop, holding);
  const answered = before();
  if (answered !== undefined) return { ...answered, replayed: true };
  const session = cart.checkoutId === null ? undefined : await heldSession(tx, cart.checkoutId);
  const lives = session !== undefined && session.status !== 'cancelled' && session.status !== 'expired';
  if (session !== undefined && lives && session.status !== 'open' && session.status !== 'ready')
    return { answer: showSession(tenant, session, deps), replayed: false, made: false };
  if (cart.status !== 'open') throw checkoutFail('cart_closed', `The cart is ${cart.status}: make a new one.`);
  const asking = {
    ...(session !== undefined && lives
      ? session
      : { ...fresh(shop, cart, cart.id, tx.context.happenedAt), ...saying(said) }),
    lines: cart.lines,
    codes: cart.codes,
    ...(doorState === undefined || lives ? {} : { doorState }),
    ...(locale === undefined ? {} : { locale }),
  };
  const next = await evaluated(tx, read, asking, shop, deps);
  if (lives) storeSession(tx, { ...next, version: next.version + 1 });
  else {
    // A link to a checkout of an agent's cart follows from the checkout alone.
    const own = shop.agentId === null ? (row?.['token_sha256'] as Buffer) : tokenDigest(tokenOf(deps.secret, next.id));
    insertSession(tx, next, own);
    tx.later(
      sql`update checkout.cart set checkout_id = ${next.id}::uuid where tenant_id = ${tenant}::uuid and cart_id = ${cart.id}::uuid`,
    );
  }
  const answer = showSession(tenant, lives ? { ...next, version: next.version + 1 } : next, deps);
  const growth = {
    before: lives ? session : null,
    after: next,
    // Whoever has a cart can buy what is in it; further checkouts of it are new ones.
    begun: lives || cart.checkoutId === null,
    asked,
    answer,
    held: [cart.id, next.id],
  };
  if (await takeRoom(tx, shop, room, growth)) keepAnswer(tx, asked, { answer, made: !lives }, next.id);
  return { answer, replayed: false, made: !lives };
}

const saying = (said: NonNullable<Opening['said']>): Partial<Said> =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));

const fresh = (
  { siteId, keyId, agentId, brandId, mode }: Shop,
  { currency, locale, lines, codes }: Pick<KeptCart, 'currency' | 'locale' | 'lines' | 'codes'>,
  cartId: string | null,
  happenedAt: number | undefined,
): Omit<KeptSession, 'figures'> => ({
  ...nothingSaid,
  id: newIdAt(happenedAt),
  cartId,
  siteId,
  keyId,
  agentId,
  brandId,
  mode,
  doorState: null,
  status: 'open',
  currency,
  locale,
  lines,
  codes,
  payment: null,
  ...unattempted,
  placing: null,
  orderId: null,
  orderNumber: null,
  version: 1,
  expiresAt: endOf('session', happenedAt),
  late: false,
});

/** With what it comes to now. */
async function evaluated(
  tx: TenantTransaction,
  read: TenantTransaction['queryAll'],
  session: Omit<KeptSession, 'figures'>,
  shop: Shop,
  { payments }: Pick<SessionDeps, 'payments'>,
  wanted?: readonly WantedLine[],
  check?: (found: Evaluated) => void,
): Promise<KeptSession> {
  const { tenant } = tx.context;
  const lines = wanted ?? session.lines.map(wantedOf);
  const found = await evaluate(tenant, read, session, shop, payments, lines);
  tx.afterCommit(() => see(tenant, session.id, readingOf(session, lines)));
  check?.(found);
  return withFigures(session, found, tx.context);
}

/** As it is to be kept after a change. */
export const withFigures = (
  session: Omit<KeptSession, 'figures'>,
  { figures, priced }: Evaluated,
  { happenedAt }: TenantContext,
): KeptSession => ({
  ...session,
  figures,
  lines: priced.lines.map(({ kept }) => kept),
  shippingOptionId: figures.shippingOptionId,
  status: figures.missing.length === 0 ? 'ready' : 'open',
  expiresAt: endOf('session', happenedAt),
});

/** The session of a cart that is held, held too. */
async function heldSession(tx: TenantTransaction, id: string): Promise<KeptSession | undefined> {
  const row = await holdSession(tx, id);
  return row === undefined ? undefined : readSession(row);
}

async function openDirect(
  context: TenantContext,
  shop: Shop,
  { lines = [], currency: given, codes = [], locale, said = {}, doorState }: Opening,
  deps: SessionDeps,
  asked: Repeatable | undefined,
): Promise<Opened> {
  const { tenant } = context;
  const done = await context.require(serveBuyers).write(async (tx): Promise<Opened> => {
    const [before, room, [books]] = await Promise.all([
      claim<Checkout>(tx, asked),
      roomIn(tx),
      given === undefined ? tx.query<{ base_currency: string }>(baseCurrency(tenant)) : [],
    ]);
    const answered = before();
    if (answered !== undefined) return { answer: answered, replayed: true, made: true };
    const currency = given ?? books?.base_currency ?? 'EUR';
    const wanted = withMore([], lines);
    const session = {
      ...fresh(shop, { currency, locale: locale ?? null, lines: [], codes }, null, tx.context.happenedAt),
      ...saying(said),
      doorState: doorState ?? null,
    };
    const next = await evaluated(tx, tx.queryAll, session, shop, deps, wanted, ({ priced }) =>
      requireSold(priced, wanted, lines, currency),
    );
    insertSession(tx, next, tokenDigest(tokenOf(deps.secret, next.id)));
    const answer = showSession(tenant, next, deps);
    await takeRoom(tx, shop, room, { before: null, after: next, asked, answer });
    keepAnswer(tx, asked, answer, next.id);
    return { answer, replayed: false, made: true };
  });
  return { ...done, answer: { ...done.answer, token: tokenOf(deps.secret, done.answer.id) } };
}
