import { exponentOf } from './currency.ts';

/** Money as it leaves and enters: a decimal string with exactly the currency's minor digits (contracts §1). */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** @returns minor units; undefined where the text is not a decimal with exactly the currency's digits */
export function parseAmount(amount: string, currency: string): bigint | undefined {
  const digits = exponentOf(currency);
  const form = digits === 0 ? /^-?(?:0|[1-9]\d{0,24})$/ : /^-?(?:0|[1-9]\d{0,24})\.\d+$/;
  const fraction = amount.split('.')[1] ?? '';
  if (amount.length > 40 || !form.test(amount) || fraction.length !== digits) return undefined;
  return BigInt(amount.replace('.', ''));
}

/** Minor units as a decimal string: 1999 EUR is `19.99`, 5 JPY is `5`. */
export function formatAmount(minor: bigint, currency: string): string {
  const digits = exponentOf(currency);
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  const sign = minor < 0n ? '-' : '';
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

export const money = (minor: bigint, currency: string): Money => ({ amount: formatAmount(minor, currency), currency });

/**
 * Splits `total` in proportion to `weights` by the largest remainder: the parts add up to the total exactly. Ties go to
 * the earlier part. Weights are not negative; where all are zero the first part takes everything.
 */
export function allocate(total: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (weights.length === 0) return [];
  if (sum === 0n) return weights.map((_weight, index) => (index === 0 ? total : 0n));
  const sign = total < 0n ? -1n : 1n;
  const whole = total * sign;
  const parts = weights.map((weight) => (whole * weight) / sum);
  const left = Number(whole - parts.reduce((a, b) => a + b, 0n));
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (whole * weight) % sum }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts.map((part) => part * sign);
}
