import { statement, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { noteFigures } from './figures.ts';
import { held, holdPaymentsOf, openOf, type Payment } from './payment.ts';
import { takeAuthorized } from './requests/ask.ts';
import { type PaymentSettings, selectSettings, settingsOf } from './settings.ts';
import { told } from './told.ts';
import { voidPayment } from './void.ts';

/**
 * The payments of a checkout belong to its order from now on: in the transaction that places it. What is authorized is captured where the
 * tenant captures at placement.
 */
export async function attachPayments(
  tx: TenantTransaction,
  { checkoutId, orderId }: { readonly checkoutId: string; readonly orderId: string },
): Promise<void> {
  const { tenant } = tx.context;
  const [, rows = [], [setting] = []] = await tx.queryAll([
    statement(
      `select from orders.payment p where p.tenant_id = $1::uuid and p.checkout_id = $2::uuid order by p.payment_id for no key update`,
      [tenant, checkoutId],
    ),
    statement(
      `update orders.payment p set order_id = $3::uuid, version = version + 1, updated_at = clock_timestamp()
       where p.tenant_id = $1::uuid and p.checkout_id = $2::uuid and p.order_id is null returning ${held.columns}`,
      [tenant, checkoutId, orderId],
    ),
    selectSettings(tenant),
  ]);
  if (rows.length === 0) return;
  const attached = rows.map(held.read).toSorted((a, b) => a.attempt - b.attempt);
  for (const one of attached) tx.record(event('commerce.payment.attached', told(one)));
  if (settingsOf(setting).captureAt === 'placement')
    for (const one of attached) await captureAuthorized(tx, one, { kind: 'order', id: orderId });
  // Where no money has been promised or has come, such as by an invoice, the sums are as they were.
  if (attached.some(({ state, captured }) => state === 'authorized' || captured > 0n)) await noteFigures(tx, orderId);
}

/** The same for a payment that was inserted with its order (`payAtOnce`), and for those that were declined before it. */
export async function attachAtOnce(tx: TenantTransaction, payment: Payment, settings: PaymentSettings): Promise<void> {
  const { checkoutId, orderId, attempt, state } = payment;
  if (orderId === null) return;
  if (attempt > 1) await attachPayments(tx, { checkoutId, orderId });
  tx.record(event('commerce.payment.attached', told(payment)));
  if (state !== 'authorized') return;
  if (settings.captureAt === 'placement') await captureAuthorized(tx, payment, { kind: 'order', id: orderId });
  await noteFigures(tx, orderId);
}

/** Captures what an order has authorized, with the first that is sent of it. Whoever calls has locked the order. */
export async function captureAtFulfilment(
  tx: TenantTransaction,
  { orderId, fulfilmentId }: { readonly orderId: string; readonly fulfilmentId: string },
): Promise<void> {
  for (const one of await holdPaymentsOf(tx, orderId))
    await captureAuthorized(tx, one, { kind: 'fulfilment', id: fulfilmentId });
  await noteFigures(tx, orderId);
}

async function captureAuthorized(
  tx: TenantTransaction,
  payment: Payment,
  source: { readonly kind: string; readonly id: string },
): Promise<void> {
  // What its provider is asked for already is not asked for again.
  if (payment.state === 'authorized' && openOf(payment) > 0n && payment.capturing === 0n)
    await takeAuthorized(tx, payment, { source });
}

/** Gives up what an order has not captured, as it is cancelled. Whoever calls has locked the order. */
export async function voidPayments(tx: TenantTransaction, orderId: string): Promise<void> {
  for (const one of await holdPaymentsOf(tx, orderId)) await voidPayment(tx, one, { kind: 'order', id: orderId });
  await noteFigures(tx, orderId);
}
