import type { Consumer } from '@steward/bus';
import { holdDescribed, markListings } from './mark.ts';

/** Has shops compared whose products are described here, once one was changed. Once more than needed it compares, and changes nothing. */
export const productsConsumer = (wake: () => void): Consumer => ({
  name: 'marketplace.products',
  types: ['commerce.product.changed'],
  onFailure: 'dead-letter',
  gathers: 100,
  handle: async (tx, { data }) => {
    const { productId } = data as { readonly productId: string };
    const channels = await holdDescribed(tx);
    if (channels.length === 0) return;
    await markListings(tx, channels, [productId]);
    tx.afterCommit(wake);
  },
});
