/** A percentage times 10^4: 19 % is 190000. Four digits are what rates in use need. */
export type Percentage = bigint;

/** A decimal from 0 to 100 with up to four digits behind the point; undefined for anything else. */
export function parsePercentage(text: string): Percentage | undefined {
  const match = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text);
  if (match === null) return undefined;
  const value = BigInt(match[1] ?? '0') * 10_000n + BigInt((match[2] ?? '').padEnd(4, '0'));
  return value <= 1_000_000n ? value : undefined;
}

/** With four digits, as the database stores it: `19.0000`. Answers have none of the zeros at its end. */
export const formatPercentage = (value: Percentage): string =>
  `${value / 10_000n}.${(value % 10_000n).toString().padStart(4, '0')}`;

/** `dividend / divisor` to the nearest whole; half goes away from zero, as on invoices. `divisor` is above zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const rounded = (2n * size + divisor) / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
}
