import { digitsOf, divided, millionths, minor } from '../../data/decimal.ts';

export interface PricedLine {
  readonly quantity: string;
  readonly unitPrice: string;
  /** Such as 19 or 7.25; empty for none. */
  readonly percentage: string;
}

export interface Totals {
  readonly net: string;
  readonly tax: string;
  readonly total: string;
}

const unit = 1_000_000n;

/**
 * What a document adds up to while it is typed, by the server's rule: each line is rounded to the minor unit, half away
 * from zero, then its tax. Undefined while a line is not complete.
 */
export function totalsOf(
  lines: readonly PricedLine[],
  currency: string,
  pricing: 'exclusive' | 'inclusive',
): Totals | undefined {
  const digits = digitsOf(currency);
  let [net, tax] = [0n, 0n];
  for (const line of lines) {
    const [quantity, price, percentage] = [
      millionths(line.quantity),
      millionths(line.unitPrice),
      millionths(line.percentage === '' ? '0' : line.percentage),
    ];
    if (quantity === undefined || price === undefined || percentage === undefined) return undefined;
    const priced = divided(quantity * price * 10n ** BigInt(digits), unit * unit);
    const part = percentage / 100n;
    // A percentage has four digits after the point at most, so that it is whole in millionths of one.
    const ofIt = pricing === 'exclusive' ? divided(priced * part, unit) : divided(priced * part, unit + part);
    net += pricing === 'exclusive' ? priced : priced - ofIt;
    tax += ofIt;
  }
  return { net: minor(net, digits), tax: minor(tax, digits), total: minor(net + tax, digits) };
}
