import { amount, day, field, type Fixed, id, moneyShape, nullable, type Of, shape, text } from '@steward/contract';
import { fail, money } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { numberOf } from '../documents/kind.ts';

export const paymentDirection = z.enum(['received', 'made']);
export const paymentMethod = z.enum(['transfer', 'check', 'cash', 'card', 'network', 'other']);

export const paymentAllocation = z.object({
  id: z.uuid(),
  /** The document or payment on the other side. */
  itemId: z.uuid(),
  date: z.string(),
  amount: moneyShape,
  /** Of the exchange difference, where there is one. */
  entryId: z.uuid().nullable(),
});
type PaymentAllocation = Fixed<z.output<typeof paymentAllocation>>;

/** Money received or made: of `accounting.payment` named `y`, its party `p` and its open item `i`. */
export const payment = shape('y', {
  id: id('y.payment_id'),
  number: field(z.string(), undefined, (number) => numberOf('payment', number as bigint)),
  direction: field(paymentDirection),
  /** Money back: received from a supplier, or made to a customer. */
  refund: field(z.boolean(), 'i.side', (side, { direction }) => (side === 'receivable') !== (direction === 'received')),
  partyId: id(),
  partyName: text('p.name'),
  accountId: id(),
  date: day('y.date'),
  currency: text(),
  amount: amount(),
  rate: text('trim_scale(y.rate)::text'),
  baseAmount: amount(undefined, 'base_currency'),
  /** What is not allocated: a credit of the party's, which may be allocated later. */
  open: amount('i.open_amount'),
  reference: nullable(text()),
  method: field(paymentMethod),
  entryId: id(),
  voidOn: nullable(day('y.void_on')),
  /** Those in force. */
  allocations: field(
    z.array(paymentAllocation),
    `coalesce((select json_agg(json_build_object('id', a.allocation_id,
         'itemId', case when a.credit_id = y.payment_id then a.charge_id else a.credit_id end, 'date', a.date,
         'amount', a.amount::text, 'entryId', a.entry_id) order by a.date, a.allocation_id)
       from accounting.allocation a where a.tenant_id = y.tenant_id and a.undone_on is null
         and (a.credit_id = y.payment_id or a.charge_id = y.payment_id)), '[]'::json)`,
    (stored, { currency }) =>
      (stored as readonly StoredAllocation[]).map((one) => ({
        ...one,
        amount: money(BigInt(one.amount), String(currency)),
      })),
  ),
});
export type Payment = Of<typeof payment>;

/** The amount in minor units. */
interface StoredAllocation extends Omit<PaymentAllocation, 'amount'> {
  readonly amount: string;
}

/** Payments with what is presented of them; `where` and what follows it speaks of `y`, and of `i`, its open item. */
export const selectPayments = (where: string, values: readonly unknown[]): Statement =>
  statement(
    `select ${payment.columns}, b.base_currency
     from accounting.payment y
     join accounting.item i on i.tenant_id = y.tenant_id and i.item_id = y.payment_id
     join accounting.book b on b.tenant_id = y.tenant_id
     join accounting.party p on p.tenant_id = y.tenant_id and p.party_id = y.party_id
     where ${where}`,
    values,
  );

export const paymentById = (tenant: string, paymentId: string): Statement =>
  selectPayments('y.tenant_id = $1::uuid and y.payment_id = $2::uuid', [tenant, paymentId]);

export const unknownPayment = (): Error =>
  fail('not_found', 'There is no such payment in this tenant: list the payments for their ids.');

/** @throws Problem `not_found` (404) */
export async function paymentIn(tx: TenantTransaction, paymentId: string): Promise<Payment> {
  const [row] = await tx.query(paymentById(tx.context.tenant, paymentId));
  if (row === undefined) throw unknownPayment();
  return payment.read(row);
}
