import { statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { type Beginning, recordStarted, requireOffered, underWay } from './begin.ts';
import type { PaymentOutcome } from './handlers/handler.ts';
import { handlersFor, ownHandlers } from './handlers/handlers.ts';
import { held, type Payment } from './payment.ts';
import { lookAt, payByOf } from './pay-by.ts';
import type { PaymentSettings } from './settings.ts';
import { told } from './told.ts';

/** What places an order at once. */
type Agreed = PaymentOutcome & { readonly kind: 'authorized' | 'awaiting' };
export const isAgreed = (outcome: PaymentOutcome): outcome is Agreed =>
  outcome.kind === 'authorized' || outcome.kind === 'awaiting';

type Asked = Beginning & { readonly id: string; readonly settings: PaymentSettings };

/**
 * Asks a handler that answers without leaving the process, before there is a row: nobody could come in between.
 * @param attempt 1 for the first of the checkout, which the caller holds
 * @returns undefined where the handler leaves the process: begin the payment then
 * @throws Problem `invalid_request` (400) for a handler or method that is not offered
 */
export async function askLocally(
  context: TenantContext,
  asked: Asked,
  attempt: number,
): Promise<PaymentOutcome | undefined> {
  const { id: paymentId, checkoutId, amount, currency, method, mode, settings } = asked;
  const handler = ownHandlers.get(asked.handler);
  if (handler?.local !== true) return undefined;
  requireOffered(handlersFor(mode, settings), asked);
  const nothing = { reference: null, captured: 0n, connectionId: null };
  return handler.authorize({ paymentId, checkoutId, mode, amount, currency, method, attempt, ...nothing }, context);
}

/** Which attempt to pay a checkout the next one is. The caller holds the checkout. */
export async function nextAttempt(tx: TenantTransaction, checkoutId: string): Promise<number> {
  const [row] = await tx.query<{ attempt: number }>(
    statement(
      `select count(*)::int + 1 as attempt from orders.payment where tenant_id = $1::uuid and checkout_id = $2::uuid`,
      [tx.context.tenant, checkoutId],
    ),
  );
  return row?.attempt ?? 1;
}

/**
 * A payment that was answered at once, as one row that has its order: it is begun, settled and attached, and each is told. `attachAtOnce` tells
 * the last, after the order.
 * @throws Problem `payment_under_way` (409) where one of this checkout was not declined
 */
export async function payAtOnce(
  tx: TenantTransaction,
  { id, checkoutId, mode, handler, method, amount, currency, settings }: Asked,
  outcome: Agreed,
  { orderId, attempt }: { readonly orderId: string; readonly attempt: number },
): Promise<Payment> {
  const [row] = await tx.query(
    statement(
      `insert into orders.payment as p (tenant_id, payment_id, checkout_id, mode, handler, method, amount, currency, attempt, state, reference, order_id,
         version, pay_by, look_at)
       values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7::bigint, $8, $9::int, $10, $11, $12::uuid, 3, $13::date, ${lookAt('$13')})
       on conflict do nothing returning ${held.columns}`,
      [
        tx.context.tenant,
        id,
        checkoutId,
        mode,
        handler,
        method,
        amount,
        currency,
        attempt,
        outcome.kind,
        outcome.reference ?? null,
        orderId,
        payByOf(settings, { handler, method }, tx.context.happenedAt),
      ],
    ),
  );
  if (row === undefined) throw underWay();
  const paid = held.read(row);
  recordStarted(tx, { ...paid, state: 'started', reference: null, orderId: null, version: 1 });
  tx.record(event('commerce.payment.settled', told({ ...paid, orderId: null, version: 2 })));
  return paid;
}
