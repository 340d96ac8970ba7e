import type { Fixed } from '@steward/contract';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { idsIn } from './named.ts';
import type { ReadThings, Thing } from './rows.ts';

const facts = z.record(z.string(), z.unknown());

/** A thing that a command names, reads or changes, as it is and as it would be. */
export const fact = z.object({
  noun: z.string(),
  id: z.string(),
  name: z.string().nullable(),
  before: facts,
  /** Absent where it stays as it is. */
  after: facts
    .nullable()
    .optional()
    .meta({ description: 'The values that would change; null where the thing would be removed.' }),
});
export type Fact = Fixed<z.output<typeof fact>>;

/** How far references are followed: a document names a party, and its tax rate an account. */
const furthest = 3;

/** Things by noun and id, and every id and code that was looked for. */
export interface Found {
  readonly things: ReadonlyMap<string, Thing>;
  readonly asked: ReadonlySet<string>;
}

/** What is named by an id or a code, what the command alone changes, and what these name in turn. */
export async function findAll(
  read: ReadThings,
  tx: TenantTransaction,
  ids: ReadonlySet<string>,
  codes: readonly string[],
  command: string,
): Promise<Found> {
  const things = new Map<string, Thing>();
  const asked = new Set([...ids, ...codes]);
  let [next, by] = [[...ids], codes];
  for (let step = 0; step <= furthest && (step === 0 || next.length > 0); step += 1) {
    const found = await read(tx, { ids: next, codes: by, ...(step === 0 ? { command } : {}) });
    for (const thing of found) {
      asked.add(thing.id);
      things.set(keyOf(thing), thing);
    }
    next = [...new Set(found.flatMap(({ facts }) => [...idsIn(facts)]))].filter((id) => !asked.has(id));
    by = [];
    for (const id of next) asked.add(id);
  }
  return { things, asked };
}

/** The same things later on, in one statement. */
export async function findAgain(read: ReadThings, tx: TenantTransaction, { things }: Found): Promise<Found> {
  const ids = [...things.values()].map(({ id }) => id);
  const only = new Set([...things.values()].map(({ noun }) => noun));
  const found = await read(tx, { ids: [...idsIn(ids)], codes: ids, only });
  return { things: new Map(found.map((thing) => [keyOf(thing), thing])), asked: new Set(ids) };
}

export const keyOf = ({ noun, id }: Pick<Thing, 'noun' | 'id'>): string => `${noun} ${id}`;

/** Only what is there already has facts: what would be made is in the preview. */
export function factsOf({ things }: Found, after: Found): Fact[] {
  return [...things]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { noun, id, name, facts }]) => {
      const then = after.things.get(key);
      const change = then === undefined ? (after.asked.has(id) ? null : undefined) : changes(facts, then.facts);
      return { noun, id, name, before: facts, ...(change === undefined ? {} : { after: change }) };
    });
}

function changes(before: Thing['facts'], after: Thing['facts']): Thing['facts'] | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, after[name] ?? null]));
}
