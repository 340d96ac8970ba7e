import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';
import { orderings, reasons, signings, statuses } from './words.ts';

const id = z.uuid();

/** All that is decided about a webhook, as it is from this event on. Of the address only a digest: it may hold a token. */
const terms = {
  endpoint_id: id,
  version: z.int().min(1),
  status: z.enum(statuses),
  reason: z.enum(reasons).nullable(),
  url_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Who made it, or had it send elsewhere last, and through which client. Left out by versions before. */
  maker_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Null: everything that is announced. */
  types: z.array(z.string()).nullable(),
  ordering: z.enum(orderings),
  signing: z.enum(signings),
  per_second: z.int().nullable(),
  /** Of a shopping agent, and the brand in whose name it is told; null: it is the organization's own. */
  agent_id: id.nullable(),
  brand_id: id.nullable(),
};

/** They carry ids, digests and types: neither addresses nor secrets. */
export const { grammar, published, event, announcement } = defineEvents('deliveries', {
  recorded: {
    'deliveries.endpoint.created': payload(terms),
    'deliveries.endpoint.retargeted': payload({ ...terms, fields: z.array(z.enum(['url', 'types'])) }),
    'deliveries.endpoint.updated': payload({
      ...terms,
      fields: z.array(z.enum(['description', 'ordering', 'per_second'])),
    }),
    'deliveries.endpoint.paused': payload(terms),
    'deliveries.endpoint.disabled': payload(terms),
    'deliveries.endpoint.resumed': payload(terms),
    'deliveries.endpoint.deleted': payload({ endpoint_id: id, secret_ids: z.array(id) }),
    'deliveries.endpoint.tested': payload({ endpoint_id: id }),
    'deliveries.endpoint.replayed': payload({ endpoint_id: id, events: z.int().min(0) }),
    /** The secrets before it end at this moment. */
    'deliveries.secret.issued': payload({
      endpoint_id: id,
      secret_id: id,
      /** Of ed25519; null of HMAC, which shares none. */
      public_key: z.string().nullable(),
      earlier_end_at: z.string().nullable(),
    }),
  },
  published: {
    /** By a member, by its own answer (`gone`), or because it failed for days. */
    'deliveries.endpoint.paused': payload({ webhookId: id, reason: z.enum(reasons) }),
    'deliveries.endpoint.disabled': payload({ webhookId: id, reason: z.enum(reasons) }),
    'deliveries.endpoint.resumed': payload({ webhookId: id }),
    /** Sent to this webhook alone, whatever types it wants. */
    'deliveries.endpoint.tested': payload({ webhookId: id }),
  },
  reserved: ['deliveries.**'],
});
