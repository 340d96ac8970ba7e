import { sql, type TenantContext } from '@steward/sql';
import { endOf } from '../lifetimes.ts';
import { type Answered, enter, keepAnswer, recall, type Repeatable } from '../once/once.ts';
import { serveBuyers } from '../permissions.ts';
import { type WantedLine, wantedOf } from '../pricing/line.ts';
import { lastSeen, readAhead, see } from '../pricing/ahead.ts';
import { price, priceReads, type Reading } from '../pricing/price.ts';
import { roomIn, takeRoom } from '../room/take.ts';
import { cancelWithCart } from '../sessions/with-cart.ts';
import { doorStateText } from './door-state.ts';
import {
  askingOf,
  type Cart,
  cartFrom,
  type DoorState,
  type Holding,
  type KeptCart,
  requireOpen,
  selectCart,
  type Shop,
  showCart,
} from './cart.ts';
import { type LinesGiven, type QuantitiesGiven, requireSold, withMore, withNew, withQuantities } from './given.ts';

/** What a call asks for beside its change. */
export interface Asked {
  /** The version that the caller has seen; undefined: any. */
  readonly version?: number | undefined;
  readonly repeatable?: Repeatable | undefined;
  /** What the door keeps with it from now on; undefined: what it keeps already. */
  readonly doorState?: DoorState | undefined;
  /** What was done already is not answered again, but under the key that it was done with. */
  readonly anew?: boolean;
}

interface Change {
  readonly lines?: readonly WantedLine[];
  readonly codes?: readonly string[];
  readonly cancelled?: true;
  /** What was added, to be sold. */
  readonly added?: LinesGiven;
}

/** Adds pieces; a variant that is there already gets more of them. @throws Problem `not_sold` (422) and as `changeCart` */
export const addLines = async (
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  added: LinesGiven,
  asked: Asked,
): Promise<Answered<Cart>> =>
  changeCart(
    context,
    shop,
    holding,
    asked,
    ({ lines }) => ({ lines: withMore(lines, added), added }),
    (before) => ({
      ...before,
      lines: [...new Map([...before.lines, ...added].map(({ variantId }) => [variantId, { variantId }])).values()],
    }),
  );

/** Sets how many pieces lines have; 0 removes one. @throws Problem as `changeCart` */
export const setQuantities = async (
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  given: QuantitiesGiven,
  asked: Asked,
): Promise<Answered<Cart>> =>
  changeCart(context, shop, holding, asked, ({ lines }) => ({ lines: withQuantities(lines, given) }));

/** All codes in place of those that were entered before. @throws Problem as `changeCart` */
export const setCodes = async (
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  codes: readonly string[],
  asked: Asked,
): Promise<Answered<Cart>> =>
  changeCart(
    context,
    shop,
    holding,
    asked,
    () => ({ codes }),
    (before) => ({ ...before, codes }),
  );

/** The whole of what is in it, in place of what was; a variant that stays keeps its line. @throws Problem `not_sold` (422) and as `changeCart` */
export const replaceCart = async (
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  { lines, codes }: { readonly lines: LinesGiven; readonly codes: readonly string[] },
  asked: Asked,
): Promise<Answered<Cart>> =>
  changeCart(
    context,
    shop,
    holding,
    asked,
    (kept) => ({ lines: withNew(kept.lines, lines), codes, added: lines }),
    (before) => ({ ...before, lines, codes }),
  );

/** Ends it, and the checkout that was made of it. @throws Problem `payment_in_progress` (409) and as `changeCart` */
export const cancelCart = async (
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  asked: Asked,
): Promise<Answered<Cart>> => changeCart(context, shop, holding, asked, () => ({ cancelled: true }));

/** @throws Problem `not_found` (404), `cart_closed`, `idempotency_key_reused` (409), `version_changed` (412), `invalid_request` (400), `cart_limit` (429) where it grows */
async function changeCart(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  { version, repeatable, doorState }: Asked,
  changed: (kept: KeptCart) => Change,
  /** What is likely to be read for it. */
  likely: (before: Reading) => Reading = (before) => before,
): Promise<Answered<Cart>> {
  const { tenant } = context;
  const known = lastSeen(tenant, holding.id);
  return context.require(serveBuyers).write(async (tx) => {
    await enter(tx, repeatable);
    const [[row], before, room, read] = await Promise.all([
      tx.query(selectCart(tenant, holding.id, true)),
      recall<Cart>(tx, repeatable),
      roomIn(tx),
      readAhead(tx.queryAll, known === undefined ? undefined : priceReads(tenant, likely(known))),
    ]);
    const kept = cartFrom(row, shop, holding);
    const answered = before();
    if (answered !== undefined) return { answer: answered, replayed: true };
    requireOpen(kept, version);
    const { lines = kept.lines.map(wantedOf), codes = kept.codes, cancelled, added } = changed(kept);
    const asking = askingOf({ ...kept, codes }, shop, lines);
    const priced = await price(tenant, read, asking);
    tx.afterCommit(() => see(tenant, kept.id, asking));
    if (added !== undefined) requireSold(priced, lines, added, kept.currency);
    if (cancelled === true && kept.checkoutId !== null) await cancelWithCart(tx, kept.checkoutId);
    const next: KeptCart = {
      ...kept,
      status: cancelled === true ? 'cancelled' : 'open',
      lines: priced.lines.map((one) => one.kept),
      codes,
      doorState: doorState ?? kept.doorState,
      version: kept.version + 1,
      expiresAt: endOf('cart'),
    };
    tx.later(sql`
      update checkout.cart set status = ${next.status}, lines = ${JSON.stringify(next.lines)}::jsonb, codes = ${codes}::text[],
        door_state = ${doorStateText(next.doorState)}::jsonb, version = ${next.version}::int, updated_at = clock_timestamp(), expires_at = ${next.expiresAt}::timestamptz
      where tenant_id = ${tenant}::uuid and cart_id = ${kept.id}::uuid`);
    const answer = showCart(next, priced);
    const growth = { before: kept, after: next, asked: repeatable, answer, held: [kept.id, kept.checkoutId] };
    if (await takeRoom(tx, shop, room, growth)) keepAnswer(tx, repeatable, answer);
    return { answer, replayed: false };
  });
}
