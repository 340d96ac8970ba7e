import { jsonPointer } from '@steward/kernel';
import type { JsonSchema } from '../../grammars/grammar.ts';

/** The keyword by which a schema marks personal data: `"x-personal": {"subject": "/customer_id"}`. */
export const keyword = 'x-personal';

/** A place that holds personal data, and where the payload says whose. Each step is a member's name; `*` is any item. */
export interface Mark {
  readonly place: readonly string[];
  readonly subject: readonly string[];
}

/** Every item of a list; in the pointer to the subject, the same item that the place is in. */
export const anyItem = '*';

/** Characters of a subject's id at most. */
export const maxSubject = 200;

/**
 * The marked places of a schema. A mark is allowed under `properties` and `items` only, each with its `type`, and the subject
 * must be named wherever the data is: otherwise a payload could pass with its personal data unsealed.
 * @throws Error at start, naming the place and what to mend
 */
export function findMarks(schema: JsonSchema): readonly Mark[] {
  const marks = [...walk(schema, [])];
  const written = countKeyword(schema);
  if (written !== marks.length)
    throw new Error(
      `${keyword} may stand under properties and items only, all of them objects and arrays by their type: ` +
        `${written} are written and ${marks.length} can be reached`,
    );
  for (const { place, subject } of marks) requireSound(schema, place, subject);
  return marks;
}

function* walk(schema: JsonSchema, place: readonly string[]): Generator<Mark> {
  const mark = schema[keyword];
  if (mark !== undefined) {
    const { subject } = mark as { readonly subject?: unknown };
    if (typeof subject !== 'string')
      throw new Error(`${keyword} at ${jsonPointer(place)}: it is {"subject": a pointer}`);
    yield { place, subject: readPointer(subject) };
    return;
  }
  if (schema['type'] === 'object')
    for (const [name, one] of Object.entries(membersOf(schema))) yield* walk(one, [...place, name]);
  const { items } = schema;
  if (schema['type'] === 'array' && isSchema(items) && schema['prefixItems'] === undefined)
    yield* walk(items, [...place, anyItem]);
}

/** Every place where the word is a keyword; a member of a payload may have the same name. */
function countKeyword(value: unknown, names = false): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countKeyword(one), 0);
  if (!isSchema(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, one]) => sum + (key === keyword && !names ? 1 : countKeyword(one, key === 'properties' && !names)),
    0,
  );
}

function requireSound(schema: JsonSchema, place: readonly string[], subject: readonly string[]): void {
  const refuse = (why: string): Error =>
    new Error(`${keyword} at ${jsonPointer(place)}: the subject ${jsonPointer(subject)} ${why}`);
  if (place.length === 0) throw refuse('cannot be beside a payload that is personal as a whole');
  const shared = subject.findIndex((step, index) => step !== place[index]);
  if (shared === -1 || shared === place.length) throw refuse('is around or inside the marked value');
  const steps = subject.entries().toArray();
  if (steps.some(([index, step]) => step === anyItem && index >= shared))
    throw refuse('goes through a list that the place is not in');
  let at: JsonSchema = schema;
  for (const [index, step] of steps) {
    const next: unknown = step === anyItem ? at['items'] : at['type'] === 'object' ? membersOf(at)[step] : undefined;
    if (!isSchema(next)) throw refuse('is not described by the schema');
    // Where the place is, the objects around it are too.
    if (index >= shared && !isThere(at, step, index === shared ? place[index] : undefined))
      throw refuse('must be required, or be in dependentRequired of the marked property');
    at = next;
  }
  const [least, most] = [at['minLength'], at['maxLength']];
  if (
    at['type'] !== 'string' ||
    typeof least !== 'number' ||
    least < 1 ||
    typeof most !== 'number' ||
    most > maxSubject
  )
    throw refuse(`must be a string with a minLength of 1 or more and a maxLength of ${maxSubject} or less`);
  if (at[keyword] !== undefined) throw refuse('is itself marked: the id of a subject is opaque and stays readable');
}

function isThere(schema: JsonSchema, name: string, beside: string | undefined): boolean {
  const dependent = schema['dependentRequired'] as Readonly<Record<string, readonly string[]>> | undefined;
  return (
    (schema['required'] as readonly string[] | undefined)?.includes(name) === true ||
    (beside !== undefined && dependent?.[beside]?.includes(name) === true)
  );
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const membersOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries((schema['properties'] as Readonly<Record<string, unknown>> | undefined) ?? {}).filter(
      (member): member is [string, JsonSchema] => isSchema(member[1]),
    ),
  );

function readPointer(pointer: string): readonly string[] {
  if (!pointer.startsWith('/')) throw new Error(`${keyword}: ${JSON.stringify(pointer)} is no JSON pointer`);
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
