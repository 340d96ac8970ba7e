import { fail, type FieldError, type Problem } from '@steward/kernel';

/** @returns Problem `invalid_request` (400) that names every fault */
export function invalidContact(errors: readonly FieldError[]): Problem {
  const [first] = errors;
  return fail(
    'invalid_request',
    `The contact is not valid: ${first?.pointer ?? ''}: ${first?.detail ?? 'see errors'}`,
    {
      errors: errors.slice(0, 20),
    },
  );
}
