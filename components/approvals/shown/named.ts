import type { Statement, TenantTransaction } from '@steward/sql';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Longer than any code that people give to a thing. */
const longestCode = 200;

/** The strings in a JSON value. */
export function* leaves(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) yield* leaves(one);
}

/** The UUIDs that are whole strings in a JSON value, in lower case. */
export function idsIn(value: unknown): Set<string> {
  const ids = new Set<string>();
  for (const leaf of leaves(value)) if (uuid.test(leaf)) ids.add(leaf.toLowerCase());
  return ids;
}

/** Strings of arguments that may be the code of a thing, or an id that is no UUID. */
export function codesIn(value: unknown): string[] {
  const codes = new Set<string>();
  for (const leaf of leaves(value)) if (leaf.length > 0 && leaf.length <= longestCode) codes.add(leaf);
  return [...codes];
}

/** The same transaction, noting the UUIDs that the tool hands to the database: the things it reads or changes by id. */
export function noting(tx: TenantTransaction, seen: Set<string>): TenantTransaction {
  const note = ({ values }: Statement): void => {
    for (const id of idsIn(values)) if (id !== tx.context.tenant) seen.add(id);
  };
  return {
    ...tx,
    query: async (one) => {
      note(one);
      return tx.query(one);
    },
    queryAll: async (statements) => {
      statements.forEach(note);
      return tx.queryAll(statements);
    },
    later: (one) => {
      note(one);
      tx.later(one);
    },
  };
}
