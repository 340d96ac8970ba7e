import { payload } from '@steward/kernel';
import { z } from 'zod';
import { modes } from '../words.ts';

const id = z.uuid();
const digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

export const editPayloads = {
  /** The order as it is after the edit, as `commerce.order.placed` tells it; and the digests of the version before and of the one that was made. */
  'commerce.order.edited': payload({
    edit_id: id,
    order_id: id,
    mode: z.enum(modes),
    number: z.int().min(1),
    checkout_id: id,
    brand_id: id,
    contact_id: id.nullable(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    net: z.string(),
    tax: z.string(),
    total: z.string(),
    units: z.int().min(1),
    content_sha256: digest,
    buyer_sha256: digest,
    version_before: z.int().min(1),
    before_sha256: digest,
    version: z.int().min(2),
    after_sha256: digest,
    /** Whether it goes to another address. */
    readdressed: z.boolean(),
  }),
};

export const editAnnouncements = {
  'commerce.order.edited': payload({ orderId: id, editId: id, mode: z.enum(modes) }),
};
