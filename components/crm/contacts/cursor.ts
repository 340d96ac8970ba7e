import { z } from 'zod';

/** When a contact was created, in microseconds since 1970, and its id. */
export const contactCursor = z
  .string()
  .regex(/^\d{1,18}\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
