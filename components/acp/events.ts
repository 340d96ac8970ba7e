import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';
import { reasons, statuses } from './pushed/words.ts';

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

/** All that is decided about a feed, as it is from this event on. Of the address only a digest. */
const feed = payload({
  feed_id: id,
  agent_id: id,
  brand_id: id,
  version: z.int().min(1),
  status: z.enum(statuses),
  reason: z.enum(reasons).nullable(),
  url_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Who made it, or had it go elsewhere last, and through which client. Left out by versions before. */
  maker_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  target_country: z.string().nullable(),
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
    'acp.feed.set': feed,
    'acp.feed.token_given': feed,
    /** By a member, or because the platform will not take anything (`refused`). */
    'acp.feed.paused': feed,
    'acp.feed.resumed': feed,
    'acp.feed.removed': payload({ feed_id: id, agent_id: id, brand_id: id }),
  },
  published: {},
  reserved: ['acp.**'],
});
