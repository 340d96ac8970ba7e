type JsonSchema = Readonly<Record<string, unknown>>;

/** How a schema's names are spelled outside: verbs and schemas speak camelCase, callers of tools read and write snake_case. */
export interface Spelling {
  /** The schema with the names that callers use. */
  readonly schema: JsonSchema;
  /**
   * A value as the schema names its members. Where a caller used a name of the inside, its pointer is put into `unknown` and the member
   * is left out.
   */
  inward(value: unknown, unknown: string[]): unknown;
  /** A value as callers get it: of an object with named members only these members, without undefined ones. */
  outward(value: unknown): unknown;
  /** The same for a value that may hold members beside the schema's, which are spelled as well. */
  outwardLoose(value: unknown): unknown;
  /** A pointer into a value of the inside, into the one that the caller knows; what the schema does not name stays. */
  pointer(pointer: string): string;
  /** The member that a name unknown to the schema was meant for, as it is written inside: another case, or one letter off. */
  near(path: readonly string[]): string | undefined;
}

/**
 * Names that the schema gives (`properties`) are spelled, and so are keys that an answer may have beside them; keys of records, which users
 * name (custom fields, answers), stay as they are, and so does all below a member of which the schema says nothing.
 */
export function spellingOf(schema: JsonSchema): Spelling {
  const node = nodeOf(schema, definitionsOf(schema));
  const plain = !renames(node, new Set());
  return {
    schema: plain ? schema : (spelled(schema) as JsonSchema),
    inward: (value, unknown) => (plain ? value : inward(node, value, '', unknown)),
    outward: (value) => outward(node, value, false),
    outwardLoose: (value) => outward(node, value, true),
    pointer: (pointer) => (plain ? pointer : outwardPointer(node, pointer)),
    near: (path) => near(node, path),
  };
}

function near(node: Node, path: readonly string[]): string | undefined {
  const name = path.at(-1) ?? '';
  if (name.length < 3 || name.length > 64) return undefined;
  let at: Node | undefined = node;
  for (const key of path.slice(0, -1))
    at = at?.members.get(at.inside.get(key) ?? key) ?? at?.rest ?? (/^\d+$/.test(key) ? at?.items : undefined);
  const names = [...(at?.members.keys() ?? [])];
  return names.find((one) => folded(one) === folded(name)) ?? names.find((one) => isOneOff(folded(one), folded(name)));
}

const folded = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** One letter more, less or other, or two that changed places. In time that grows with the length alone. */
function isOneOff(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  return (
    (left.length <= 1 && right.length <= 1) ||
    (left.length === 2 && right.length === 2 && left === `${right[1]}${right[0]}`)
  );
}

export const snakeName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What a schema says of names at one place in a value. */
interface Node {
  /** By their names inside. */
  readonly members: Map<string, Node>;
  /** By their names outside: the names inside. */
  readonly inside: Map<string, string>;
  /** The schema of items, and of members with any key. */
  items?: Node;
  rest?: Node;
  /** Whether those keys are ours as well: beside members, even none, that the schema names. */
  ours?: true;
  /** Its own name outside, where it is a member. */
  readonly out?: string;
}

type Definitions = ReadonlyMap<string, { readonly schema: JsonSchema; node?: Node }>;

const definitionsOf = ({ $defs = {} }: JsonSchema): Definitions =>
  new Map(
    Object.entries($defs as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => [
      `#/$defs/${name}`,
      { schema },
    ]),
  );

function nodeOf(schema: JsonSchema, definitions: Definitions): Node {
  const node: Node = { members: new Map(), inside: new Map() };
  add(node, schema, definitions);
  return node;
}

/** Alternatives together describe a place: a name inside has the same name outside in each of them. */
function add(node: Node, schema: JsonSchema, definitions: Definitions): void {
  const { $ref, anyOf, oneOf, allOf, properties, items, additionalProperties } = schema;
  if (typeof $ref === 'string') {
    const known = definitions.get($ref);
    if (known === undefined) return;
    if (known.node === undefined) {
      known.node = { members: new Map(), inside: new Map() };
      add(known.node, known.schema, definitions);
    }
    merge(node, known.node);
  }
  for (const one of [anyOf, oneOf, allOf].flatMap((list) => (list ?? []) as readonly JsonSchema[]))
    add(node, one, definitions);
  for (const [name, below] of Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>)) {
    const out = snakeName(name);
    const member = node.members.get(name) ?? { ...empty(), out };
    node.members.set(name, member);
    node.inside.set(out, name);
    add(member, below, definitions);
  }
  if (typeof items === 'object' && items !== null) add((node.items ??= empty()), items as JsonSchema, definitions);
  if (typeof additionalProperties === 'object' && additionalProperties !== null) {
    add((node.rest ??= empty()), additionalProperties as JsonSchema, definitions);
    if (properties !== undefined) node.ours = true;
  }
}

