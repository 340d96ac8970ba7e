import {
  attachPayments,
  lookUp,
  type Payment,
  paymentOfCheckout,
  type Placing,
  settlePayment,
  voidPayment,
} from '@steward/orders';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { release } from '@steward/stock';
import { releaseDiscounts } from '../discounts/use.ts';
import { serveBuyers } from '../permissions.ts';
import type { SessionDeps } from './deps.ts';
import { holdSession, type KeptSession, readSession, type ShownPayment, storeSession } from './session.ts';

/** As the buyer is shown it. */
export const shownPayment = (payment: Payment, instructions: string | null): ShownPayment => ({
  handler: payment.handler,
  method: payment.method,
  status: payment.state,
  action: payment.action as ShownPayment['action'],
  instructions,
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
      return place(tx, { ...session, payment: shown }, placing, deps);
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

/** The order, and the end of the checkout and of its cart, which is open: whoever cancels it cancels its checkout. @param session with its payment; without one, nothing is to be paid */
export async function place(
  tx: TenantTransaction,
  session: KeptSession,
  placing: Placing,
  deps: SessionDeps,
): Promise<KeptSession> {
  const { tenant } = tx.context;
  const order = await deps.placeOrder(tx, placing);
  if (session.payment !== null) await attachPayments(tx, { checkoutId: session.id, orderId: order.id });
  if (session.cartId !== null)
    tx.later(sql`
      update checkout.cart set status = 'converted', version = version + 1, updated_at = clock_timestamp()
      where tenant_id = ${tenant}::uuid and cart_id = ${session.cartId}::uuid`);
  return stored(tx, { ...session, status: 'completed', placing: null, orderId: order.id, orderNumber: order.number });
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
  const outcome = payment.state === 'started' ? await lookUp(payment) : undefined;
  if (outcome?.kind === 'unknown') return;
  await scope.write(async (tx) => {
    const row = await holdSession(tx, checkoutId);
    const session = row === undefined ? undefined : readSession(row);
    if (session === undefined || session.status !== 'completing' || session.placing === null) return;
    const settled =
      outcome === undefined ? await paymentOfCheckout(tx, checkoutId) : await settlePayment(tx, payment.id, outcome);
    // A step that the buyer has still time for changes nothing.
    if (settled === undefined || (settled.state === session.payment?.status && !session.late)) return;
    await conclude(tx, session, settled, session.placing, deps);
  });
}
