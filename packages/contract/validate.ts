import { fail, jsonPointer, type FieldError, type Problem } from '@steward/kernel';
import { z } from 'zod';

/** Where a value stood, which decides how its pointer is written. */
type Place = 'body' | 'query' | 'path';

/** A compiled check: the parsed value, or a Problem `invalid_request` that names every fault by pointer. */
export function validator<T>(schema: z.ZodType<T>, place: Place): (value: unknown) => T {
  const compiled = z.compile(schema);
  return (value) => {
    const result = compiled.safeParse(value);
    if (result.success) return result.data as T;
    throw invalid(result.error.issues, place);
  };
}

const mostFaults = 20;

/** The Problem for zod issues; at most twenty faults are named. */
export function invalid(issues: readonly z.core.$ZodIssue[], place: Place = 'body'): Problem {
  const errors = issues
    .slice(0, mostFaults)
    .flatMap((issue) => faults(issue, place))
    .slice(0, mostFaults);
  const first = errors[0];
  const where = place === 'body' ? 'body' : place;
  return fail(
    'invalid_request',
    `The ${where} is not valid: ${first === undefined ? 'see errors' : `${first.pointer || '/'}: ${first.detail}`}`,
    { errors },
  );
}

/** What the validator says of formats where a schema has no words of its own, said as what is wanted. */
const wanted = new Map([
  ['Invalid UUID', 'Give an id (UUID)'],
  ['Invalid GUID', 'Give an id (UUID)'],
  ['Invalid ISO date', 'Give a day that there is, as YYYY-MM-DD'],
  ['Invalid ISO datetime', 'Give a time of RFC 3339, such as 2026-03-31T12:00:00Z'],
  ['Invalid email address', 'Give an e-mail address, such as ada@example.com'],
  ['Invalid URL', 'Give a whole address, such as https://example.com/'],
]);

function faults(issue: z.core.$ZodIssue, place: Place): FieldError[] {
  const pointer = pointerOf(issue.path, place);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, mostFaults).map((key) => ({
      pointer: pointerOf([...issue.path, key], place),
      code: 'unknown_field',
      detail: 'There is no such field.',
    }));
  }
  const missing =
    issue.code === 'invalid_type' && issue.input === undefined && issue.message.includes('received undefined');
  return [
    {
      pointer,
      code: missing ? 'required' : issue.code,
      detail: missing
        ? pointer === ''
          ? 'Send a JSON object, {} where there is nothing to say.'
          : 'This field is required.'
        : `${wanted.get(issue.message) ?? issue.message}.`,
    },
  ];
}

function pointerOf(path: readonly PropertyKey[], place: Place): string {
  const pointer = jsonPointer(path.map(String), 128);
  return place === 'body' ? pointer : `?${pointer.slice(1).replaceAll('/', '.')}`;
}
