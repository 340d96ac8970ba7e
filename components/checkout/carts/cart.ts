import { moneyShape } from '@steward/contract';
import { fail, money } from '@steward/kernel';
import { type Row, sql, type Statement } from '@steward/sql';
import type { Mode } from '@steward/stock';
import { z } from 'zod';
import { checkoutFail } from '../errors.ts';
import { type KeptLine, showLine, shownLine } from '../pricing/line.ts';
import { message } from '../pricing/message.ts';
import { type Asking, type Priced } from '../pricing/price.ts';
import type { WantedLine } from '../pricing/line.ts';
import { isToken } from './token.ts';

/** Where something is sold: a site and its key, or a door of the brand by which an agent buys for somebody. */
export interface Shop {
  readonly siteId: string | null;
  readonly keyId: string | null;
  /** Who has proved to be the agent; null: nobody has, and the token alone opens. */
  readonly agentId: string | null;
  /** The brand trusts that agent. */
  readonly agentTrusted?: boolean;
  readonly brandId: string;
  readonly mode: Mode;
  /** Where pictures are served. */
  readonly mediaAt: string;
}

/** A cart or checkout, and the proof that it is the caller's. */
export interface Holding {
  readonly id: string;
  readonly token: string | undefined;
}

/** What a door keeps with a cart or checkout: it is opaque here, and goes with the person whom it is about. */
export type DoorState = Readonly<Record<string, unknown>>;

export const cartStatuses = ['open', 'converted', 'cancelled', 'expired'] as const;

/** A cart as its row keeps it. */
export interface KeptCart {
  readonly id: string;
  readonly status: (typeof cartStatuses)[number];
  readonly brandId: string;
  /** Whose agent made it. */
  readonly agentId: string | null;
  readonly mode: Mode;
  readonly currency: string;
  readonly locale: string | null;
  readonly lines: readonly KeptLine[];
  readonly codes: readonly string[];
  readonly doorState: DoorState | null;
  readonly checkoutId: string | null;
  readonly version: number;
  readonly expiresAt: Date;
}

/** What a buyer is shown of discounts. */
export const shownDiscount = z.object({
  name: z.string(),
  code: z.string().nullable(),
  amount: moneyShape,
  /** What it takes off each line, and off shipping, which has no line; none of zero. */
  allocations: z.array(z.object({ lineId: z.uuid().nullable(), amount: moneyShape })),
});

export const showDiscounts = (
  { discounts, lines, totals }: Pick<Priced, 'discounts' | 'lines' | 'totals'>,
  currency: string,
): z.output<typeof shownDiscount>[] => {
  const charged = [
    ...lines.map(({ kept, charged: one }) => ({ lineId: kept.id, taken: one?.discounts ?? [] })),
    { lineId: null, taken: totals.shipping?.discounts ?? [] },
  ];
  return discounts.map(({ discountId, name, code, amount }) => ({
    name,
    code,
    amount: money(amount, currency),
    allocations: charged.flatMap(({ lineId, taken }) =>
      taken
        .filter((one) => one.discountId === discountId)
        .map((one) => ({ lineId, amount: money(one.amount, currency) })),
    ),
  }));
};

export const cart = z.object({
  id: z.uuid(),
  status: z.enum(cartStatuses),
  currency: z.string(),
  locale: z.string().nullable(),
  lines: z.array(shownLine),
  /** As they were entered. */
  codes: z.array(z.string()),
  discounts: z.array(shownDiscount),
  /** Pieces. */
  itemCount: z.int(),
  /** Of the lines, before discounts. */
  subtotal: moneyShape,
  discount: moneyShape,
  /** Null: it follows from the address, which the checkout asks for. */
  tax: moneyShape.nullable(),
  total: moneyShape,
  pricesIncludeTax: z.boolean(),
  messages: z.array(message),
  expiresAt: z.string().meta({ format: 'date-time' }),
  /** Counts changes. */
  version: z.int(),
  /** The last checkout that was made of it. */
  checkoutId: z.uuid().nullable(),
});
export type Cart = z.output<typeof cart> & { readonly doorState?: DoorState };

export const mostLines = 500;

