import { payload } from '@steward/kernel';
import { z } from 'zod';
import { modes } from '../words.ts';
import { reasons, returnStates } from './words.ts';

const id = z.uuid();

/** A return as it is after the event. */
const returned = {
  return_id: id,
  order_id: id,
  mode: z.enum(modes),
  state: z.enum(returnStates),
  reason: z.enum(reasons),
  location_id: id.nullable(),
  lines: z.array(
    z.object({ line_id: id, quantity: z.int().min(1), received: z.int().min(0), damaged: z.int().min(0) }),
  ),
  version: z.int().min(1),
};

/** Of returns: ids and quantities, no note. */
export const returnPayloads = {
  'commerce.return.requested': payload(returned),
  'commerce.return.approved': payload(returned),
  'commerce.return.rejected': payload(returned),
  'commerce.return.received': payload(returned),
  'commerce.return.refunded': payload(returned),
};

export const returnAnnouncements = {
  'commerce.return.requested': payload({ returnId: id, orderId: id, mode: z.enum(modes) }),
  'commerce.return.received': payload({ returnId: id, orderId: id, mode: z.enum(modes) }),
};
