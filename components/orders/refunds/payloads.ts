import { payload } from '@steward/kernel';
import { z } from 'zod';
import { reasons } from '../returns/words.ts';
import { modes } from '../words.ts';

const id = z.uuid();
const amount = z.string();
const charged = { net: amount, tax: amount };

/** Of refunds: ids and figures, no note. Each payment that gives back has an event of its own beside it. */
export const refundPayloads = {
  'commerce.order.refunded': payload({
    refund_id: id,
    order_id: id,
    mode: z.enum(modes),
    return_id: id.nullable(),
    reason: z.enum(reasons),
    currency: z.string().regex(/^[A-Z]{3}$/),
    lines: z.array(z.object({ line_id: id, quantity: z.int().min(1), ...charged })),
    shipping: z.object(charged),
    /** Beside lines and shipping. */
    adjustment: amount,
    /** What an edit left over. */
    balance: amount,
    /** What was still to be paid of it, and is due no more. Events of before have none. */
    credited: amount,
    /** The money that was given back. */
    total: amount,
  }),
};

export const refundAnnouncements = {
  'commerce.order.refunded': payload({ orderId: id, refundId: id, mode: z.enum(modes) }),
};
