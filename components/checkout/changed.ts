import { isDeepStrictEqual } from 'node:util';

/** Members of `change` that are given and say something else than `before`. */
export function changedMembers<T extends object>(
  before: T,
  change: { readonly [K in keyof T]?: T[K] | undefined },
): (keyof T & string)[] {
  return (Object.keys(change) as (keyof T & string)[]).filter(
    (member) => change[member] !== undefined && !isDeepStrictEqual(change[member], before[member]),
  );
}

/** Names of members, as the log keeps them. */
export const inLog = (members: readonly string[]): string[] =>
  members.map((member) => member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
