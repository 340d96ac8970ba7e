import { digitsOf, divided, minor, unitsOf } from '../../data/decimal.ts';

/** As many digits behind its point as the books keep of a rate. */
const rateDigits = 12;

/**
 * What an amount is worth in another currency at a rate, by the server's rule: half a minor unit goes away from zero.
 * Undefined while one of them is not complete.
 * @param rate units of `base` for one unit of `currency`
 */
export function worthOf(amount: string, currency: string, rate: string, base: string): string | undefined {
  const [from, at] = [unitsOf(amount, digitsOf(currency)), unitsOf(rate, rateDigits)];
  if (from === undefined || at === undefined) return undefined;
  const worth = divided(from * at * 10n ** BigInt(digitsOf(base)), 10n ** BigInt(rateDigits + digitsOf(currency)));
  return minor(worth, digitsOf(base));
}
