import {
  amount,
  count,
  day,
  type Field,
  field,
  id,
  moment,
  nullable,
  type Of,
  oneOf,
  shape,
  text,
} from '@steward/contract';
import { fail } from '@steward/kernel';
import { type Row, statement, type Statement, type TenantScope, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { modes } from '../words.ts';
import type { PaymentAction } from './handlers/handler.ts';
import { paymentStates } from './words.ts';

/** Of `orders.payment` named `p`. */
const facts = {
  id: id('p.payment_id'),
  checkoutId: id(),
  orderId: nullable(id()),
  mode: oneOf(modes),
  handler: text(),
  method: text(),
  /** 1 for the first of the checkout. */
  attempt: count(),
  state: oneOf(paymentStates),
  /** What the provider calls it. */
  reference: nullable(text()),
  declineReason: nullable(text()),
  /** The last day for money that is to arrive by other means: an order of which nothing was paid or sent by then is cancelled. */
  payBy: nullable(day('p.pay_by')),
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
};
const minor = (): Field<z.ZodBigInt> => field(z.bigint(), undefined, (value) => BigInt(value as bigint));

/** As the component itself has it, in minor units. */
export const held = shape('p', {
  ...facts,
  action: nullable(field(z.custom<PaymentAction>())),
  currency: text(),
  amount: minor(),
  captured: minor(),
  refunded: minor(),
  voided: minor(),
  capturing: minor(),
  connectionId: nullable(id()),
});
export type Payment = Of<typeof held>;

/** As doors answer it. */
export const payment = shape('p', {
  ...facts,
  currency: text(),
  amount: amount(),
  captured: amount(),
  refunded: amount(),
  /** Given up before it was captured. */
  voided: amount(),
});

/** Payments of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectPayments = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${held.columns} from orders.payment p where p.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

/** A scope for a read of its own, or the transaction that is under way. */
export type From = Pick<TenantScope, 'context' | 'read'> | TenantTransaction;
export const rowsFrom = async (from: From, one: Statement): Promise<Row[]> =>
  'query' in from ? from.query(one) : from.read(one);

/** The newest payment that a checkout began: the only one of those that may take money. */
export async function paymentOfCheckout(from: From, checkoutId: string): Promise<Payment | undefined> {
  const [row] = await rowsFrom(
    from,
    selectPayments(
      'p.checkout_id = $2::uuid and p.edit_id is null and not p.recorded order by p.attempt desc limit 1',
      from.context.tenant,
      checkoutId,
    ),
  );
  return row === undefined ? undefined : held.read(row);
}

export async function paymentById(from: From, paymentId: string): Promise<Payment | undefined> {
  const [row] = await rowsFrom(from, selectPayments('p.payment_id = $2::uuid', from.context.tenant, paymentId));
  return row === undefined ? undefined : held.read(row);
}

/** The payment, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdPayment(tx: TenantTransaction, paymentId: string): Promise<Payment> {
  const [row] = await tx.query(
    selectPayments('p.payment_id = $2::uuid for no key update', tx.context.tenant, paymentId),
  );
  if (row === undefined) throw noPayment();
  return held.read(row);
}

/** Those of an order, and of its mode, that took money or may take it, held in the order of their ids. */
export const holdPaymentsOf = async (tx: TenantTransaction, orderId: string): Promise<Payment[]> =>
  (
    await tx.query(
      selectPayments(
        `p.order_id = $2::uuid and p.state <> 'declined'
          and p.mode = (select o.mode from orders.sales_order o where o.tenant_id = $1::uuid and o.order_id = $2::uuid)
         order by p.payment_id for no key update`,
        tx.context.tenant,
        orderId,
      ),
    )
  ).map(held.read);

/** What may still be captured or received, and is not being captured. */
export const openOf = ({ amount: whole, captured, voided, capturing }: Payment): bigint =>
  whole - captured - voided - capturing;

/** What of an order's payments a provider has promised, or is being asked for. */
export const promisedOf = (payments: readonly Payment[]): bigint =>
  payments.reduce((sum, one) => sum + one.capturing + (one.state === 'authorized' ? openOf(one) : 0n), 0n);

export const noPayment = (): Error =>
  fail('not_found', 'There is no such payment in this tenant: read the order for the ids of its payments.');

/** As `selectPayments`, for doors. */
export const selectShown = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${payment.columns} from orders.payment p where p.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);
