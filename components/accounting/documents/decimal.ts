import { trimEnd } from '@steward/kernel';

/** Quantities and unit prices: decimals with up to six digits behind the point, kept times 10^6. */
export const unit = 1_000_000n;

/** Quantities stay below this; a price may be as large as what an account can hold. */
export const quantityLimit = 10n ** 12n * unit;

/** @returns undefined where the text is no decimal, or has more than 18 digits before or 6 behind the point */
export function parseDecimal(text: string): bigint | undefined {
  const match = /^(-?)(\d{1,18})(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) return undefined;
  const value = BigInt(match[2] ?? '0') * unit + BigInt((match[3] ?? '').padEnd(6, '0'));
  return match[1] === '-' ? -value : value;
}

/** With at least `digits` behind the point, and no zeros after them: 1500000 is `1.5`, `1.50` with two. */
export function formatDecimal(value: bigint, digits = 0): string {
  const size = value < 0n ? -value : value;
  const fraction = trimEnd((size % unit).toString().padStart(6, '0'), '0').padEnd(digits, '0');
  return `${value < 0n ? '-' : ''}${size / unit}${fraction === '' ? '' : `.${fraction}`}`;
}
