import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';

const id = z.uuid();
/** `resource_id`: of a cart or a checkout session. `key_id`: of the credential. */
const proof = { key_id: id, verdict: z.enum(['signed', 'bearer']) };
const written = payload({
  brand_id: id,
  agent_id: id,
  operation: z.string(),
  resource_id: id,
  ...proof,
});

/** What agents did, and by which proof. They carry ids, and nothing that somebody typed. */
export const { grammar, published, event } = defineEvents('acp', {
  recorded: {
    'acp.cart.written': written,
    'acp.checkout.written': written,
    /** Of tests alone. */
    'acp.payment_token.issued': payload({ brand_id: id, agent_id: id, token_id: id, ...proof }),
    /** The payment that it was used for began with it. */
    'acp.payment_token.used': payload({ brand_id: id, agent_id: id, token_id: id, checkout_id: id }),
  },
  published: {},
  reserved: ['acp.**'],
});
