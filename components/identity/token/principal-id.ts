import { z } from 'zod';

/**
 * What names a member, a machine, an agent or a client: whatever a token may bring (a claim of 255 characters after an issuer's prefix of
 * 32), or it would act here and could not be shut out.
 */
export const principalId = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[^\p{Cc}]+$/u, 'Control characters are not accepted');
