import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';
import { describing, sides } from './words.ts';

const id = z.uuid();
const word = z.string().max(200);
const digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const ofChannel = { channel_id: id, version: z.int().min(1), content_sha256: digest };

const imported = 'commerce.order.imported';

/** They carry ids and names of shops: no token, no personal data. */
const defined = defineEvents('commerce', {
  recorded: {
    'commerce.channel.connected': payload({ ...ofChannel, provider: word, shop: word }),
    /** Which side says how much there is from now on. */
    'commerce.channel.stock_set': payload({ ...ofChannel, stock: z.enum(sides), shop_location_id: word.nullable() }),
    /** Which side describes products from now on. */
    'commerce.channel.products_set': payload({ ...ofChannel, products: z.enum(describing) }),
    /** A member has the shop offer them, or no longer. */
    'commerce.channel.products_published': payload({ channel_id: id, product_ids: z.array(id) }),
    'commerce.channel.products_unpublished': payload({ channel_id: id, product_ids: z.array(id) }),
    /** A product of this side is one of the shop. */
    'commerce.channel.product_created': payload({ channel_id: id, product_id: id, external_id: word }),
    'commerce.channel.disconnected': payload({ ...ofChannel, reason: z.enum(['member', 'uninstalled', 'erased']) }),
    /** A member has its products and open orders imported once more. */
    'commerce.channel.import_requested': payload({ channel_id: id }),
    /** All pages were read; `failed` could not be imported. */
    'commerce.channel.import_finished': payload({
      channel_id: id,
      kind: z.enum(['webhooks', 'products', 'orders']),
      done: z.int().min(0),
      failed: z.int().min(0),
    }),
    /** A buyer of the shop asks what is known of them. */
    'commerce.channel.data_requested': payload({ channel_id: id, request_id: id }),
    'commerce.channel.data_request_answered': payload({ channel_id: id, request_id: id }),
    /** Its token ended, and was renewed. */
    'commerce.channel.renewed': payload({ channel_id: id }),
    /** An order that was placed at a marketplace became one here. */
    [imported]: payload({
      order_id: id,
      channel_id: id,
      mode: z.enum(['live', 'test']),
      /** As the marketplace names it. */
      external_id: word,
      /** Variants of which there was not enough here: nothing is reserved of them. */
      short_variant_ids: z.array(id),
    }),
  },
  published: {
    'commerce.channel.changed': payload({ channelId: id, status: z.enum(['connected', 'disconnected']) }),
    'commerce.channel.data_requested': payload({ channelId: id, requestId: id, contactId: id.nullable() }),
    'commerce.channel.import_finished': payload({ channelId: id, kind: word }),
    'commerce.order.imported': payload({ orderId: id, channelId: id }),
  },
  reserved: ['commerce.channel.**'],
});

export const { published, event, announcement } = defined;

/** The log has a schema of imported orders from the start, because systems of others may record some too; ours agree with it. */
export const grammar = {
  ...defined.grammar,
  events: defined.grammar.events.filter(({ types }) => types !== imported),
};
