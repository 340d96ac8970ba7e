import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';

const id = z.uuid();
const ids = z.array(id);
const version = z.int().min(1);
const digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const fields = z.array(z.string());

/** They carry ids, names of members and digests: no title, text or price. */
export const { grammar, published, event, announcement } = defineEvents('commerce', {
  recorded: {
    'commerce.product.created': payload({ product_id: id, version, content_sha256: digest }),
    'commerce.product.updated': payload({ product_id: id, fields, version, content_sha256: digest }),
    /** A picture of it is there: `digest` is its address, and says what its sizes contain. */
    'commerce.product.pictured': payload({
      product_id: id,
      medium_id: id,
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      bytes: z.int().min(1),
    }),
    /** It waits to be fetched, is there, or was not fetched. */
    'commerce.brand_logo.changed': payload({ brand_id: id, medium_id: id, content_sha256: digest }),
    'commerce.brand_logo.removed': payload({ brand_id: id, medium_id: id }),
    'commerce.product.published': payload({ product_id: id, brand_id: id }),
    'commerce.product.unpublished': payload({ product_id: id, brand_id: id }),
    'commerce.collection.created': payload({ collection_id: id, content_sha256: digest }),
    'commerce.collection.updated': payload({ collection_id: id, fields, version, content_sha256: digest }),
    'commerce.collection.archived': payload({ collection_id: id }),
    'commerce.price_list.created': payload({ price_list_id: id, content_sha256: digest }),
    'commerce.price_list.updated': payload({ price_list_id: id, fields, version, content_sha256: digest }),
  },
  published: {
    'commerce.product.changed': payload({ productId: id, version }),
    'commerce.variants.removed': payload({ productId: id, variantIds: ids }),
    'commerce.products.published': payload({ productIds: ids, brandId: id }),
    'commerce.products.unpublished': payload({ productIds: ids, brandId: id }),
    'commerce.price_list.changed': payload({ priceListId: id, version }),
  },
  // Nobody else may have the log say what became of products.
  reserved: [
    'commerce.product.**',
    'commerce.products.**',
    'commerce.variants.**',
    'commerce.collection.**',
    'commerce.price_list.**',
    'commerce.brand_logo.**',
  ],
});
