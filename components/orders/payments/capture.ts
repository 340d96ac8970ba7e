import { formatAmount } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { ordersFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { type OperationSource, operate, operated } from './operation.ts';
import { openOf, type Payment } from './payment.ts';

interface Received {
  /** As the bank shows it. */
  readonly reference?: string | undefined;
  /** The day on which it arrived; ISO. Default: as it is recorded. */
  readonly receivedOn?: string | undefined;
}

interface Capturing {
  /** Default: all that is authorized and not captured. */
  readonly amount?: bigint | undefined;
  readonly source: OperationSource;
}

/**
 * Takes authorized money, once for its source.
 * @throws Problem `payment_state`, `amount_exceeds_open` (409)
 */
export async function capture(tx: TenantTransaction, payment: Payment, capturing: Capturing): Promise<Payment> {
  return take(tx, payment, { ...capturing, kind: 'capture', state: 'authorized' });
}

/**
 * Notes that money arrived which was awaited, once for its source.
 * @throws Problem `payment_state`, `amount_exceeds_open` (409)
 */
export async function receive(
  tx: TenantTransaction,
  payment: Payment,
  receiving: Capturing & Received,
): Promise<Payment> {
  return take(tx, payment, { ...receiving, kind: 'received', state: 'awaiting' });
}

async function take(
  tx: TenantTransaction,
  payment: Payment,
  {
    kind,
    state,
    amount = openOf(payment),
    source,
    reference,
    receivedOn,
  }: Capturing &
    Received & {
      readonly kind: 'capture' | 'received';
      readonly state: 'authorized' | 'awaiting';
    },
): Promise<Payment> {
  if (amount <= 0n) throw notOpen(payment);
  const done = await operate(tx, payment.id, {
    kind,
    amount,
    source,
    reference,
    receivedOn,
    set: `captured = captured + $3::bigint, state = case when captured + voided + $3::bigint = amount then 'captured' else state end`,
    when: `p.state = '${state}' and p.captured + p.voided + $3::bigint <= p.amount`,
    refused: (now) => (now.state === state ? tooMuch(now) : notOpen(now)),
  });
  if (done.operation === undefined) return done.payment;
  const facts = operated({ id: done.operation, amount, source }, done.payment);
  tx.record(
    kind === 'capture'
      ? event('commerce.payment.captured', facts)
      : event('commerce.payment.received', {
          ...facts,
          ...(receivedOn === undefined ? {} : { received_on: receivedOn }),
        }),
  );
  tx.publish(
    announcement('commerce.payment.captured', {
      paymentId: payment.id,
      operationId: done.operation,
      orderId: done.payment.orderId,
      mode: done.payment.mode,
    }),
  );
  return done.payment;
}

const words = {
  started: 'is not authorized yet',
  requires_action: 'awaits a step of its buyer',
  awaiting: 'awaits money by other means: record what arrives',
  authorized: 'is authorized: capture it',
  captured: 'has taken all of its amount already',
  declined: 'was declined',
  voided: 'was voided',
} as const;

export const notOpen = ({ state, capturing }: Payment): Error =>
  ordersFail(
    'payment_state',
    capturing > 0n
      ? 'The payment is being captured by its provider: read its payments again in a moment.'
      : `The payment ${words[state]}.`,
  );

export const tooMuch = (now: Payment): Error =>
  ordersFail(
    'amount_exceeds_open',
    `${formatAmount(openOf(now), now.currency)} ${now.currency} of the payment are open: give at most that, and give back to the buyer what they paid beyond it.`,
  );
