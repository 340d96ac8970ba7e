import { amount, field, id, moment, moneyShape, nullable, type Of, oneOf, shape, text } from '@steward/contract';
import { money } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { kindOf } from '../payments/handlers/handlers.ts';
import { reasons } from '../returns/words.ts';
import { modes } from '../words.ts';

const line = z.object({
  lineId: z.uuid(),
  title: z.string(),
  sku: z.string().nullable(),
  quantity: z.int(),
  net: moneyShape,
  tax: moneyShape,
  total: moneyShape,
});
const from = z.object({
  paymentId: z.uuid(),
  method: z.string(),
  amount: moneyShape,
  /** merchant: the business transfers it by other means; handler: the provider gives it back. */
  givenBackBy: z.enum(['merchant', 'handler']),
});

type StoredLine = { lineId: string; title: string; sku: string | null; quantity: number; net: string; tax: string };
type StoredFrom = { paymentId: string; handler: string; method: string; amount: string };
const currencyOf = (row: Readonly<Record<string, unknown>>): string => String(row['currency']);

/** What was given back: of `orders.refund` named `f`, beside its order `o`. */
export const refund = shape('f', {
  id: id('f.refund_id'),
  orderId: id(),
  orderNumber: text(`case o.mode when 'test' then 'TEST-' else '' end || o.number`),
  mode: oneOf(modes),
  returnId: nullable(id()),
  /** To whom, as the order says; null: the person was erased. */
  contactId: nullable(id('o.contact_id')),
  name: nullable(text('o.name')),
  email: nullable(text('o.email')),
  reference: nullable(text()),
  reason: oneOf(reasons),
  /** For members. */
  note: nullable(text()),
  currency: text(),
  lines: field(
    z.array(line),
    `(select json_agg(json_build_object('lineId', x.line_id, 'title', l.title, 'sku', l.sku, 'quantity', x.quantity, 'net', x.net::text,
        'tax', x.tax::text) order by l.position)
      from orders.refund_line x join orders.line l on l.tenant_id = x.tenant_id and l.order_id = x.order_id and l.line_id = x.line_id
      where x.tenant_id = f.tenant_id and x.refund_id = f.refund_id)`,
    (stored, row) =>
      ((stored ?? []) as readonly StoredLine[]).map(({ net, tax, ...one }) => ({
        ...one,
        net: money(BigInt(net), currencyOf(row)),
        tax: money(BigInt(tax), currencyOf(row)),
        total: money(BigInt(net) + BigInt(tax), currencyOf(row)),
      })),
  ),
  shippingNet: amount(),
  shippingTax: amount(),
  /** Beside lines and shipping; without tax. */
  adjustment: amount(),
  /** What an edit left over: nothing of what is bought now. */
  balance: amount(),
  /** What of lines, shipping and adjustment was still to be paid: it is due no more, and no money moved for it. */
  credited: amount(),
  /** The money that was given back. */
  total: amount(),
  payments: field(
    z.array(from),
    `(select json_agg(json_build_object('paymentId', p.payment_id, 'handler', p.handler, 'method', p.method, 'amount', m.amount::text)
        order by p.payment_id)
      from orders.payment_operation m join orders.payment p on p.tenant_id = m.tenant_id and p.payment_id = m.payment_id
      where m.tenant_id = f.tenant_id and m.source_id = f.refund_id and m.kind = 'refund')`,
    (stored, row) =>
      ((stored ?? []) as readonly StoredFrom[]).map(({ paymentId, handler, method, amount: minor }) => ({
        paymentId,
        method,
        amount: money(BigInt(minor), currencyOf(row)),
        givenBackBy: kindOf(handler).refunds,
      })),
  ),
  createdAt: moment(),
});
export type Refund = Of<typeof refund>;

/** Refunds of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectRefunds = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(
    `select ${refund.columns} from orders.refund f
     join orders.sales_order o on o.tenant_id = f.tenant_id and o.order_id = f.order_id
     where f.tenant_id = $1::uuid and ${rest}`,
    [tenant, ...values],
  );

/** The refund, or undefined where there is none. */
export async function refundIn(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  refundId: string,
): Promise<Refund | undefined> {
  const [row] = await tx.query(selectRefunds('f.refund_id = $2::uuid', tx.context.tenant, refundId));
  return row === undefined ? undefined : refund.read(row);
}
