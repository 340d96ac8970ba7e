import { exponentOf } from '@steward/kernel';

/** Something in an answer that is not there, or not of its form: a fault of the provider's, or of ours. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'ProviderUnavailable';
}

export type Members = Readonly<Record<string, unknown>>;

export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

export const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** The nodes of a connection. */
export const nodesOf = (value: unknown): readonly Members[] => listOf(membersOf(value)['nodes']);

/** Where a connection goes on; undefined where it ends. */
export function nextOf(value: unknown): string | undefined {
  const { hasNextPage, endCursor } = membersOf(membersOf(value)['pageInfo']);
  return hasNextPage === true && typeof endCursor === 'string' ? endCursor : undefined;
}

/** Text that the database can hold, on one line or several; undefined where there is none. */
export function textOf(value: unknown, most = 500): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Halves of characters, and NUL, which PostgreSQL does not store.
  const clean = value
    .slice(0, most * 2)
    .toWellFormed()
    .replaceAll('\0', '')
    .trim();
  const cut = clean.slice(0, most).toWellFormed();
  return cut === '' ? undefined : cut;
}

/** The same on one line. */
export const lineOf = (value: unknown, most = 255): string | undefined =>
  textOf(typeof value === 'string' ? value.slice(0, most * 2).replaceAll(/\p{Cc}+/gu, ' ') : value, most);

/** The number in an id such as `gid://shopify/Order/1`. @throws UnexpectedAnswer */
export function idOf(value: unknown): string {
  const found = typeof value === 'string' ? /^gid:\/\/shopify\/[A-Za-z]{1,60}\/(\d{1,25})(?:\?|$)/.exec(value) : null;
  if (found?.[1] === undefined) throw new UnexpectedAnswer('Shopify answered an id that is none');
  return found[1];
}

/** RFC 3339 in UTC. @throws UnexpectedAnswer */
export function momentOf(value: unknown): string {
  const at = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw new UnexpectedAnswer('Shopify answered a time that is none');
  return new Date(at).toISOString();
}

/** Minor units of a decimal such as `10.5`, with any digits that are zeros. @throws UnexpectedAnswer */
export function minorOf(value: unknown, currency: string): bigint {
  const found = typeof value === 'string' ? /^(\d{1,15})(?:\.(\d{1,10}))?$/.exec(value) : null;
  const digits = exponentOf(currency);
  const fraction = (found?.[2] ?? '').padEnd(digits ?? 0, '0');
  if (found === null || digits === undefined || /[1-9]/.test(fraction.slice(digits)))
    throw new UnexpectedAnswer(`Shopify answered an amount that is none in ${currency}`);
  return BigInt(`${found[1]}${fraction.slice(0, digits)}`);
}

/** In the currency of the shop. */
export const moneyOf = (bag: unknown, currency: string): bigint =>
  minorOf(membersOf(membersOf(bag)['shopMoney'])['amount'], currency);

export function wholeOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new UnexpectedAnswer('Shopify answered a number that is none');
  return value;
}
