import { parseAmount } from '@steward/kernel';
import type { Placing, PostalAddress } from '@steward/orders';
import { type Row, sql, type Statement, type TenantTransaction } from '@steward/sql';
import type { Mode } from '@steward/stock';
import { z } from 'zod';
import { type DoorState, type Holding, isOpenedBy, none, type Shop } from '../carts/cart.ts';
import { doorStateText } from '../carts/door-state.ts';
import { checkoutFail } from '../errors.ts';
import type { KeptLine } from '../pricing/line.ts';
import { paymentDeclined } from '../pricing/message.ts';
import { type Figures, figures } from './figures.ts';
import type { Said } from './said.ts';

export const statuses = ['open', 'ready', 'completing', 'completed', 'cancelled', 'expired'] as const;

const shownPayment = z.object({
  handler: z.string(),
  method: z.string(),
  status: z.enum(['started', 'requires_action', 'awaiting', 'authorized', 'captured', 'declined', 'voided']),
  /** What the buyer must do next; `POST …/confirm` says that it was done. */
  action: z.looseObject({ kind: z.string(), url: z.string().optional() }).nullable(),
  /** What the shop tells those who pay so, such as bank details. */
  instructions: z.string().nullable(),
  /** The last day to pay, ISO, after which an order that nobody paid is cancelled. */
  payBy: z.iso.date().nullable(),
  /** Why it was declined. */
  reason: z.string().nullable(),
});
export type ShownPayment = z.output<typeof shownPayment>;

/** A checkout as its row keeps it. */
export interface KeptSession extends Said {
  readonly id: string;
  readonly cartId: string | null;
  readonly siteId: string | null;
  readonly keyId: string | null;
  readonly agentId: string | null;
  readonly brandId: string;
  readonly mode: Mode;
  readonly status: (typeof statuses)[number];
  readonly currency: string;
  readonly doorState: DoorState | null;
  readonly figures: Figures;
  readonly payment: ShownPayment | null;
  /** Payments of an agent that were begun and did not succeed. */
  readonly attempts: number;
  /** When the last one was; `now`: as it is written. */
  readonly attemptedAt: Date | 'now' | null;
  readonly attemptedTrusted: boolean;
  readonly placing: Placing | null;
  readonly orderId: string | null;
  readonly orderNumber: string | null;
  readonly version: number;
  readonly expiresAt: Date;
  /** Whether its time is over, whatever its status. */
  readonly late: boolean;
}

const address = z.object({
  name: z.string().nullable(),
  company: z.string().nullable(),
  line1: z.string(),
  line2: z.string().nullable(),
  city: z.string(),
  region: z.string().nullable(),
  postcode: z.string().nullable(),
  country: z.string(),
  phone: z.string().nullable(),
});

