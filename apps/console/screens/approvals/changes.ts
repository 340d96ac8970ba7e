import { deepest, isMoney } from '@steward/approvals/reading';

export interface Change {
  /** From the thing to what differs: the name of a member, the number and name of an item. */
  readonly path: readonly string[];
  /** The id of the item whose member differs. */
  readonly item?: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface Compared {
  readonly changes: readonly Change[];
  /** What is the same in both; undefined where nothing is. */
  readonly stays: unknown;
}

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isMoney(value);
const isList = (value: unknown): value is readonly Json[] => Array.isArray(value) && value.every(isRecord);

/** What differs and what does not, member by member, and of lists of records item by item: what stays is not repeated. */
export function compared(before: unknown, after: unknown, path: readonly string[] = []): Compared {
  if (JSON.stringify(before) === JSON.stringify(after)) return { changes: [], stays: before };
  if (path.length < deepest) {
    if (isRecord(before) && isRecord(after)) {
      const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
      const parts = keys.map((key) => [key, compared(before[key], after[key], [...path, key])] as const);
      const same = parts.flatMap(([key, { stays }]) => (stays === undefined ? [] : [[key, stays] as const]));
      return joined(parts, same.length === 0 ? undefined : Object.fromEntries(same));
    }
    if (isList(before) && isList(after) && before.length > 0 && after.length > 0) {
      const were = byKey(before);
      const are = byKey(after);
      const keys = [...new Set([...were.keys(), ...are.keys()])];
      // Another order is a change of the whole list, which no item would tell.
      if (!sameOrder(were, are)) return { changes: [{ path, before, after }], stays: undefined };
      const parts = keys.map((key, at) => {
        const [was, is] = [were.get(key), are.get(key)];
        const { changes, stays } = compared(was, is, [...path, itemName(was ?? is ?? {}, at)]);
        const item = key.startsWith('id ') ? key.slice(3) : undefined;
        const of = item === undefined || was === undefined || is === undefined ? changes : ofItem(changes, item);
        return [key, { changes: of, stays }] as const;
      });
      const same = parts.flatMap(([, { stays }]) => (stays === undefined ? [] : [stays]));
      return joined(parts, same.length === 0 ? undefined : same);
    }
  }
  return { changes: [{ path, before, after }], stays: undefined };
}

/** Members of the item itself are its own; of what is nested deeper, the nearest item was told already. */
const ofItem = (changes: readonly Change[], item: string): readonly Change[] =>
  changes.map((one) => (one.item === undefined ? { ...one, item } : one));

const joined = (parts: readonly (readonly [string, Compared])[], stays: unknown): Compared => ({
  changes: parts.flatMap(([, { changes }]) => changes),
  stays,
});

function sameOrder(were: ReadonlyMap<string, Json>, are: ReadonlyMap<string, Json>): boolean {
  const common = [...were.keys()].filter((key) => are.has(key));
  const now = [...are.keys()].filter((key) => were.has(key));
  return common.every((key, at) => key === now[at]);
}

/** By its id, or where it stands if it has none, or shares it with another. */
function byKey(items: readonly Json[]): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  for (const [at, item] of items.entries()) {
    const given = item['id'] ?? item['line_id'];
    const id = typeof given === 'string' ? `id ${given}` : '';
    found.set(id === '' || found.has(id) ? `at ${at}` : id, item);
  }
  return found;
}

function itemName(item: Json, at: number): string {
  const name = ['title', 'name', 'description', 'sku', 'code']
    .map((key) => item[key])
    .find((one) => typeof one === 'string');
  return name === undefined ? String(at + 1) : `${at + 1} ${String(name)}`;
}
