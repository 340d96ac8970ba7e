import { fail, jsonPointer, type FieldError, type Problem } from '@steward/kernel';
import { z } from 'zod';

/** Where a value stood, which decides how its pointer is written. */
type Place = 'body' | 'query' | 'path' | 'arguments';

/** A schema's check, compiled with its first value: all of them together take a tenth of each start, and a run meets few. */
export function checkOf<T>(schema: z.ZodType<T>): (value: unknown) => z.ZodSafeParseResult<T> {
  let compiled: Pick<z.ZodType<T>, 'safeParse'> | undefined;
  return (value) => (compiled ??= z.compile(schema)).safeParse(value);
}

/** A compiled check: the parsed value, or a Problem `invalid_request` that names every fault by pointer. */
export function validator<T>(schema: z.ZodType<T>, place: Place): (value: unknown) => T {
  const check = checkOf(schema);
  return (value) => {
    const result = check(value);
    if (result.success) return result.data;
    throw invalid(result.error.issues, place, value);
  };
}

const mostFaults = 20;

/** The Problem for zod issues; at most twenty faults are named. @param value what was judged, in which it is looked up what is missing */
export function invalid(issues: readonly z.core.$ZodIssue[], place: Place = 'body', value?: unknown): Problem {
  const errors = issues
    .slice(0, mostFaults)
    .flatMap((issue) => faults(issue, place, value))
    .slice(0, mostFaults);
  const first = errors[0];
  return fail(
    'invalid_request',
    `The ${place} ${place === 'arguments' ? 'are' : 'is'} not valid: ${first === undefined ? 'see errors' : `${first.pointer || '/'}: ${first.detail}`}`,
    { errors },
  );
}

/** What the validator says of formats where a schema has no words of its own, said as what is wanted. */
const wanted = new Map([
  ['Invalid UUID', 'Give an id (UUID)'],
  ['Invalid GUID', 'Give an id (UUID)'],
  ['Invalid ISO date', 'Give an existing day as YYYY-MM-DD'],
  ['Invalid ISO datetime', 'Give a time of RFC 3339, such as 2026-03-31T12:00:00Z'],
  ['Invalid email address', 'Give an e-mail address, such as ada@example.com'],
  ['Invalid URL', 'Give a whole address, such as https://example.com/'],
]);

function faults(issue: z.core.$ZodIssue, place: Place, value: unknown): FieldError[] {
  const pointer = placeOf(issue.path, place);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, mostFaults).map((key) => ({
      pointer: placeOf([...issue.path, key], place),
      code: 'unknown_field',
      detail: 'There is no such field.',
    }));
  }
  const missing =
    (issue.code === 'invalid_type' && issue.message.includes('received undefined')) ||
    (issue.code === 'invalid_value' && isMissing(value, issue.path));
  return [
    {
      pointer,
      code: missing ? 'required' : codeOf(issue),
      detail: missing
        ? pointer === ''
          ? 'Send a JSON object, {} if it has no members.'
          : 'This field is required.'
        : `${wanted.get(issue.message) ?? issue.message}.`,
    },
  ];
}

/** A check of a schema's own may name the code of its fault. */
const codeOf = (issue: z.core.$ZodIssue): string => {
  const own: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return typeof own === 'string' ? own : issue.code;
};

/** Whether the object that a member should stand in is there and the member is not. */
function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  const [name] = path.slice(-1);
  let at = value;
  for (const key of path.slice(0, -1))
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<PropertyKey, unknown>>)[key] : undefined;
  return name !== undefined && typeof at === 'object' && at !== null && !Object.hasOwn(at, name);
}

/** As `FieldError` says. */
export function placeOf(path: readonly PropertyKey[], place: Place): string {
  const pointer = jsonPointer(path.map(String), 128);
  if (place === 'body' || place === 'arguments') return pointer;
  const name = pointer.slice(1).replaceAll('/', '.');
  return place === 'path' ? `{${name}}` : `?${name}`;
}