/** A checkout as its buyer sees it. */
export const checkout = z.object({
  id: z.uuid(),
  status: z.enum(statuses),
  mode: z.enum(['live', 'test']),
  currency: z.string(),
  locale: z.string().nullable(),
  codes: z.array(z.string()),
  email: z.string().nullable(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  shippingAddress: address.nullable(),
  billingAddress: address.nullable(),
  vatNumber: z.string().nullable(),
  note: z.string().nullable(),
  marketingConsent: z.boolean(),
  ...figures.shape,
  payment: shownPayment.nullable(),
  order: z
    .object({
      id: z.uuid(),
      number: z.string(),
      /** Opens the order in later requests. */
      token: z.string(),
      /** A page for people. */
      statusUrl: z.string(),
    })
    .nullable(),
  expiresAt: z.string().meta({ format: 'date-time' }),
  /** Counts changes. */
  version: z.int(),
});
export type Checkout = z.output<typeof checkout> & { readonly doorState?: DoorState };

export const selectSession = (tenant: string, id: string): Statement =>
  sql`select *, expires_at <= clock_timestamp() as late from checkout.session
    where tenant_id = ${tenant}::uuid and checkout_id = ${id}::uuid`;

/** When what is done now happened, where that is told only now (ADR 32). */
const told = ({ context: { happenedAt } }: TenantTransaction): Date | null =>
  happenedAt === undefined ? null : new Date(happenedAt);

/** The session, held until the end of the transaction; its cart before it, as by everybody who holds both. */
export const holdSession = async (tx: TenantTransaction, id: string): Promise<Row | undefined> => {
  const { tenant } = tx.context;
  const [, rows = []] = await tx.queryAll([
    sql`select from checkout.cart where tenant_id = ${tenant}::uuid and cart_id =
      (select cart_id from checkout.session where tenant_id = ${tenant}::uuid and checkout_id = ${id}::uuid) for no key update`,
    sql`select *, expires_at <= coalesce(${told(tx)}::timestamptz, clock_timestamp()) as late from checkout.session
      where tenant_id = ${tenant}::uuid and checkout_id = ${id}::uuid for no key update`,
  ]);
  return rows[0];
};

/** @throws Problem `not_found` (404) where there is none, it is another site's, or the token is not its own: all alike */
export function sessionFrom(row: Row | undefined, shop: Shop, { token }: Holding): KeptSession {
  if (row === undefined || !isOpenedBy(row, shop, token)) throw none('checkout', shop);
  return readSession(row);
}

export function readSession(row: Row): KeptSession {
  const late = row['late'] === true;
  const text = (name: string) => row[name] as string | null;
  const stored = row['status'] as KeptSession['status'];
  return {
    id: String(row['checkout_id']),
    cartId: text('cart_id'),
    siteId: text('site_id'),
    keyId: text('key_id'),
    agentId: text('agent_id'),
    brandId: String(row['brand_id']),
    mode: row['mode'] as Mode,
    status: late && (stored === 'open' || stored === 'ready') ? 'expired' : stored,
    currency: String(row['currency']),
    locale: text('locale'),
    lines: row['lines'] as readonly KeptLine[],
    codes: row['codes'] as readonly string[],
    email: text('email'),
    name: text('name'),
    phone: text('phone'),
    shippingAddress: row['shipping_address'] as PostalAddress | null,
    billingAddress: row['billing_address'] as PostalAddress | null,
    shippingOptionId: text('shipping_option_id'),
    vatNumber: text('vat_number'),
    note: text('note'),
    marketingConsent: row['marketing_consent'] === true,
    doorState: row['door_state'] as DoorState | null,
    figures: figuresFrom(String(row['figures'])),
    payment: paymentIn(row['payment']),
    attempts: Number(row['payment_attempts']),
    attemptedAt: row['payment_attempted_at'] as Date | null,
    attemptedTrusted: row['payment_attempted_trusted'] === true,
    placing: row['agreed'] === null ? null : (revived(row['agreed']) as Placing),
    orderId: text('order_id'),
    orderNumber: text('order_number'),
    version: Number(row['version']),
    expiresAt: row['expires_at'] as Date,
    late,
  };
}

/** In the order in which they were kept: what is the same is told by that. Those that came before `shippingCountries` have none. */
function figuresFrom(text: string): Figures {
  const figures = JSON.parse(text) as Omit<Figures, 'shippingCountries'> & Partial<Figures>;
  return { ...figures, shippingCountries: figures.shippingCountries ?? null };
}

/** A bigint in JSON is an object of its own, for any text may be what somebody typed. */
const frozen = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? { $n: one.toString() } : one));
function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  const { $n: digits } = value as { $n?: unknown };
  if (typeof digits === 'string') return BigInt(digits);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revived(one)]));
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** What is at its checkout is not left: room is made of other carts. The cart is held. */
function touchCart(tx: TenantTransaction, { cartId }: KeptSession): void {
  if (cartId === null) return;
  tx.later(sql`
    update checkout.cart set updated_at = clock_timestamp() where tenant_id = ${tx.context.tenant}::uuid and cart_id = ${cartId}::uuid
      and updated_at < clock_timestamp() - interval '10 minutes'`);
}

/** Writes all of it that may change. */
export function storeSession(tx: TenantTransaction, one: KeptSession): void {
  const { tenant } = tx.context;
  touchCart(tx, one);
  tx.later(sql`
    update checkout.session set status = ${one.status}, locale = ${one.locale}, lines = ${JSON.stringify(one.lines)}::jsonb,
      codes = ${one.codes}::text[], email = ${one.email}, name = ${one.name}, phone = ${one.phone},
      shipping_address = ${json(one.shippingAddress)}::jsonb, billing_address = ${json(one.billingAddress)}::jsonb,
      shipping_option_id = ${one.shippingOptionId}::uuid, vat_number = ${one.vatNumber}, note = ${one.note},
      marketing_consent = ${one.marketingConsent}::boolean, door_state = ${doorStateText(one.doorState)}::jsonb, figures = ${JSON.stringify(one.figures)},
      total = ${minorOf(one)}::numeric, units = ${unitsOf(one)}::bigint, payment = ${json(one.payment)}::jsonb,
      payment_attempts = ${one.attempts}::int, payment_attempted_at = ${one.attemptedAt}::timestamptz, payment_attempted_trusted = ${one.attemptedTrusted}::boolean,
      agreed = ${one.placing === null ? null : frozen(one.placing)}::jsonb, order_id = ${one.orderId}::uuid, order_number = ${one.orderNumber},
      version = ${one.version}::int, updated_at = coalesce(${told(tx)}::timestamptz, clock_timestamp()), expires_at = ${one.expiresAt}::timestamptz
    where tenant_id = ${tenant}::uuid and checkout_id = ${one.id}::uuid`);
}

