import { isDeepStrictEqual } from 'node:util';
import { BoundedMap } from '@steward/kernel';
import type { Row, Statement } from '@steward/sql';
import type { Reading } from './price.ts';

type Read = (statements: readonly Statement[]) => Promise<Row[][]>;

/**
 * What this process saw last of carts and checkouts, by tenant and id: what the next step reads can mostly be told from it before the row is there, and
 * travels with the statement that holds the row.
 */
const seen = new BoundedMap<string, Reading>(5_000);

export const lastSeen = (tenant: string, id: string): Reading | undefined => seen.get(`${tenant} ${id}`);

export function see(tenant: string, id: string, one: Reading): void {
  const { mode, brandId, currency, codes, address, shipTo, buyer, lines } = one;
  const placeOf = (where: Reading['shipTo']) =>
    where === null || where === undefined ? where : { country: where.country };
  seen.set(`${tenant} ${id}`, {
    mode,
    brandId,
    currency,
    codes,
    address: placeOf(address) ?? null,
    shipTo: placeOf(shipTo),
    buyer,
    lines: lines.map(({ variantId }) => ({ variantId })),
  });
}

/**
 * Asks at once for what is likely to be read next. The answer counts only where exactly that is read then, so that a guess decides nothing; ask behind
 * the statement that holds what it is about, so that it sees the same.
 */
export async function readAhead(read: Read, guess: readonly Statement[] | undefined): Promise<Read> {
  if (guess === undefined) return read;
  const answered = read(guess);
  // Who fails meanwhile asks nobody for it.
  answered.catch(() => undefined);
  return async (asked) => (isTheSame(asked, guess) ? (await answered).slice() : read(asked));
}

export const isTheSame = (some: readonly Statement[], others: readonly Statement[]): boolean =>
  some.length === others.length &&
  some.every(({ name, values }, at) => name === others[at]?.name && isDeepStrictEqual(values, others[at].values));
