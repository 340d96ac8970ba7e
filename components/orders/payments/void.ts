import type { TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { notOpen } from './capture.ts';
import { type OperationSource, operate, operated } from './operation.ts';
import { openOf, type Payment } from './payment.ts';
import { askProvider, isOutside } from './requests/ask.ts';

/** The kind of source of what a member gives up by itself: a cancellation gives up what was never sent. */
export const givenUpBy = 'member';

/**
 * Gives up what was not captured, once for its source: of a checkout or an order that is cancelled. What was captured stays, to be refunded, and
 * so does what is being captured. One that is void or took all of its amount stays as it is. Its provider is told after the transaction, unless a part
 * stays open: capturing less than was authorized releases the rest.
 * @param amount of what is open; the rest stays
 */
export async function voidPayment(
  tx: TenantTransaction,
  payment: Payment,
  source: OperationSource,
  amount = openOf(payment),
): Promise<Payment> {
  const { payment: after, operation } = await given(tx, payment, source, amount);
  if (operation !== undefined && isOutside(payment) && openOf(after) === 0n)
    await askProvider(tx, payment, { id: operation, kind: 'void', amount, source });
  return after;
}

/** The same where its provider has given it up already. */
export const giveUp = async (tx: TenantTransaction, payment: Payment, source: OperationSource): Promise<Payment> =>
  (await given(tx, payment, source, openOf(payment))).payment;

/** Gives up so much of what is open of payments, the last of them first. */
export async function voidOpen(
  tx: TenantTransaction,
  payments: readonly Payment[],
  amount: bigint,
  source: OperationSource,
): Promise<void> {
  let left = amount;
  for (const one of payments.toReversed()) {
    const part = openOf(one) < left ? openOf(one) : left;
    left -= part;
    if (part > 0n) await voidPayment(tx, one, source, part);
  }
}

async function given(
  tx: TenantTransaction,
  payment: Payment,
  source: OperationSource,
  amount: bigint,
): Promise<{ readonly payment: Payment; readonly operation: string | undefined }> {
  if (payment.state === 'declined' || amount === 0n) return { payment, operation: undefined };
  const done = await operate(tx, payment.id, {
    kind: 'void',
    amount,
    source,
    set: `voided = voided + $3::bigint, action = null,
      state = case when captured + voided + capturing + $3::bigint < amount then state
        when captured + capturing = 0 then 'voided' when capturing = 0 then 'captured' else state end`,
    when: `p.state in ('started', 'requires_action', 'awaiting', 'authorized')
      and p.captured + p.voided + p.capturing + $3::bigint ${amount === openOf(payment) ? '=' : '<'} p.amount`,
    refused: notOpen,
  });
  if (done.operation !== undefined)
    tx.record(event('commerce.payment.voided', operated({ id: done.operation, amount, source }, done.payment)));
  return done;
}
