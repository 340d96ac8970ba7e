import { sql, type TenantContext } from '@steward/sql';
import { endOf } from '../lifetimes.ts';
import { type Answered, claim, keepAnswer, type Repeatable } from '../once/once.ts';
import { serveBuyers } from '../permissions.ts';
import { type WantedLine, wantedOf } from '../pricing/line.ts';
import { price } from '../pricing/price.ts';
import { cancelWithCart } from '../sessions/with-cart.ts';
import {
  askingOf,
  type Cart,
  cartFrom,
  type Holding,
  type KeptCart,
  requireOpen,
  selectCart,
  type Shop,
  showCart,
} from './cart.ts';
import { type LinesGiven, type QuantitiesGiven, requireSold, withMore, withQuantities } from './given.ts';

/** What a call asks for beside its change. */
export interface Asked {
  /** The version that the caller has seen; undefined: any. */
  readonly version?: number | undefined;
  readonly repeatable?: Repeatable | undefined;
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
  changeCart(context, shop, holding, asked, ({ lines }) => ({ lines: withMore(lines, added), added }));

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
): Promise<Answered<Cart>> => changeCart(context, shop, holding, asked, () => ({ codes }));

/** Ends it, and the checkout that was made of it. @throws Problem `payment_in_progress` (409) and as `changeCart` */
export const cancelCart = async (
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  asked: Asked,
): Promise<Answered<Cart>> => changeCart(context, shop, holding, asked, () => ({ cancelled: true }));

/** @throws Problem `not_found` (404), `cart_closed`, `idempotency_key_reused` (409), `version_changed` (412), `invalid_request` (400) */
async function changeCart(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  { version, repeatable }: Asked,
  changed: (kept: KeptCart) => Change,
): Promise<Answered<Cart>> {
  const { tenant } = context;
  return context.require(serveBuyers).write(async (tx) => {
    const [before, [row]] = await Promise.all([
      claim<Cart>(tx, repeatable),
      tx.query(selectCart(tenant, holding.id, true)),
    ]);
    const kept = cartFrom(row, shop, holding);
    const answered = before();
    if (answered !== undefined) return { answer: answered, replayed: true };
    requireOpen(kept, version);
    const { lines = kept.lines.map(wantedOf), codes = kept.codes, cancelled, added } = changed(kept);
    const priced = await price(tenant, tx.queryAll, askingOf({ ...kept, codes }, shop, lines));
    if (added !== undefined) requireSold(priced, lines, added, kept.currency);
    if (cancelled === true && kept.checkoutId !== null) await cancelWithCart(tx, kept.checkoutId);
    const next: KeptCart = {
      ...kept,
      status: cancelled === true ? 'cancelled' : 'open',
      lines: priced.lines.map((one) => one.kept),
      codes,
      version: kept.version + 1,
      expiresAt: endOf('cart'),
    };
    tx.later(sql`
      update checkout.cart set status = ${next.status}, lines = ${JSON.stringify(next.lines)}::jsonb, codes = ${codes}::text[],
        version = ${next.version}::int, updated_at = clock_timestamp(), expires_at = ${next.expiresAt}::timestamptz
      where tenant_id = ${tenant}::uuid and cart_id = ${kept.id}::uuid`);
    const answer = showCart(next, priced);
    keepAnswer(tx, repeatable, answer);
    return { answer, replayed: false };
  });
}
