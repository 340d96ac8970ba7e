/** The RFC 6901 pointer to a member, by the keys that lead to it. `longest`: of each key, where strangers choose them. */
export const jsonPointer = (keys: readonly string[], longest = Infinity): string =>
  keys.map((key) => `/${key.slice(0, longest).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
