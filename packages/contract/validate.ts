import { fail, jsonPointer, type FieldError, type Problem } from '@steward/kernel';
import { z } from 'zod';
import { spellingOf } from './spelling.ts';
import { wordsFor } from './words.ts';

/** Where a value stood, which decides how its pointer is written. */
type Place = 'body' | 'query' | 'path' | 'arguments';

/** A schema's check, compiled with its first value: all of them together take a tenth of each start, and a run meets few. */
export function checkOf<T>(schema: z.ZodType<T>): (value: unknown) => z.ZodSafeParseResult<T> {
  let compiled: Pick<z.ZodType<T>, 'safeParse'> | undefined;
  return (value) => (compiled ??= z.compile(schema)).safeParse(value, { error: wordsFor });
}

/** A compiled check: the parsed value, or a Problem `invalid_request` that names every fault by pointer. */
export function validator<T>(schema: z.ZodType<T>, place: Place): (value: unknown) => T {
  const check = checkOf(schema);
  let spelling: ReturnType<typeof spellingOf> | undefined;
  const near: Near = (path) =>
    (spelling ??= spellingOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))).near(path);
  return (value) => {
    const result = check(value);
    if (result.success) return result.data;
    throw invalid(result.error.issues, place, value, near);
  };
}

const mostFaults = 20;

/** The name that an unknown one was meant for, if it is near one. */
type Near = (path: readonly string[]) => string | undefined;

/** What is said of a name that a schema does not have. */
export const noSuchField = (meant: string | undefined): string =>
  `There is no such field.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;

/**
 * The Problem for zod issues; at most twenty faults are named.
 * @param value what was judged, in which it is looked up what is missing
 */
export function invalid(issues: readonly z.core.$ZodIssue[], place: Place, value: unknown, near: Near): Problem {
  const errors = issues
    .slice(0, mostFaults)
    .flatMap((issue) => faults(issue, place, value, near))
    .slice(0, mostFaults);
  const first = errors[0];
  return fail(
    'invalid_request',
    `The ${place} ${place === 'arguments' ? 'are' : 'is'} not valid: ${first === undefined ? 'see errors' : `${first.pointer || '/'}: ${first.detail}`}`,
    { errors },
  );
}

function faults(issue: z.core.$ZodIssue, place: Place, value: unknown, near: Near): FieldError[] {
  const pointer = placeOf(issue.path, place);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, mostFaults).map((key) => ({
      pointer: placeOf([...issue.path, key], place),
      code: 'unknown_field',
      detail: noSuchField(near([...issue.path, key].map(String))),
    }));
  }
  if (issue.code === 'invalid_union') {
    const meant = meantOf(issue.errors);
    if (meant !== undefined)
      return meant.flatMap((one) => faults({ ...one, path: [...issue.path, ...one.path] }, place, value, near));
  }
  if (choosing.has(issue.code) && isMissing(value, issue.path))
    return [
      {
        pointer,
        code: 'required',
        detail: pointer === '' ? 'Send a JSON object, {} if it has no members.' : 'This field is required.',
      },
    ];
  return [{ pointer, code: codeOf(issue), detail: `${issue.message}.` }];
}

/** Of what a value that is missing is told as. */
const choosing: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/** Of several schemas the one that a value was meant for: the only one whose type it has. */
function meantOf(alternatives: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  const [one, ...others] = alternatives.filter((issues) =>
    issues.every(({ code, path }) => path.length > 0 || !choosing.has(code)),
  );
  return others.length === 0 ? one : undefined;
}

/** A check of a schema's own may name the code of its fault. */
const codeOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code !== 'custom') return issue.code;
  const own: unknown = issue.params?.['code'];
  return typeof own === 'string' ? own : 'invalid_value';
};

/** Whether there is nothing at a place, where all that it stands in is there. */
function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return false;
    at = Object.hasOwn(at, key) ? (at as Readonly<Record<PropertyKey, unknown>>)[key] : undefined;
  }
  return at === undefined;
}

/** As `FieldError` says. */
export function placeOf(path: readonly PropertyKey[], place: Place): string {
  const pointer = jsonPointer(path.map(String), 128);
  if (place === 'body' || place === 'arguments') return pointer;
  const name = pointer.slice(1).replaceAll('/', '.');
  return place === 'path' ? `{${name}}` : `?${name}`;
}
