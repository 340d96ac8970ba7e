import type { Consumer } from '@steward/bus';
import { orderIn } from '@steward/orders';
import { variantsTaking } from '@steward/stock';
import { holdKeeping, markVariants } from './mark.ts';

/**
 * Has shops told of what changed here: of stock that was moved, and of orders, which reserve some. Once more than needed it compares, and changes nothing.
 */
export const stockConsumer = (wake: () => void): Consumer => ({
  name: 'marketplace.stock',
  types: ['commerce.stock.changed', 'commerce.order.placed', 'commerce.order.edited'],
  onFailure: 'dead-letter',
  gathers: 100,
  handle: async (tx, { data }) => {
    const { mode, itemIds, orderId } = data as {
      readonly mode: string;
      readonly itemIds?: readonly string[];
      readonly orderId?: string;
    };
    if (mode !== 'live') return;
    const channels = await holdKeeping(tx);
    if (channels.length === 0) return;
    const variants =
      itemIds !== undefined
        ? await variantsTaking(tx, itemIds)
        : ((await orderIn(tx, orderId ?? ''))?.lines ?? []).map(({ variantId }) => variantId);
    await markVariants(tx, channels, variants);
    tx.afterCommit(wake);
  },
});
