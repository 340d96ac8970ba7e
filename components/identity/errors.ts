import { defineErrors } from '@steward/kernel';

/** Codes of identity's own, beside the kernel's. */
export const errors = defineErrors({
  own_origin: [403, 'You cannot shut out the client that you came through'],
  last_owner: [409, 'A tenant always keeps an owner'],
});
