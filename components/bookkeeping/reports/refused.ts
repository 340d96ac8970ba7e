import { fail } from '@steward/kernel';

/** Refuses a member of a report's input. */
export const refused = (pointer: string, detail: string): Error =>
  fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'invalid_value', detail }] });
