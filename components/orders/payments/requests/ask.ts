import { money, newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { event } from '../../events.ts';
import { kindOf } from '../handlers/handlers.ts';
import type { ProviderRequest } from '../handlers/handler.ts';
import { capture, notOpen, tooMuch } from '../capture.ts';
import type { OperationSource } from '../operation.ts';
import { holdPayment, openOf, type Payment } from '../payment.ts';

interface Asking {
  /** Of the operation that it carries out; of a capture, its own. */
  readonly id?: string;
  readonly kind: ProviderRequest['kind'];
  readonly amount: bigint;
  readonly source: OperationSource;
}

/** Whether somebody outside has to do it, too. */
export const isOutside = ({ handler }: Pick<Payment, 'handler'>): boolean => !kindOf(handler).local;

/** Writes down what the provider of a payment is to do, once for its source: a worker asks for it after this transaction. */
export async function askProvider(
  tx: TenantTransaction,
  payment: Payment,
  { id = newId(), kind, amount, source }: Asking,
): Promise<boolean> {
  const made = await tx.query(sql`
    insert into orders.payment_request (tenant_id, request_id, payment_id, kind, amount, source_kind, source_id)
    values (${tx.context.tenant}::uuid, ${id}::uuid, ${payment.id}::uuid, ${kind}, ${amount}::bigint, ${source.kind}, ${source.id}::uuid)
    on conflict do nothing returning request_id`);
  if (made.length === 0) return false;
  tx.record(
    event('commerce.payment.requested', {
      ...toldRequest(payment, { id, kind, amount }),
      source_kind: source.kind,
      source_id: source.id,
    }),
  );
  return true;
}

/**
 * Has the provider let go of a payment that was declined here, so that nobody can pay it any more, and of what somebody paid of it at the same time.
 * Written down with the refusal, it is asked for until the provider has done it, whatever becomes of this process.
 * @returns the request, where there is something to let go of and nobody asked for it before
 */
export async function letGo(tx: TenantTransaction, paymentId: string): Promise<string | undefined> {
  const payment = await holdPayment(tx, paymentId);
  if (payment.state !== 'declined' || payment.reference === null || !isOutside(payment)) return undefined;
  const id = newId();
  const { amount } = payment;
  const asked = await askProvider(tx, payment, {
    id,
    kind: 'void',
    amount,
    source: { kind: 'payment', id: paymentId },
  });
  return asked ? id : undefined;
}

/** A request as its events tell it. */
export const toldRequest = (
  { id: paymentId, orderId, mode, currency }: Payment,
  { id, kind, amount }: Pick<ProviderRequest, 'id' | 'kind' | 'amount'>,
) => ({
  payment_id: paymentId,
  order_id: orderId,
  mode,
  request_id: id,
  kind,
  currency,
  amount: money(amount, currency).amount,
});

/**
 * Takes authorized money, once for its source: at once where that is done within the process; else its provider is asked, and it is captured
 * when the provider says so.
 * @throws Problem `payment_state`, `amount_exceeds_open` (409)
 */
export async function takeAuthorized(
  tx: TenantTransaction,
  payment: Payment,
  { amount = openOf(payment), source }: { readonly amount?: bigint | undefined; readonly source: OperationSource },
): Promise<Payment> {
  if (!isOutside(payment)) return capture(tx, payment, { amount, source });
  if (payment.state !== 'authorized' || amount <= 0n) throw notOpen(payment);
  if (amount > openOf(payment)) throw tooMuch(payment);
  // A provider captures once and releases the rest: what is asked for meanwhile would be refused.
  if (payment.capturing > 0n) throw notOpen(payment);
  if (await askProvider(tx, payment, { kind: 'capture', amount, source }))
    await tx.query(sql`
      update orders.payment set capturing = capturing + ${amount}::bigint
      where tenant_id = ${tx.context.tenant}::uuid and payment_id = ${payment.id}::uuid`);
  return holdPayment(tx, payment.id);
}
