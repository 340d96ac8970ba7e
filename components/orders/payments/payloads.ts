import { payload } from '@steward/kernel';
import { z } from 'zod';
import { modes } from '../words.ts';
import { captureTimes, paymentStates } from './words.ts';

const id = z.uuid();
const amount = z.string();
const currency = z.string().regex(/^[A-Z]{3}$/);

/** A payment as it is after the event. */
const payment = {
  payment_id: id,
  /** Null until its checkout is placed. */
  order_id: id.nullable(),
  mode: z.enum(modes),
  state: z.enum(paymentStates),
  currency,
  captured: amount,
  refunded: amount,
  voided: amount,
  /** The provider's. */
  reference: z.string().nullable(),
  decline_reason: z.string().nullable(),
  version: z.int().min(1),
};
/** What moved, and what for. */
const operation = { ...payment, operation_id: id, amount, source_kind: z.string(), source_id: id };

/** What a provider is asked for. */
const request = {
  payment_id: id,
  order_id: id.nullable(),
  mode: z.enum(modes),
  request_id: id,
  kind: z.enum(['capture', 'void', 'refund']),
  currency,
  amount,
};

/** Of payments: ids, figures and states; no instructions, bank references or names. */
export const paymentPayloads = {
  'commerce.payment_settings.changed': payload({
    capture_at: z.enum(captureTimes),
    manual_methods: z.array(z.string()),
    version: z.int().min(1),
    content_sha256: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  }),
  'commerce.payment.started': payload({
    ...payment,
    checkout_id: id,
    handler: z.string(),
    method: z.string(),
    /** The edit that left more to pay; null: the checkout began it, or a member. */
    edit_id: id.nullable(),
    /** A member recorded money that nothing awaited. */
    recorded: z.boolean(),
    /** Whose account takes it; null: the deployment's, or there is none. */
    connection_id: id.nullable(),
    attempt: z.int().min(1),
    amount,
    /** The last day for it; left out: there is none. */
    pay_by: z.iso.date().optional(),
  }),
  'commerce.payment.settled': payload(payment),
  'commerce.payment.attached': payload(payment),
  /** Its buyer has more time. */
  'commerce.payment.extended': payload({ ...payment, pay_by: z.iso.date() }),
  'commerce.payment.captured': payload(operation),
  'commerce.payment.received': payload({
    ...operation,
    /** The day on which it arrived; left out: that of the event. */
    received_on: z.iso.date().optional(),
  }),
  /** The books took back what they had said came in. */
  'commerce.payment.reversed': payload(operation),
  'commerce.payment.voided': payload(operation),
  'commerce.payment.refunded': payload(operation),
  /** Its provider is to do something, after this. */
  'commerce.payment.requested': payload({ ...request, source_kind: z.string(), source_id: id }),
  /** Its provider does not do what it was asked for: a person is to look. */
  'commerce.payment.refused': payload({ ...request, reason: z.string() }),
  'commerce.order.paid': payload({ order_id: id, mode: z.enum(modes), currency, captured: amount }),
};

export const paymentAnnouncements = {
  /** Money came in: it was captured, or a member recorded that it arrived, at the order or in the books. */
  'commerce.payment.captured': payload({
    paymentId: id,
    operationId: id,
    orderId: id.nullable(),
    mode: z.enum(modes),
  }),
  /** The books took back what they had said came in: the order awaits it again. */
  'commerce.payment.reversed': payload({
    paymentId: id,
    operationId: id,
    orderId: id.nullable(),
    mode: z.enum(modes),
  }),
  /** Its provider does not do what it was asked for: a person is to look. */
  'commerce.payment.refused': payload({
    paymentId: id,
    orderId: id.nullable(),
    requestId: id,
    kind: z.enum(['capture', 'void', 'refund']),
    mode: z.enum(modes),
  }),
  /** All that the order costs was captured. */
  'commerce.order.paid': payload({ orderId: id, mode: z.enum(modes) }),
};