const empty = (): Node => ({ members: new Map(), inside: new Map() });

function merge(node: Node, other: Node): void {
  for (const [name, member] of other.members) {
    node.members.set(name, member);
    node.inside.set(snakeName(name), name);
  }
  if (other.items !== undefined) node.items = other.items;
  if (other.rest !== undefined) node.rest = other.rest;
  if (other.ours !== undefined) node.ours = other.ours;
}

function renames(node: Node, seen: Set<Node>): boolean {
  if (seen.has(node)) return false;
  seen.add(node);
  const below = [...node.members.values(), node.items, node.rest].filter((one) => one !== undefined);
  return (
    node.ours === true ||
    [...node.inside].some(([out, name]) => out !== name) ||
    below.some((one) => renames(one, seen))
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function inward(node: Node, value: unknown, at: string, unknown: string[]): unknown {
  if (Array.isArray(value)) {
    const { items } = node;
    return items === undefined ? value : value.map((one, index) => inward(items, one, `${at}/${index}`, unknown));
  }
  if (!isObject(value) || (node.members.size === 0 && node.rest === undefined)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    const name = node.inside.get(key);
    if (name === undefined && node.members.has(key)) unknown.push(`${at}/${key}`);
    else
      put(
        result,
        name ?? key,
        below(node, name ?? key, one, (next) => inward(next, one, `${at}/${key}`, unknown)),
      );
  }
  return result;
}

function outward(node: Node, value: unknown, loose: boolean): unknown {
  if (Array.isArray(value)) {
    const { items } = node;
    return items === undefined && !loose ? value : value.map((one) => outward(items ?? empty(), one, loose));
  }
  if (!isObject(value)) return value;
  const named = node.members.size > 0;
  if (!named && node.rest === undefined && !loose) return value;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const one = value[key];
    if (one === undefined) continue;
    const member = node.members.get(key);
    if (member !== undefined)
      put(result, member.out ?? key, typeof one === 'object' ? outward(member, one, loose && !isOpen(member)) : one);
    else if (node.rest !== undefined)
      put(result, node.ours === true ? snakeName(key) : key, outward(node.rest, one, false));
    else if (loose) put(result, snakeName(key), outward(empty(), one, true));
  }
  return result;
}

/** A member of which the schema does not say what it holds: its keys are the users'. */
const isOpen = (node: Node): boolean => node.members.size === 0 && node.items === undefined;

function below(node: Node, name: string, value: unknown, go: (next: Node) => unknown): unknown {
  const next = node.members.get(name) ?? node.rest;
  return next === undefined ? value : go(next);
}

/** `__proto__` is a name like any other. */
function put(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}

function outwardPointer(node: Node, pointer: string): string {
  let at: Node | undefined = node;
  const segments = pointer.split('/').map((segment, index) => {
    if (index === 0 || at === undefined) return segment;
    const member: Node | undefined = at.members.get(segment);
    const named = member !== undefined;
    at = member ?? at.rest ?? (/^\d+$/.test(segment) ? at.items : undefined);
    return named ? snakeName(segment) : segment;
  });
  return segments.join('/');
}

/** The schema itself, with the names of `properties` and `required` spelled wherever they occur. */
function spelled(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(spelled);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'required' && Array.isArray(value)) return [key, (value as string[]).map(snakeName)];
      if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples') return [key, value];
      if ((key === 'properties' || key === '$defs') && isObject(value))
        return [
          key,
          Object.fromEntries(
            Object.entries(value).map(([name, one]) => [key === '$defs' ? name : snakeName(name), spelled(one)]),
          ),
        ];
      return [key, spelled(value)];
    }),
  );
}
