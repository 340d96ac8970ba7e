import type { TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { notOpen } from './capture.ts';
import { type OperationSource, operate, operated } from './operation.ts';
import { openOf, type Payment } from './payment.ts';

/** The kind of source of what a member gives up by itself: a cancellation gives up what was never sent. */
export const givenUpBy = 'member';

/**
 * Gives up what was not captured, once for its source: of a checkout or an order that is cancelled. What was captured stays, to be refunded.
 * One that is void or took all of its amount stays as it is.
 */
export async function voidPayment(tx: TenantTransaction, payment: Payment, source: OperationSource): Promise<Payment> {
  const amount = openOf(payment);
  if (payment.state === 'declined' || amount === 0n) return payment;
  const done = await operate(tx, payment.id, {
    kind: 'void',
    amount,
    source,
    set: `voided = voided + $3::bigint, state = case when captured = 0 then 'voided' else 'captured' end, action = null`,
    when: `p.state in ('started', 'requires_action', 'awaiting', 'authorized') and p.captured + p.voided + $3::bigint = p.amount`,
    refused: notOpen,
  });
  if (done.operation !== undefined)
    tx.record(event('commerce.payment.voided', operated({ id: done.operation, amount, source }, done.payment)));
  return done.payment;
}
