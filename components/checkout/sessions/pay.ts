import {
  answersLocally,
  attachAtOnce,
  attachPayments,
  lookUp,
  type Payment,
  type PaymentOutcome,
  paymentOfCheckout,
  type PaymentSettings,
  type Placing,
  type Prepared,
  settlePayment,
  voidPayment,
} from '@steward/orders';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { release } from '@steward/stock';
import { releaseDiscounts } from '../discounts/use.ts';
import { serveBuyers } from '../permissions.ts';
import { succeeded } from './attempts.ts';
import type { SessionDeps } from './deps.ts';
import { holdSession, type KeptSession, readSession, type ShownPayment, storeSession } from './session.ts';

/** As the buyer is shown it. */
export const shownPayment = (payment: Payment, instructions: string | null): ShownPayment => ({
  handler: payment.handler,
  method: payment.method,
  status: payment.state,
  action: payment.action as ShownPayment['action'],
  instructions,
  payBy: payment.payBy,
  reason: payment.declineReason,
});

/**
 * Goes on from what became of the payment of a checkout that is held and holds its stock and discounts: the order is placed, or all is given
 * back, or the buyer has a further step to take.
 */
export async function conclude(
  tx: TenantTransaction,
  session: KeptSession,
  payment: Payment,
  placing: Placing,
  deps: SessionDeps,
): Promise<KeptSession> {
  const shown = shownPayment(payment, session.payment?.instructions ?? null);
  switch (payment.state) {
    case 'authorized':
    case 'captured':
    case 'awaiting':
      return place(tx, { ...succeeded(session), payment: shown }, placing, deps);
    case 'declined':
    case 'voided':
      return giveBack(tx, { ...session, payment: shown }, 'ready');
    case 'requires_action':
      if (session.late) {
        await voidPayment(tx, payment, { kind: 'checkout', id: session.id });
        return giveBack(tx, { ...session, payment: { ...shown, status: 'voided', action: null } }, 'expired');
      }
      return stored(tx, { ...session, status: 'completing', payment: shown, placing });
    case 'started':
      return stored(tx, { ...session, status: 'completing', payment: shown, placing });
  }
}

function stored(tx: TenantTransaction, session: KeptSession): KeptSession {
  const next = { ...session, version: session.version + 1 };
  storeSession(tx, next);
  return next;
}

/** A payment that is inserted with its order. */
export interface PaidAtOnce {
  pay(orderId: string): Promise<Payment>;
  readonly settings: PaymentSettings;
  readonly instructions: string | null;
}

/**
 * The order, and the end of the checkout and of its cart, which is open: whoever cancels it cancels its checkout.
 * @param session with its payment; without one, nothing is to be paid, or it is paid at once
 */
export async function place(
  tx: TenantTransaction,
  session: KeptSession,
  placing: Placing,
  deps: SessionDeps,
  { prepared, atOnce }: { readonly prepared?: Prepared; readonly atOnce?: PaidAtOnce | undefined } = {},
): Promise<KeptSession> {
  const { tenant } = tx.context;
  let paid: Payment | undefined;
  const beside = async (orderId: string): Promise<void> => {
    paid = await atOnce?.pay(orderId);
  };
  const order = await deps.placeOrder(tx, placing, { prepared, ...(atOnce === undefined ? {} : { beside }) });
  if (atOnce !== undefined) {
    if (paid === undefined) await beside(order.id);
    await attachAtOnce(tx, paid as unknown as Payment, atOnce.settings);
  } else if (session.payment !== null) await attachPayments(tx, { checkoutId: session.id, orderId: order.id });
  if (session.cartId !== null)
    tx.later(sql`
      update checkout.cart set status = 'converted', version = version + 1, updated_at = clock_timestamp()
      where tenant_id = ${tenant}::uuid and cart_id = ${session.cartId}::uuid`);
  const payment =
    paid === undefined || atOnce === undefined ? session.payment : shownPayment(paid, atOnce.instructions);
  const done = { status: 'completed', placing: null, orderId: order.id, orderNumber: order.number } as const;
  return stored(tx, { ...session, ...done, payment });
}

/** Stock and discounts are anybody's again. */
export async function giveBack(
  tx: TenantTransaction,
  session: KeptSession,
  status: 'ready' | 'cancelled' | 'expired',
): Promise<KeptSession> {
  await release(tx, { holder: session.id });
  await releaseDiscounts(tx, session.id);
  return stored(tx, { ...session, status, placing: null });
}

/**
 * Follows up a payment that was left in the middle, by a crash or by a buyer who went away: once, however many do so. Nothing is ever asked
 * for a second time; what became of it is looked up.
 */
export async function resume(context: TenantContext, checkoutId: string, deps: SessionDeps): Promise<void> {
  const scope = context.require(serveBuyers);
  const payment = await paymentOfCheckout(scope, checkoutId);
  if (payment === undefined) return;
  const outcome = await becameOf(context, payment, deps);
  await scope.write(async (tx) => goOn(tx, checkoutId, { paymentId: payment.id, outcome }, deps));
}

/** What its provider says of a payment that is under way; undefined where nothing is to be asked. Outside of any transaction. */
export const becameOf = async (
  context: TenantContext,
  payment: Payment,
  { payments }: Pick<SessionDeps, 'payments'>,
): Promise<PaymentOutcome | undefined> =>
  payment.state === 'started' || (payment.state === 'requires_action' && !answersLocally(payment))
    ? lookUp(payment, context, payments.handlers)
    : undefined;

/**
 * Goes on with a checkout from what its provider says of its payment, where it still waits for that: once, whoever is told it and in which order.
 * Undefined where nothing changed.
 */
export async function goOn(
  tx: TenantTransaction,
  checkoutId: string,
  { paymentId, outcome }: { readonly paymentId: string; readonly outcome: PaymentOutcome | undefined },
  deps: SessionDeps,
): Promise<KeptSession | undefined> {
  const row = await holdSession(tx, checkoutId);
  const session = row === undefined ? undefined : readSession(row);
  if (session === undefined || session.status !== 'completing' || session.placing === null) return undefined;
  const payment = await paymentOfCheckout(tx, checkoutId);
  // It waits for another by now.
  if (payment?.id !== paymentId) return undefined;
  const settled = await settledBy(tx, session, payment, outcome);
  // A step that the buyer has still time for changes nothing.
  if (settled === undefined || (settled.state === session.payment?.status && !session.late)) return undefined;
  return conclude(tx, session, settled, session.placing, deps);
}

/** Undefined: nobody knows, and it is asked about again. What no buyer was ever shown cannot be paid, so it ends with the time of the checkout. */
async function settledBy(
  tx: TenantTransaction,
  { late }: KeptSession,
  payment: Payment,
  outcome: PaymentOutcome | undefined,
): Promise<Payment | undefined> {
  if (outcome?.kind !== 'unknown') return outcome === undefined ? payment : settlePayment(tx, payment.id, outcome);
  if (!late || payment.reference !== null) return undefined;
  return settlePayment(tx, payment.id, { kind: 'declined', reason: 'no_answer' });
}
