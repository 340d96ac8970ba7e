import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';

const id = z.uuid();
const version = z.int().min(1);
const content_sha256 = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
/** Names of members, as tools spell them. */
const fields = z.array(z.string());

/** They carry ids, kinds, versions and digests, and nothing that somebody typed. */
export const { grammar, published, event } = defineEvents('commerce', {
  recorded: {
    'commerce.tax_settings.changed': payload({ fields, version, content_sha256 }),
    'commerce.tax_zone.created': payload({ tax_zone_id: id, content_sha256 }),
    'commerce.tax_zone.updated': payload({ tax_zone_id: id, fields, version, content_sha256 }),
    'commerce.tax_zone.archived': payload({ tax_zone_id: id }),
    'commerce.shipping_zone.created': payload({ shipping_zone_id: id, content_sha256 }),
    'commerce.shipping_zone.updated': payload({ shipping_zone_id: id, fields, version, content_sha256 }),
    'commerce.shipping_zone.archived': payload({ shipping_zone_id: id }),
    'commerce.shipping_option.created': payload({
      shipping_option_id: id,
      shipping_zone_id: id.nullable(),
      kind: z.enum(['flat', 'by_weight', 'by_price', 'pickup']),
      content_sha256,
    }),
    'commerce.shipping_option.updated': payload({ shipping_option_id: id, fields, version, content_sha256 }),
    'commerce.shipping_option.archived': payload({ shipping_option_id: id }),
    'commerce.discount.created': payload({
      discount_id: id,
      kind: z.enum(['percentage', 'fixed_amount', 'free_shipping', 'buy_x_get_y']),
      content_sha256,
    }),
    'commerce.discount.updated': payload({ discount_id: id, fields, version, content_sha256 }),
    'commerce.discount.archived': payload({ discount_id: id }),
  },
  published: {},
});
