import { fail, money, type Money } from '@steward/kernel';
import { statement, type Row, type Statement, type TenantTransaction } from '@steward/sql';
import { numberOf } from '../documents/kind.ts';
import type { Side } from '../subledger/control.ts';

export type Direction = 'received' | 'made';

export const paymentMethods = ['transfer', 'check', 'cash', 'card', 'network', 'other'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

export interface PaymentAllocation {
  readonly id: string;
  /** The document or payment on the other side. */
  readonly itemId: string;
  readonly date: string;
  readonly amount: Money;
  readonly entryId: string | null;
}

export interface Payment {
  readonly id: string;
  readonly number: string;
  readonly direction: Direction;
  /** Money back: received from a supplier, or made to a customer. */
  readonly refund: boolean;
  readonly partyId: string;
  readonly partyName: string;
  readonly accountId: string;
  readonly date: string;
  readonly currency: string;
  readonly amount: Money;
  readonly rate: string;
  readonly baseAmount: Money;
  /** What is not allocated: a credit of the party's, which may be allocated later. */
  readonly open: Money;
  readonly reference: string | null;
  readonly method: PaymentMethod;
  readonly entryId: string;
  readonly voidOn: string | null;
  /** Those in force. */
  readonly allocations: readonly PaymentAllocation[];
}

/** Payments with what is presented of them; `where` and what follows it speaks of `y`, and of `i`, its open item. */
export const selectPayments = (where: string, values: readonly unknown[]): Statement =>
  statement(
    `select y.payment_id, y.number, y.direction, i.side, y.party_id, p.name as party_name, y.account_id, y.date::text as date,
       y.currency, y.amount, trim_scale(y.rate)::text as rate, y.base_amount, b.base_currency, i.open_amount, y.reference, y.method,
       y.entry_id, y.void_on::text as void_on,
       coalesce((select json_agg(json_build_object('id', a.allocation_id,
           'item', case when a.credit_id = y.payment_id then a.charge_id else a.credit_id end, 'date', a.date,
           'amount', a.amount::text, 'entry', a.entry_id) order by a.date, a.allocation_id)
         from accounting.allocation a where a.tenant_id = y.tenant_id and a.undone_on is null
           and (a.credit_id = y.payment_id or a.charge_id = y.payment_id)), '[]'::json) as allocations
     from accounting.payment y
     join accounting.item i on i.tenant_id = y.tenant_id and i.item_id = y.payment_id
     join accounting.book b on b.tenant_id = y.tenant_id
     join accounting.party p on p.tenant_id = y.tenant_id and p.party_id = y.party_id
     where ${where}`,
    values,
  );

export const paymentById = (tenant: string, id: string): Statement =>
  selectPayments('y.tenant_id = $1::uuid and y.payment_id = $2::uuid', [tenant, id]);

export const unknownPayment = (): Error => fail('not_found', 'There is no such payment in this tenant.');

/** @throws Problem `not_found` (404) */
export async function paymentIn(tx: TenantTransaction, id: string): Promise<Payment> {
  const [row] = await tx.query(paymentById(tx.context.tenant, id));
  if (row === undefined) throw unknownPayment();
  return presentPayment(row);
}

interface AllocationRow {
  readonly id: string;
  readonly item: string;
  readonly date: string;
  readonly amount: string;
  readonly entry: string | null;
}

export function presentPayment(row: Row): Payment {
  const currency = String(row['currency']);
  const direction = row['direction'] as Direction;
  return {
    id: String(row['payment_id']),
    number: numberOf('payment', row['number'] as bigint),
    direction,
    refund: ((row['side'] as Side) === 'receivable') !== (direction === 'received'),
    partyId: String(row['party_id']),
    partyName: String(row['party_name']),
    accountId: String(row['account_id']),
    date: String(row['date']),
    currency,
    amount: money(row['amount'] as bigint, currency),
    rate: String(row['rate']),
    baseAmount: money(row['base_amount'] as bigint, String(row['base_currency'])),
    open: money(row['open_amount'] as bigint, currency),
    reference: row['reference'] as string | null,
    method: row['method'] as PaymentMethod,
    entryId: String(row['entry_id']),
    voidOn: row['void_on'] as string | null,
    allocations: (row['allocations'] as AllocationRow[]).map(({ id, item, date, amount, entry }) => ({
      id,
      itemId: item,
      date,
      amount: money(BigInt(amount), currency),
      entryId: entry,
    })),
  };
}
