import { fail, type FieldError } from '@steward/kernel';

/** @param faults one at least; up to twenty are told */
export const invalidLines = (faults: readonly FieldError[]): Error =>
  fail('invalid_request', `${faults[0]?.pointer}: ${faults[0]?.detail}`, { errors: faults.slice(0, 20) });
