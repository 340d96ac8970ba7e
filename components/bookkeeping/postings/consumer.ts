import type { Consumer } from '@steward/bus';
import { movementsOf } from '@steward/orders';
import { sql, type TenantTransaction } from '@steward/sql';
import { costsOf } from '@steward/stock';
import { isOwed } from './cost.ts';
import { cameIn, lookAgain, noteAllocation } from './allocation.ts';
import { type Cause, type Due, noteDue } from './note.ts';

interface Costed {
  readonly sourceId: string;
  readonly holderId: string | null;
}

async function noteCost(tx: TenantTransaction, cause: Cause, { sourceId, holderId }: Costed): Promise<void> {
  const moved = (await costsOf(tx, [sourceId])).get(sourceId);
  if (moved !== undefined && isOwed(moved)) await noteDue(tx, cause, [{ orderId: holderId, kind: 'cost', sourceId }]);
}

/**
 * Notes what orders owe the books, in the transaction that moves the cursor: nothing is lost if a process ends, and nothing noted twice. Orders of tests
 * owe nothing, nor do goods that cost nothing or nobody knows what. Money may come in before its order is placed: then the order tells of it. A draft that somebody issued is looked at again.
 */
export const orderConsumer: Consumer = {
  name: 'bookkeeping.orders',
  types: [
    'commerce.order.placed',
    'commerce.payment.captured',
    'commerce.order.refunded',
    'commerce.order.edited',
    'commerce.order.cancelled',
    'commerce.stock.costed',
    'accounting.document.issued',
    'accounting.document.voided',
    'accounting.allocation.made',
    'accounting.allocation.undone',
  ],
  onFailure: 'park',
  gathers: 100,
  handle: async (tx, { id, type, subject, data, causationId, correlationId }) => {
    const cause = { id: causationId ?? id, correlationId };
    if (type === 'accounting.allocation.made') return noteAllocation(tx, cause, subject ?? '');
    if (type === 'accounting.allocation.undone') return void (await lookAgain(tx, subject ?? ''));
    if (type.startsWith('accounting.')) {
      await tx.query(sql`
        update bookkeeping.posting set next_at = clock_timestamp()
        where tenant_id = ${tx.context.tenant}::uuid and document_id = ${subject ?? null}::uuid and state = 'drafted'`);
      return;
    }
    if (type === 'commerce.stock.costed') return noteCost(tx, cause, data as unknown as Costed);
    const { orderId, mode, operationId, refundId, editId } = data as {
      readonly orderId: string | null;
      readonly mode: string;
      readonly operationId?: string;
      readonly refundId?: string;
      readonly editId?: string;
    };
    if (mode !== 'live' || orderId === null) return;
    const payment = (sourceId: string): Due => ({ orderId, kind: 'payment', sourceId });
    const came = async () => (await movementsOf(tx, orderId)).filter(cameIn).map(({ id: moved }) => moved);
    if (operationId !== undefined)
      return noteDue(tx, cause, (await came()).filter((moved) => moved === operationId).map(payment));
    if (refundId !== undefined) return noteDue(tx, cause, [{ orderId, kind: 'refund', sourceId: refundId }]);
    if (editId !== undefined)
      return noteDue(tx, cause, [
        { orderId, kind: 'edit_credit', sourceId: editId },
        { orderId, kind: 'edit_charge', sourceId: editId },
      ]);
    if (type === 'commerce.order.cancelled')
      return noteDue(tx, cause, [{ orderId, kind: 'cancellation', sourceId: orderId }]);
    await noteDue(tx, cause, [{ orderId, kind: 'invoice', sourceId: orderId }, ...(await came()).map(payment)]);
  },
};
