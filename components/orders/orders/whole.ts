import type { TenantScope, TenantTransaction } from '@steward/sql';
import { type EditedOrder, editsOf } from '../edits/stored.ts';
import { type Refund, refund, selectRefunds } from '../refunds/refund.ts';
import { order, type Order, selectOrders } from './order.ts';

/** An order with what became of it. */
export interface WholeOrder {
  readonly order: Order;
  /** Oldest first. */
  readonly edits: readonly EditedOrder[];
  /** Oldest first. */
  readonly refunds: readonly Refund[];
}

/** For a door that has found out whose the order is. Undefined where there is none of the brand, or its person was erased. */
export async function readWholeOrder(
  { context, read }: Pick<TenantScope, 'context' | 'read'>,
  {
    orderId,
    brandId,
    lock = '',
  }: { readonly orderId: string; readonly brandId: string; readonly lock?: '' | 'for key share of o' },
): Promise<WholeOrder | undefined> {
  const [[row], edits, refunds] = await Promise.all([
    read(
      selectOrders(
        order.columns,
        `o.order_id = $2::uuid and o.brand_id = $3::uuid and o.erased_at is null ${lock}`,
        context.tenant,
        orderId,
        brandId,
      ),
    ),
    editsOf({ context, query: read } as Parameters<typeof editsOf>[0], orderId),
    read(selectRefunds('f.order_id = $2::uuid order by f.refund_id limit 1000', context.tenant, orderId)),
  ]);
  return row === undefined ? undefined : { order: order.read(row), edits, refunds: refunds.map(refund.read) };
}

/** The same in a transaction, until whose end nobody erases the person: what it writes of the order is found by whoever does. */
export const wholeOrderIn = async (
  { context, query }: TenantTransaction,
  { orderId, brandId }: { readonly orderId: string; readonly brandId: string },
): Promise<WholeOrder | undefined> =>
  readWholeOrder({ context, read: query }, { orderId, brandId, lock: 'for key share of o' });
