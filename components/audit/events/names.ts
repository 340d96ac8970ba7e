import type { TenantContext } from '@steward/sql';
import { searchName } from '../appending/entry.ts';
import type { Principal } from '../envelope/envelope.ts';

/** What principals are called, by type and id (`user:alice`); who has no name there is absent. */
export type Names = ReadonlyMap<string, string>;

/** The names of people and agents at the time of reading; names are never stored in the log. */
export type NamesOf = (principals: readonly Principal[], context: TenantContext) => Promise<Names>;

/** As REST answers them, beside what is hashed; undefined where nobody has a name. */
export function namesAmong(names: Names, principals: readonly Principal[]): Record<string, string> | undefined {
  const found = principals.map(searchName).flatMap((key) => {
    const name = names.get(key);
    return name === undefined ? [] : [[key, name] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
