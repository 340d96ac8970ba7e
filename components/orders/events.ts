import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';
import { editAnnouncements, editPayloads } from './edits/payloads.ts';
import { letterPayloads } from './letters/payloads.ts';
import { paymentAnnouncements, paymentPayloads } from './payments/payloads.ts';
import { refundAnnouncements, refundPayloads } from './refunds/payloads.ts';
import { returnAnnouncements, returnPayloads } from './returns/payloads.ts';
import { cancelReasons, deliveryStatuses, modes } from './words.ts';

const id = z.uuid();
const mode = z.enum(modes);
const digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** They carry ids, figures and digests: no name, address, title or note. */
export const { grammar, published, event, announcement } = defineEvents('commerce', {
  recorded: {
    ...paymentPayloads,
    ...letterPayloads,
    ...returnPayloads,
    ...refundPayloads,
    ...editPayloads,
    /** What was bought is in `content_sha256`, who bought it in `buyer_sha256`. */
    'commerce.order.placed': payload({
      order_id: id,
      mode,
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
    }),
    /** Null: there is no note, or no tag. */
    'commerce.order.updated': payload({
      order_id: id,
      mode,
      fields: z.array(z.enum(['note', 'tags'])),
      version: z.int().min(2),
      note_sha256: digest.nullable(),
      tags_sha256: digest.nullable(),
    }),
    'commerce.order.cancelled': payload({ order_id: id, mode, reason: z.enum(cancelReasons) }),
    /** Who bought it was taken out of it, with notes and tags. */
    'commerce.order.erased': payload({ order_id: id, mode, reason: z.string() }),
    /** With all that became of them; `payments` counts those that no order came of. */
    'commerce.order.tests_deleted': payload({ order_ids: z.array(id), payments: z.int().min(0) }),
    /** Some of it has left; what, and how it can be tracked, is in `content_sha256`. */
    'commerce.order.fulfilled': payload({
      order_id: id,
      mode,
      fulfilment_id: id,
      units: z.int().min(1),
      content_sha256: digest,
    }),
    'commerce.fulfilment.updated': payload({
      fulfilment_id: id,
      order_id: id,
      mode,
      version: z.int().min(2),
      content_sha256: digest,
    }),
    /** Its carrier says where it is. */
    'commerce.fulfilment.tracked': payload({
      fulfilment_id: id,
      order_id: id,
      mode,
      status: z.enum(deliveryStatuses),
      version: z.int().min(2),
      content_sha256: digest,
    }),
  },
  published: {
    ...paymentAnnouncements,
    ...returnAnnouncements,
    ...refundAnnouncements,
    ...editAnnouncements,
    'commerce.order.placed': payload({ orderId: id, mode }),
    'commerce.order.updated': payload({ orderId: id, mode }),
    'commerce.order.cancelled': payload({ orderId: id, mode }),
    'commerce.order.erased': payload({ orderId: id, mode }),
    'commerce.order.tests_deleted': payload({ orderIds: z.array(id) }),
    'commerce.order.fulfilled': payload({ orderId: id, mode, fulfilmentId: id }),
    'commerce.fulfilment.updated': payload({ orderId: id, mode, fulfilmentId: id }),
    'commerce.fulfilment.tracked': payload({ orderId: id, mode, fulfilmentId: id, status: z.enum(deliveryStatuses) }),
  },
});
