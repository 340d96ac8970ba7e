import type { JWTPayload } from 'jose';

/** Control characters are exactly what an id must not hold. */
const unprintable = /\p{Cc}/u;

/** A claim that is a non-empty string of at most `most` characters without control characters; undefined otherwise. */
export function textClaim(claims: JWTPayload, name: string, most = 255): string | undefined {
  const value = claims[name];
  if (typeof value !== 'string' || value === '' || value.length > most) return undefined;
  return unprintable.test(value) || !value.isWellFormed() ? undefined : value;
}

/** The strings of a claim that is a list, or a string of words separated by spaces (`scope`, `scp`). */
export function wordsClaim(value: unknown): string[] {
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}

/** A claim by its exact name, which may hold dots, else by a path of names: `realm_access.roles`. */
export function claimAt(claims: JWTPayload, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return (value as Record<string, unknown>)[name];
  }, claims);
}

type Expected = Readonly<Record<string, string | readonly string[]>>;

/** Whether each claim of `expected` holds, in order. A list means any of its values, `*` any value at all. */
export function matches(claims: JWTPayload, expected: Expected): boolean[] {
  return Object.entries(expected).map(([path, wanted]) => {
    const given = claimAt(claims, path);
    const values = path === 'scope' || path === 'scp' ? wordsClaim(given) : [given].flat();
    return [wanted].flat().some((one) => values.some((value) => holds(value, one)));
  });
}

function holds(value: unknown, wanted: string): boolean {
  if (value === undefined || value === null || value === '') return false;
  return wanted === '*' || (['string', 'number', 'boolean'].includes(typeof value) && `${value as string}` === wanted);
}
