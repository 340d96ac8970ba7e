type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Verbs use camelCase and name their own input; a tool's caller gets pointers (RFC 6901) into its arguments. If the arguments have no
 * such member, the pointer names the nearest part that they have; keys that users name stay as they are.
 */
export function pointersInto(input: JsonSchema): (pointer: string) => string {
  return (pointer) => {
    const segments = pointer.startsWith('?') ? [pointer.slice(1)] : pointer.split('/').slice(1);
    const found: string[] = [];
    let at: readonly JsonSchema[] = [input];
    for (const segment of segments) {
      const name = [segment, snake(segment)].find((one) => at.some((schema) => below(schema, one) !== undefined));
      if (name === undefined) break;
      found.push(name);
      at = at.flatMap((schema) => alternatives(below(schema, name) ?? {}));
    }
    return found.map((one) => `/${one}`).join('');
  };
}

/**
 * A verb's words with the names that the arguments have: where it speaks of its own input, of several words in one, the tool's caller reads the
 * argument. @param takes arguments that the verb calls otherwise
 */
export function wordsFor(input: JsonSchema, takes: Readonly<Record<string, string>> = {}): (text: string) => string {
  const names = new Map<string, string>();
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties')
        for (const name of Object.keys(value as object)) if (name.includes('_')) names.set(camel(name), name);
      collect(value);
    }
  };
  collect(input);
  for (const [own, other] of Object.entries(takes)) if (/[A-Z]/.test(own)) names.set(own, snake(other));
  return (text) => text.replaceAll(/[A-Za-z0-9]+/g, (word) => names.get(word) ?? word);
}

/** Whether an answer may say what is wrong with one of many: `problem`, in the form of an error. */
export function hasProblems(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  return Object.entries(answer).some(
    ([key, value]) => (key === 'properties' && Object.hasOwn(value as object, 'problem')) || hasProblems(value),
  );
}

/** The same answer, whose problems point into the arguments that the caller gave and speak of them. */
export function problemsSaid(
  data: unknown,
  caller: { readonly pointer: (of: string) => string; readonly words: (of: string) => string },
): unknown {
  if (Array.isArray(data)) return data.map((one: unknown) => problemsSaid(one, caller));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      name === 'problem' && isProblem(value) ? said(value, caller) : problemsSaid(value, caller),
    ]),
  );
}

interface Said {
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

const isProblem = (value: unknown): value is Said =>
  typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;

const said = (problem: Said, { pointer, words }: Parameters<typeof problemsSaid>[1]): Said => ({
  ...problem,
  detail: words(problem.detail),
  ...(problem.errors === undefined
    ? {}
    : {
        errors: problem.errors.map((one) => ({ ...one, pointer: pointer(one.pointer), detail: words(one.detail) })),
      }),
});

const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const alternatives = (schema: JsonSchema): JsonSchema[] =>
  Array.isArray(schema['anyOf']) ? (schema['anyOf'] as JsonSchema[]).flatMap(alternatives) : [schema];

/** The schema of a member; an empty one if any member is allowed; undefined if there is none. */
function below(schema: JsonSchema, name: string): JsonSchema | undefined {
  const { type, properties, items, additionalProperties } = schema;
  if (items !== undefined) return /^\d+$/.test(name) ? (items as JsonSchema) : undefined;
  const own = (properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (Object.hasOwn(own, name)) return own[name];
  if (additionalProperties === false || (type !== undefined && type !== 'object')) return undefined;
  return typeof additionalProperties === 'object' && additionalProperties !== null
    ? (additionalProperties as JsonSchema)
    : {};
}
