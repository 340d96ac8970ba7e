import { statement, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import type { PaymentOutcome } from './handlers/handler.ts';
import { capture } from './capture.ts';
import { held, holdPayment, type Payment } from './payment.ts';
import { told } from './told.ts';

/**
 * Notes what a handler answered. One that was settled never changes by this, so it may be told any number of times, by many at once.
 * @throws Problem `not_found` (404)
 */
export async function settlePayment(
  tx: TenantTransaction,
  paymentId: string,
  outcome: PaymentOutcome,
): Promise<Payment> {
  if (outcome.kind === 'unknown') return holdPayment(tx, paymentId);
  // What the provider has captured is captured here by the operation that says so.
  const state = outcome.kind === 'captured' ? 'authorized' : outcome.kind;
  const [row] = await tx.query(
    statement(
      `update orders.payment p set state = $3, reference = coalesce($4, p.reference), action = $5::jsonb, decline_reason = $6,
         version = version + 1, updated_at = clock_timestamp()
       where p.tenant_id = $1::uuid and p.payment_id = $2::uuid and p.state in ('started', 'requires_action')
         and not (p.state = 'requires_action' and $3 = 'requires_action')
       returning ${held.columns}`,
      [
        tx.context.tenant,
        paymentId,
        state,
        'reference' in outcome ? (outcome.reference ?? null) : null,
        outcome.kind === 'requires_action' ? JSON.stringify(outcome.action) : null,
        outcome.kind === 'declined' ? outcome.reason : null,
      ],
    ),
  );
  if (row === undefined) return holdPayment(tx, paymentId);
  const settled = held.read(row);
  tx.record(event('commerce.payment.settled', told(settled)));
  return outcome.kind === 'captured' ? capture(tx, settled, { source: { kind: 'payment', id: settled.id } }) : settled;
}
