import { formatAmount, type Money, parseAmount } from '@steward/kernel';

/** An amount that no JSON number holds exactly. */
export class BeyondNumbers extends Error {
  override readonly name = 'BeyondNumbers';
}

/** Minor units. @throws BeyondNumbers */
export function minorOf({ amount, currency }: Money): number {
  const minor = Number(parseAmount(amount, currency));
  if (!Number.isSafeInteger(minor)) throw new BeyondNumbers();
  return minor;
}

/** As filters of the catalogue take it. */
export const amountOf = (minor: number, currency: string): string => formatAmount(BigInt(minor), currency);
