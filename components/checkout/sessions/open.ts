import { baseCurrency } from '@steward/accounting';
import { fail, newId } from '@steward/kernel';
import { type Row, sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { cartFrom, type KeptCart, selectCart, type Shop } from '../carts/cart.ts';
import { requireSold, withMore } from '../carts/given.ts';
import { tokenDigest, tokenOf } from '../carts/token.ts';
import { checkoutFail } from '../errors.ts';
import { endOf } from '../lifetimes.ts';
import { type Answered, claim, keepAnswer, type Repeatable } from '../once/once.ts';
import { serveBuyers } from '../permissions.ts';
import { wantedOf, type WantedLine } from '../pricing/line.ts';
import type { SessionDeps } from './deps.ts';
import { evaluate, type Evaluated } from './figures.ts';
import type { CheckoutGiven } from './given.ts';
import {
  type Checkout,
  holdSession,
  insertSession,
  type KeptSession,
  readSession,
  showSession,
  storeSession,
} from './session.ts';
import type { Said } from './said.ts';

/** Whether it was made by this call. */
export interface Opened extends Answered<Checkout & { readonly token?: string }> {
  readonly made: boolean;
}

const nothingSaid: Omit<Said, 'locale' | 'lines' | 'codes'> = {
  email: null,
  name: null,
  phone: null,
  shippingAddress: null,
  billingAddress: null,
  shippingOptionId: null,
  vatNumber: null,
  note: null,
  marketingConsent: false,
};

/**
 * A checkout of a cart, which the cart's token opens, or of lines, with a token of its own in this answer alone. The same cart again answers the
 * same checkout, with what is in the cart now.
 * @param token that of the cart
 * @throws Problem `not_found` (404), `cart_closed` (409), `not_sold` (422), `invalid_request` (400)
 */
export async function openCheckout(
  context: TenantContext,
  shop: Shop,
  given: CheckoutGiven,
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
  { locale }: CheckoutGiven,
  holding: { readonly id: string; readonly token: string | undefined },
  deps: SessionDeps,
  asked: Repeatable | undefined,
): Promise<Opened> {
  const { tenant } = tx.context;
  const [before, [row]] = await Promise.all([
    claim<Pick<Opened, 'answer' | 'made'>>(tx, asked),
    tx.query<Row>(selectCart(tenant, holding.id, true)),
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
    ...(session !== undefined && lives ? session : fresh(shop, cart, cart.id)),
    lines: cart.lines,
    codes: cart.codes,
    ...(locale === undefined ? {} : { locale }),
  };
  const next = await evaluated(tx, asking, shop);
  if (lives) storeSession(tx, { ...next, version: next.version + 1 });
  else {
    insertSession(tx, next, row?.['token_sha256'] as Buffer);
    tx.later(
      sql`update checkout.cart set checkout_id = ${next.id}::uuid where tenant_id = ${tenant}::uuid and cart_id = ${cart.id}::uuid`,
    );
  }
  const answer = showSession(tenant, lives ? { ...next, version: next.version + 1 } : next, deps);
  keepAnswer(tx, asked, { answer, made: !lives });
  return { answer, replayed: false, made: !lives };
}

const fresh = (
  { siteId, keyId, brandId, mode }: Shop,
  { currency, locale, lines, codes }: Pick<KeptCart, 'currency' | 'locale' | 'lines' | 'codes'>,
  cartId: string | null,
): Omit<KeptSession, 'figures'> => ({
  ...nothingSaid,
  id: newId(),
  cartId,
  siteId,
  keyId,
  brandId,
  mode,
  status: 'open',
  currency,
  locale,
  lines,
  codes,
  payment: null,
  placing: null,
  orderId: null,
  orderNumber: null,
  version: 1,
  expiresAt: endOf('session'),
  late: false,
});

/** With what it comes to now. */
async function evaluated(
  tx: TenantTransaction,
  session: Omit<KeptSession, 'figures'>,
  shop: Shop,
  wanted?: readonly WantedLine[],
  check?: (found: Evaluated) => void,
): Promise<KeptSession> {
  const found = await evaluate(tx.context.tenant, tx.queryAll, session, shop, wanted ?? session.lines.map(wantedOf));
  check?.(found);
  return withFigures(session, found);
}

/** As it is to be kept after a change. */
export const withFigures = (session: Omit<KeptSession, 'figures'>, { figures, priced }: Evaluated): KeptSession => ({
  ...session,
  figures,
  lines: priced.lines.map(({ kept }) => kept),
  shippingOptionId: figures.shippingOptionId,
  status: figures.missing.length === 0 ? 'ready' : 'open',
  expiresAt: endOf('session'),
});

/** The session of a cart that is held, held too. */
async function heldSession(tx: TenantTransaction, id: string): Promise<KeptSession | undefined> {
  const row = await holdSession(tx, id);
  return row === undefined ? undefined : readSession(row);
}

async function openDirect(
  context: TenantContext,
  shop: Shop,
  { lines = [], currency: given, codes = [], locale }: CheckoutGiven,
  deps: SessionDeps,
  asked: Repeatable | undefined,
): Promise<Opened> {
  const { tenant } = context;
  const done = await context.require(serveBuyers).write(async (tx): Promise<Opened> => {
    const [before, [books]] = await Promise.all([
      claim<Checkout>(tx, asked),
      given === undefined ? tx.query<{ base_currency: string }>(baseCurrency(tenant)) : [],
    ]);
    const answered = before();
    if (answered !== undefined) return { answer: answered, replayed: true, made: true };
    const currency = given ?? books?.base_currency ?? 'EUR';
    const wanted = withMore([], lines);
    const session = fresh(shop, { currency, locale: locale ?? null, lines: [], codes }, null);
    const next = await evaluated(tx, session, shop, wanted, ({ priced }) =>
      requireSold(priced, wanted, lines, currency),
    );
    insertSession(tx, next, tokenDigest(tokenOf(deps.secret, next.id)));
    const answer = showSession(tenant, next, deps);
    keepAnswer(tx, asked, answer);
    return { answer, replayed: false, made: true };
  });
  return { ...done, answer: { ...done.answer, token: tokenOf(deps.secret, done.answer.id) } };
}
