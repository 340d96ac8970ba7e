import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';

const id = z.uuid();
const version = z.int().min(1);
const word = z.string().max(200);
const ofConnection = { connection_id: id, version };
const ofDelivery = {
  delivery_id: id,
  receiver: word,
  provider: word,
  topic: word,
  connection_id: id.optional(),
};

/** They carry ids, and words of the provider: no body, secret or personal data. */
export const { grammar, published, event, announcement } = defineEvents('callbacks', {
  recorded: {
    'callbacks.connection.made': payload({
      ...ofConnection,
      receiver: word,
      provider: word,
      live: z.boolean(),
      content_sha256: z.string(),
    }),
    /** Secrets or settings were given; `names` says which, and no secret is here. */
    'callbacks.connection.rotated': payload({ ...ofConnection, names: z.array(word), content_sha256: z.string() }),
    'callbacks.connection.paused': payload(ofConnection),
    'callbacks.connection.resumed': payload(ofConnection),
    'callbacks.connection.removed': payload(ofConnection),
    /** `became`: nouns and ids of what it made or changed. */
    'callbacks.delivery.applied': payload({ ...ofDelivery, became: z.array(z.strictObject({ kind: word, id: word })) }),
    /** Looked at, with nothing to do, or of a topic that nothing follows. */
    'callbacks.delivery.ignored': payload(ofDelivery),
    /** Waits for a person. */
    'callbacks.delivery.failed': payload({ ...ofDelivery, attempts: z.int() }),
    /** Another body came under the id of a delivery that was taken before. */
    'callbacks.delivery.conflicted': payload({ ...ofDelivery, other_body_sha256: z.string() }),
    'callbacks.delivery.retried': payload({ delivery_id: id }),
    'callbacks.delivery.rejected': payload({ delivery_id: id, reason: z.string().max(500) }),
    'callbacks.deliveries.replayed': payload({ delivery_ids: z.array(id) }),
  },
  published: {
    /** A delivery waits for a person. */
    'callbacks.delivery.failed': payload({ deliveryId: id, receiver: word, provider: word }),
    'callbacks.connection.changed': payload({ connectionId: id, status: word }),
  },
  // Nobody else may have the log say what providers did.
  reserved: ['callbacks.**'],
});
