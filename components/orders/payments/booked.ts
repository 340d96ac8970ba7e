import { sql, type TenantTransaction } from '@steward/sql';
import { announcement, event } from '../events.ts';
import { notOpen, receive } from './capture.ts';
import { noteFigures } from './figures.ts';
import { marketplaceKind } from './handlers/marketplace.ts';
import { type OperationSource, operate, operated } from './operation.ts';
import { holdPaymentsOf, openOf, type Payment } from './payment.ts';
import { awaitRest } from './rest.ts';
import { voidPayment } from './void.ts';

/** What the books say came in for an order, by the id of the allocation to its invoice. */
interface Booked {
  readonly orderId: string;
  readonly allocationId: string;
}

/** The kind of source of what the books say. */
export const booked = 'allocation';

/**
 * Notes that money arrived for an order, once for the allocation that the books have of it, as far as the order awaits money by other means than a
 * provider or a marketplace.
 * @param amount minor units of the order's currency, above 0
 * @returns how much of it the order awaited, in minor units
 */
export async function receiveBooked(
  tx: TenantTransaction,
  { orderId, allocationId, amount, reference }: Booked & { readonly amount: bigint; readonly reference: string },
): Promise<bigint> {
  await holdOrderOf(tx, orderId);
  const [known] = await tx.query<{ amount: bigint | null }>(sql`
    select sum(m.amount)::bigint as amount from orders.payment_operation m
    where m.tenant_id = ${tx.context.tenant}::uuid and m.source_id = ${allocationId}::uuid and m.source_kind = ${booked} and m.kind = 'received'`);
  if (known?.amount != null) return BigInt(known.amount);
  const source = { kind: booked, id: allocationId };
  const payments = await holdPaymentsOf(tx, orderId);
  let left = amount;
  const take = async (payment: Payment): Promise<void> => {
    const part = openOf(payment) < left ? openOf(payment) : left;
    if (part <= 0n || !isAwaited(payment)) return;
    await receive(tx, payment, { amount: part, source, reference });
    left -= part;
  };
  for (const payment of payments) await take(payment);
  await noteFigures(tx, orderId);
  if (left > 0n) {
    const rest = await awaitRest(tx, orderId, payments);
    if (rest !== undefined) {
      await take(rest);
      await noteFigures(tx, orderId);
    }
  }
  return amount - left;
}

/**
 * Takes back what was noted by an allocation that the books undid: the order awaits it again, as far as it is still due.
 * @returns false where it was given back to the buyer meanwhile: then nothing changes
 */
export async function takeBackBooked(tx: TenantTransaction, { orderId, allocationId }: Booked): Promise<boolean> {
  const { tenant } = tx.context;
  await holdOrderOf(tx, orderId);
  const received = await tx.query<{ payment_id: string; amount: bigint }>(sql`
    select m.payment_id, m.amount from orders.payment_operation m
    where m.tenant_id = ${tenant}::uuid and m.source_id = ${allocationId}::uuid and m.source_kind = ${booked} and m.kind = 'received'
      and not exists (select from orders.payment_operation r
        where r.tenant_id = m.tenant_id and r.source_id = m.source_id and r.kind = 'reversed' and r.payment_id = m.payment_id)
    order by m.payment_id`);
  const payments = new Map((await holdPaymentsOf(tx, orderId)).map((payment) => [payment.id, payment]));
  const parts = received.flatMap(({ payment_id, amount }) => {
    const payment = payments.get(payment_id);
    return payment === undefined ? [] : [{ payment, amount: BigInt(amount) }];
  });
  if (parts.some(({ payment, amount }) => payment.captured - payment.refunded < amount)) return false;
  const source = { kind: booked, id: allocationId };
  for (const { payment, amount } of parts) {
    const done = await operate(tx, payment.id, {
      kind: 'reversed',
      amount,
      source,
      set: `captured = captured - $3::bigint, state = 'awaiting'`,
      when: `p.state in ('awaiting', 'captured') and p.captured - $3::bigint >= p.refunded`,
      refused: notOpen,
    });
    if (done.operation === undefined) continue;
    tx.record(event('commerce.payment.reversed', operated({ id: done.operation, amount, source }, done.payment)));
    const { mode } = done.payment;
    tx.publish(
      announcement('commerce.payment.reversed', {
        paymentId: payment.id,
        operationId: done.operation,
        orderId,
        mode,
      }),
    );
  }
  if (parts.length === 0) return true;
  await noteFigures(tx, orderId);
  await awaitAnew(tx, orderId, source);
  return true;
}

/** All that is due is awaited by one payment again, and no more: the order may have been edited or cancelled meanwhile. */
async function awaitAnew(tx: TenantTransaction, orderId: string, source: OperationSource): Promise<void> {
  for (const one of await holdPaymentsOf(tx, orderId)) if (isAwaited(one)) await voidPayment(tx, one, source);
  await noteFigures(tx, orderId);
  await awaitRest(tx, orderId, await holdPaymentsOf(tx, orderId));
}

const isAwaited = ({ state, handler }: Payment): boolean => state === 'awaiting' && handler !== marketplaceKind.name;

const holdOrderOf = async (tx: TenantTransaction, orderId: string): Promise<unknown> =>
  tx.query(sql`
    select from orders.sales_order o
    where o.tenant_id = ${tx.context.tenant}::uuid and o.order_id = ${orderId}::uuid for no key update`);
