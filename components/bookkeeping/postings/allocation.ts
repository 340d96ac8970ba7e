import { paidBy } from '@steward/accounting';
import { parseAmount } from '@steward/kernel';
import { bookedSource, type Movement, movementsOf, receiveBooked, takeBackBooked } from '@steward/orders';
import { sql, type TenantTransaction } from '@steward/sql';
import { bookkeepingFail } from '../errors.ts';
import { type Cause, noteDue } from './note.ts';
import type { Posting } from './posting.ts';
import type { Outcome, Work } from './work.ts';

/** Notes that people allocated money to an invoice of an order: unlike all else that is noted, the books owe it to the order. */
export async function noteAllocation(tx: TenantTransaction, cause: Cause, allocationId: string): Promise<void> {
  const { tenant } = tx.context;
  const paid = await paidBy(tx, allocationId);
  if (paid === undefined) return;
  const [order] = await tx.query<{ order_id: string }>(sql`
    select p.order_id from bookkeeping.posting p
    where p.tenant_id = ${tenant}::uuid and p.document_id = ${paid.documentId}::uuid and p.kind in ('invoice', 'edit_charge')
      and not exists (select from bookkeeping.posting o
        where o.tenant_id = p.tenant_id and o.order_id = p.order_id and o.kind = 'payment'
          and (o.payment_id = ${paid.paymentId}::uuid or ${paid.paymentId}::uuid = any (o.further_payment_ids)))`);
  if (order !== undefined)
    await noteDue(tx, cause, [{ orderId: order.order_id, kind: 'allocation', sourceId: allocationId }]);
}

/** What the order was told of an allocation is looked at again, since it was undone. */
export const lookAgain = async (tx: TenantTransaction, allocationId: string): Promise<unknown> =>
  tx.query(sql`
    update bookkeeping.posting set next_at = clock_timestamp()
    where tenant_id = ${tx.context.tenant}::uuid and kind = 'allocation' and source_id = ${allocationId}::uuid`);

/**
 * The order is told of money that people recorded in the books for its invoice, and of it being taken back. What it knows of already is not counted
 * twice: where money was recorded at the order in the same amount, and is not in the books yet, it is this.
 * @throws Problem `payment_not_posted` (409) where other money of the order is to get into the books first
 */
export async function allocation(work: Work): Promise<Outcome> {
  const { tx, order, own, all, people } = work;
  const paid = await paidBy(tx, own.sourceId);
  const of = { orderId: order.id, allocationId: own.sourceId };
  if (paid === undefined || paid.undone) {
    const also = await waitAgain(work, paid?.amount);
    return (await takeBackBooked(tx, of))
      ? { state: 'left_out', reason: 'undone', paymentIds: [], also }
      : { state: 'left_out', reason: 'given_back' };
  }
  if (own.state === 'posted') return { state: 'posted' };
  const { paymentId, amount, reference } = paid;
  if (all.some(({ kind, paymentIds }) => kind === 'payment' && paymentIds.includes(paymentId)))
    return { state: 'left_out', reason: 'recorded' };
  const unsettled = (await movementsOf(tx, order.id)).filter((moved) => cameIn(moved) && !isSettled(all, moved));
  const same = unsettled.find((moved) => parseAmount(moved.amount.amount, order.currency) === amount);
  const known = all.find(({ kind, sourceId }) => kind === 'payment' && sourceId === same?.id);
  const paymentIds = [paymentId];
  if (known !== undefined)
    return { state: 'posted', paymentIds, also: [[known, { state: 'left_out', reason: 'recorded' }]] };
  if (unsettled.length > 0 && !people)
    throw bookkeepingFail(
      'payment_not_posted',
      'Other money was recorded at the order and is not in the books yet: put that into the books first, or carry this out if it came beside it.',
    );
  const taken = await receiveBooked(tx, { ...of, amount, reference });
  return taken > 0n ? { state: 'posted', paymentIds } : { state: 'left_out', reason: 'nothing_awaited', paymentIds };
}

/** What was recorded at the order in place of an allocation that is undone, is owed to the books again. */
async function waitAgain({ tx, order, own, all }: Work, amount: bigint | undefined): Promise<Outcome['also']> {
  if (own.state !== 'posted' || amount === undefined) return [];
  const moved = await movementsOf(tx, order.id);
  if (
    moved.some(
      ({ kind, sourceKind, sourceId }) =>
        kind === 'received' && sourceKind === bookedSource && sourceId === own.sourceId,
    )
  )
    return [];
  const same = new Set(
    moved.filter((one) => cameIn(one) && parseAmount(one.amount.amount, order.currency) === amount).map(({ id }) => id),
  );
  const [first] = all.filter(
    ({ kind, state, reason, sourceId }) =>
      kind === 'payment' && state === 'left_out' && reason === 'recorded' && same.has(sourceId),
  );
  return first === undefined ? [] : [[first, { state: 'waiting', reason: 'undone' }]];
}

/** Money of the order that did not come from the books. */
export const cameIn = ({ kind, sourceKind }: Movement): boolean =>
  (kind === 'capture' || kind === 'received') && sourceKind !== bookedSource;

/** Whether the books have what came in, or somebody recorded the same there. */
export const isSettled = (all: readonly Posting[], { id }: Pick<Movement, 'id'>): boolean =>
  all.some(
    ({ kind, sourceId, state, reason }) =>
      kind === 'payment' && sourceId === id && (state === 'posted' || (state === 'left_out' && reason === 'recorded')),
  );
