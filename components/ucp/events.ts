import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';

const id = z.uuid();
/** `resource_id`: of a cart or a checkout. `key_id`: of the agent's key; null: the request was not signed. */
const written = payload({
  brand_id: id,
  agent_id: id,
  operation: z.string(),
  resource_id: id,
  key_id: z.string().nullable(),
  verdict: z.enum(['signed', 'unsigned']),
});

/** What agents did, and by which proof. They carry ids, and nothing that somebody typed. */
export const { grammar, published, event } = defineEvents('ucp', {
  recorded: { 'ucp.cart.written': written, 'ucp.checkout.written': written },
  published: {},
  reserved: ['ucp.**'],
});