export function insertSession(tx: TenantTransaction, one: KeptSession, token: Buffer): void {
  const { tenant } = tx.context;
  touchCart(tx, one);
  tx.later(sql`
    insert into checkout.session (tenant_id, checkout_id, cart_id, site_id, key_id, agent_id, brand_id, mode, token_sha256, status, currency, locale,
      lines, codes, email, name, phone, shipping_address, billing_address, shipping_option_id, vat_number, note, marketing_consent, door_state, figures,
      total, units, updated_at, expires_at)
    values (${tenant}::uuid, ${one.id}::uuid, ${one.cartId}::uuid, ${one.siteId}::uuid, ${one.keyId}::uuid, ${one.agentId}::uuid,
      ${one.brandId}::uuid, ${one.mode}, ${token}::bytea, ${one.status}, ${one.currency}, ${one.locale}, ${JSON.stringify(one.lines)}::jsonb,
      ${one.codes}::text[], ${one.email}, ${one.name}, ${one.phone}, ${json(one.shippingAddress)}::jsonb, ${json(one.billingAddress)}::jsonb,
      ${one.shippingOptionId}::uuid, ${one.vatNumber}, ${one.note}, ${one.marketingConsent}::boolean, ${doorStateText(one.doorState)}::jsonb,
      ${JSON.stringify(one.figures)}, ${minorOf(one)}::numeric, ${unitsOf(one)}::bigint,
      coalesce(${told(tx)}::timestamptz, clock_timestamp()), ${one.expiresAt}::timestamptz)`);
}

const minorOf = ({ figures: { total } }: KeptSession): bigint => parseAmount(total.amount, total.currency) ?? 0n;
const unitsOf = ({ lines }: KeptSession): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** @throws Problem `payment_in_progress`, `checkout_closed` (409) */
export function requireChangeable({ status }: KeptSession): void {
  if (status === 'open' || status === 'ready') return;
  if (status === 'completing') throw beingPaid();
  throw closed(status);
}

export const beingPaid = (): Error =>
  checkoutFail('payment_in_progress', 'The checkout is being paid: complete the payment, or cancel the checkout.');

export const closed = (status: string): Error =>
  checkoutFail('checkout_closed', `The checkout is ${status} and does not change any more: make a new one.`);

/** How an order is opened by its buyer. */
export interface OrderLinks {
  readonly tokenOf: (tenant: string, orderId: string) => string;
  readonly statusUrlOf: (tenant: string, orderId: string) => string;
}

export function showSession(tenant: string, one: KeptSession, links: OrderLinks): Checkout {
  const { id, status, mode, currency, locale, codes, email, name, phone, vatNumber, note, marketingConsent } = one;
  const open = status === 'open' || status === 'ready';
  const declined =
    open && one.payment?.status === 'declined' ? [paymentDeclined(one.payment.reason ?? 'declined')] : [];
  return {
    id,
    status,
    mode,
    currency,
    locale,
    codes: [...codes],
    email,
    name,
    phone,
    shippingAddress: one.shippingAddress,
    billingAddress: one.billingAddress,
    vatNumber,
    note,
    marketingConsent,
    ...one.figures,
    messages: [...declined, ...one.figures.messages],
    payment: one.payment,
    order:
      one.orderId === null
        ? null
        : {
            id: one.orderId,
            number: one.orderNumber ?? '',
            token: links.tokenOf(tenant, one.orderId),
            statusUrl: links.statusUrlOf(tenant, one.orderId),
          },
    expiresAt: one.expiresAt.toISOString(),
    version: one.version,
    ...(one.doorState === null ? {} : { doorState: one.doorState }),
  };
}

type KeptPayment = Omit<ShownPayment, 'payBy'> & Partial<Pick<ShownPayment, 'payBy'>>;

/** What was kept before there were last days to pay has none. */
function paymentIn(kept: unknown): ShownPayment | null {
  return kept === null ? null : { payBy: null, ...(kept as KeptPayment) };
}
