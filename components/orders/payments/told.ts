import { money } from '@steward/kernel';
import type { Payment } from './payment.ts';

/** A payment as each of its events tells it: by the newest one, verification holds the row. */
export const told = ({
  id,
  orderId,
  mode,
  currency,
  state,
  captured,
  refunded,
  voided,
  reference,
  declineReason,
  version,
}: Payment) => ({
  payment_id: id,
  order_id: orderId,
  mode,
  state,
  currency,
  captured: money(captured, currency).amount,
  refunded: money(refunded, currency).amount,
  voided: money(voided, currency).amount,
  reference,
  decline_reason: declineReason,
  version,
});
