import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';
import { kinds } from './words.ts';

const id = z.uuid();

/** They carry ids, kinds and states, and nothing that somebody typed. */
export const { grammar, published, event } = defineEvents('commerce', {
  recorded: {
    'commerce.posting_profile.changed': payload({
      mode: z.enum(['off', 'drafts', 'post']),
      /** Names of members, as tools spell them. */
      fields: z.array(z.string()),
      version: z.int().min(1),
      content_sha256: z.string(),
    }),
    /** What an order or a change of stock made in the books, or that it makes nothing there; `waiting`: that holds no longer, and it waits again. */
    'commerce.order_posting.settled': payload({
      posting_id: id,
      /** Null: of goods that no order moved. */
      order_id: id.nullable(),
      kind: z.enum(kinds),
      source_id: id,
      state: z.enum(['waiting', 'drafted', 'posted', 'left_out']),
      document_id: id.nullable(),
      payment_id: id.nullable(),
      /** Of what was given back by more than one payment: those after the first. */
      further_payment_ids: z.array(id).optional(),
      /** Of an invoice: the version of the order that it has. */
      order_version: z.int().min(1).nullable(),
      /** What it posted. */
      entries: z.array(id),
    }),
  },
  published: {},
});