/** @param held locked until the end of the transaction */
export const selectCart = (tenant: string, id: string, held: boolean): Statement =>
  held
    ? sql`select *, expires_at <= clock_timestamp() as expired from checkout.cart
        where tenant_id = ${tenant}::uuid and cart_id = ${id}::uuid for no key update`
    : sql`select *, expires_at <= clock_timestamp() as expired from checkout.cart
        where tenant_id = ${tenant}::uuid and cart_id = ${id}::uuid`;

/** @throws Problem `not_found` (404) where there is none, it is another site's, or the token is not its own: all alike */
export function cartFrom(row: Row | undefined, shop: Shop, { token }: Holding): KeptCart {
  if (row === undefined || !isOpenedBy(row, shop, token)) throw none('cart', shop);
  return {
    id: String(row['cart_id']),
    status: row['status'] === 'open' && row['expired'] === true ? 'expired' : (row['status'] as KeptCart['status']),
    brandId: String(row['brand_id']),
    agentId: row['agent_id'] as string | null,
    mode: row['mode'] as Mode,
    currency: String(row['currency']),
    locale: row['locale'] as string | null,
    lines: row['lines'] as readonly KeptLine[],
    codes: row['codes'] as readonly string[],
    doorState: row['door_state'] as DoorState | null,
    checkoutId: row['checkout_id'] as string | null,
    version: Number(row['version']),
    expiresAt: row['expires_at'] as Date,
  };
}

/** Agents have no token of a cart: they are who made it. */
export const none = (noun: 'cart' | 'checkout', { agentId }: Shop): Error =>
  fail(
    'not_found',
    agentId === null
      ? `There is no such ${noun} for this key and token: send the id and the X-Cart-Token that it was made with.`
      : `There is no such ${noun} for this agent.`,
  );

/**
 * By its token, or by the agent that it was made for. The token is compared even where the site is another, so that time tells nothing; a site has
 * one brand, a door of agents is that of a brand.
 */
export const isOpenedBy = (row: Row, { siteId, agentId, brandId, mode }: Shop, token: string | undefined): boolean =>
  (isToken(token, row['token_sha256'] as Buffer) || (agentId !== null && row['agent_id'] === agentId)) &&
  row['site_id'] === siteId &&
  (siteId !== null || row['brand_id'] === brandId) &&
  row['mode'] === mode;

/** @throws Problem `cart_closed` (409), `version_changed` (412) */
export function requireOpen({ status, version }: KeptCart, expected: number | undefined): void {
  if (status !== 'open')
    throw checkoutFail('cart_closed', `The cart is ${status} and does not change any more: make a new one.`);
  requireVersion(version, expected);
}

export function requireVersion(version: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== version)
    throw checkoutFail('version_changed', `It has version ${version} now: read it again and decide anew.`);
}

export const askingOf = (
  { mode, brandId, currency, codes }: Pick<KeptCart, 'mode' | 'brandId' | 'currency' | 'codes'>,
  { mediaAt }: Pick<Shop, 'mediaAt'>,
  lines: readonly WantedLine[],
): Asking => ({
  mode,
  brandId,
  currency,
  mediaAt,
  codes,
  lines,
  address: null,
  shipTo: undefined,
  shippingOptionId: null,
  buyer: null,
  vatNumber: null,
});

export function showCart(kept: KeptCart, priced: Priced): Cart {
  const { lines, totals, pricing, messages } = priced;
  const { currency } = kept;
  return {
    id: kept.id,
    status: kept.status,
    currency,
    locale: kept.locale,
    lines: lines.map((line) => showLine(line, currency)),
    codes: [...kept.codes],
    discounts: showDiscounts(priced, currency),
    itemCount: lines.reduce((sum, line) => sum + line.kept.quantity, 0),
    subtotal: money(totals.subtotal, currency),
    discount: money(totals.discount, currency),
    tax: null,
    total: money(totals.total, currency),
    pricesIncludeTax: pricing === 'inclusive',
    messages: [...messages],
    expiresAt: kept.expiresAt.toISOString(),
    version: kept.version,
    checkoutId: kept.checkoutId,
    ...(kept.doorState === null ? {} : { doorState: kept.doorState }),
  };
}
