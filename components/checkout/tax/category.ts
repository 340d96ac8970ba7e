import { z } from 'zod';

/** What products and ways of shipping carry, so that a zone knows their rate. */
export const taxCategory = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Give a short code such as standard or reduced: lower-case letters, digits and _')
  .meta({ description: 'Short code that products carry, such as `standard` or `reduced`.' });
