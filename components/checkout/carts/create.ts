import { baseCurrency } from '@steward/accounting';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { endOf } from '../lifetimes.ts';
import { currency as currencyGiven } from '../money.ts';
import { type Answered, claim, keepAnswer, type Repeatable } from '../once/once.ts';
import { serveBuyers } from '../permissions.ts';
import { see } from '../pricing/ahead.ts';
import { price } from '../pricing/price.ts';
import { roomIn, takeRoom } from '../room/take.ts';
import { doorStateText } from './door-state.ts';
import { askingOf, type Cart, type DoorState, type KeptCart, type Shop, showCart } from './cart.ts';
import { codesGiven, linesGiven, localeGiven, requireSold, withMore } from './given.ts';
import { tokenDigest, tokenOf } from './token.ts';

export const cartGiven = z.strictObject({
  currency: currencyGiven.optional(),
  lines: linesGiven.optional(),
  codes: codesGiven.optional(),
  locale: localeGiven.optional(),
});

/**
 * A new cart, and the token that opens it.
 * @throws Problem `not_sold` (422), `idempotency_key_reused` (409), `cart_limit` (429)
 */
export async function createCart(
  context: TenantContext,
  shop: Shop,
  given: z.output<typeof cartGiven>,
  secret: Uint8Array,
  asked?: Repeatable,
  doorState: DoorState | null = null,
): Promise<Answered<Cart & { readonly token: string }>> {
  const { tenant } = context;
  const made = await context.require(serveBuyers).write(async (tx): Promise<Answered<Cart>> => {
    const [before, room, [books]] = await Promise.all([
      claim<Cart>(tx, asked),
      roomIn(tx),
      given.currency === undefined ? tx.query<{ base_currency: string }>(baseCurrency(tenant)) : [],
    ]);
    const answered = before();
    if (answered !== undefined) return { answer: answered, replayed: true };
    const { lines = [], codes = [], locale = null } = given;
    const currency = given.currency ?? books?.base_currency ?? 'EUR';
    const wanted = withMore([], lines);
    const kept = { mode: shop.mode, agentId: shop.agentId, brandId: shop.brandId, currency, codes };
    const asking = askingOf(kept, shop, wanted);
    const priced = await price(tenant, tx.queryAll, asking);
    requireSold(priced, wanted, lines, currency);
    const id = newId();
    tx.afterCommit(() => see(tenant, id, asking));
    const own: KeptCart = {
      ...kept,
      id,
      locale,
      status: 'open',
      lines: priced.lines.map((one) => one.kept),
      doorState,
      checkoutId: null,
      version: 1,
      expiresAt: endOf('cart'),
    };
    tx.later(sql`
      insert into checkout.cart (tenant_id, cart_id, site_id, key_id, agent_id, brand_id, mode, token_sha256, status, currency, locale, lines, codes,
        door_state, expires_at)
      values (${tenant}::uuid, ${id}::uuid, ${shop.siteId}::uuid, ${shop.keyId}::uuid, ${shop.agentId}::uuid, ${shop.brandId}::uuid, ${shop.mode},
        ${tokenDigest(tokenOf(secret, id))}::bytea, 'open', ${currency}, ${locale}, ${JSON.stringify(own.lines)}::jsonb, ${codes}::text[],
        ${doorStateText(doorState)}::jsonb, ${own.expiresAt}::timestamptz)`);
    const answer = showCart(own, priced);
    await takeRoom(tx, shop, room, { before: null, after: own, asked, answer });
    keepAnswer(tx, asked, answer, id);
    return { answer, replayed: false };
  });
  return { ...made, answer: { ...made.answer, token: tokenOf(secret, made.answer.id) } };
}
