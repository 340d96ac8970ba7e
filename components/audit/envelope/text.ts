import type { Faults } from './faults.ts';

/** PostgreSQL cannot hold NUL, and the others have no place in a name that people and logs read. */
const control = /\p{Cc}/u;

/** An identifier within its length in characters: no control character, no lone surrogate (UTF-8 cannot hold it). */
export function readText(
  value: unknown,
  pointer: string,
  faults: Faults,
  limits: { readonly least: number; readonly most: number },
): string | undefined {
  const { least, most } = limits;
  if (typeof value !== 'string') {
    faults.add(pointer, 'invalid_type', 'This must be a string.');
  } else if (!within(value, least, most)) {
    faults.add(pointer, 'invalid_length', `This must have ${least} to ${most} characters.`);
  } else if (control.test(value) || !value.isWellFormed()) {
    faults.add(pointer, 'invalid_characters', 'This holds a control character or a lone surrogate.');
  } else {
    return value;
  }
  return undefined;
}

function within(value: string, least: number, most: number): boolean {
  if (value.length < least || value.length > most * 2) return false;
  if (value.length <= most && value.length >= least * 2) return true;
  const characters = [...value].length;
  return characters >= least && characters <= most;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
