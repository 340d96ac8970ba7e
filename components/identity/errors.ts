import { defineErrors } from '@steward/kernel';

/** Codes of identity's own, beside the kernel's. */
export const errors = defineErrors({
  last_owner: [409, 'A tenant always keeps an owner'],
});
