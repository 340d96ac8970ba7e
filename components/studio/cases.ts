import { Problem } from '@steward/kernel';

// REST speaks camelCase and tools snake_case (contracts §1). Every member here is named by us; what people name (fields,
// options, contact fields) stands in values, so names may be turned wherever they are.

const snakeName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelName = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

function turn(value: unknown, name: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => turn(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [name(key), turn(member, name)]),
  );
}

/** What a verb answers, as a tool says it. */
export const toSnake = (value: unknown): Record<string, unknown> => turn(value, snakeName) as Record<string, unknown>;

/** A tool's arguments, as the verb takes them; the verb checks them. */
export const toCamel = <T>(value: object): T => turn(value, camelName) as T;

/** Runs a verb for a tool: pointers of a refusal lead into the tool's own arguments. */
export async function forTool<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error;
    const { code, status, title, detail, headers, members } = error;
    const said = error.errors.reduce(
      (text, { pointer }) => text.replace(`${pointer}:`, `${snakeName(pointer)}:`),
      detail,
    );
    throw new Problem(code, status, title, said, {
      errors: error.errors.map((one) => ({ ...one, pointer: snakeName(one.pointer) })),
      headers,
      members,
      cause: error,
    });
  }
}
