import { payload } from '@steward/kernel';
import { z } from 'zod';

/** No address. */
export const letterPayloads = {
  'commerce.letter_settings.changed': payload({
    brand_id: z.uuid(),
    version: z.int().min(1),
    content_sha256: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  }),
};
