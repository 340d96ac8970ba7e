import { numberFormat } from './formats.ts';

/** Decimal strings, exactly: money is never a number. */

interface Scaled {
  readonly value: bigint;
  readonly scale: number;
}

const read = (text: string): Scaled => {
  const [whole = '0', part = ''] = text.split('.');
  return { value: BigInt(`${whole}${part}`), scale: part.length };
};

const write = ({ value, scale }: Scaled): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const at = digits.length - scale;
  return `${value < 0n ? '-' : ''}${digits.slice(0, at)}${scale === 0 ? '' : `.${digits.slice(at)}`}`;
};

const to = ({ value, scale }: Scaled, wanted: number): bigint => value * 10n ** BigInt(wanted - scale);

export const isDecimal = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text);

/** @param texts with at least one */
export function sum(...texts: readonly string[]): string {
  const all = texts.map(read);
  const scale = Math.max(...all.map((one) => one.scale));
  return write({ value: all.reduce((total, one) => total + to(one, scale), 0n), scale });
}

export const negated = (text: string): string => write({ ...read(text), value: -read(text).value });

export const difference = (from: string, what: string): string => sum(from, negated(what));

/** Half away from zero, as documents are rounded. */
export function divided(value: bigint, by: bigint): bigint {
  const [up, sign] = [value < 0n ? -value : value, value < 0n ? -1n : 1n];
  return sign * ((up * 2n + by) / (by * 2n));
}

/** A decimal in units of its last digit, of which it has that many behind the point at most. Undefined where it is none. */
export function unitsOf(text: string, digits: number): bigint | undefined {
  if (!isDecimal(text)) return undefined;
  const scaled = read(text);
  return scaled.scale > digits ? undefined : to(scaled, digits);
}

/** A factor in millionths: quantities, prices and percentages have six digits at most. Undefined where it is none. */
export const millionths = (text: string): bigint | undefined => unitsOf(text, 6);

/** Whether a decimal is above nothing. */
export const isPositive = (amount: string): boolean => !amount.startsWith('-') && /[1-9]/.test(amount);

/** The smaller of two decimals. */
export const smaller = (one: string, other: string): string => (difference(one, other).startsWith('-') ? one : other);

export const minor = (value: bigint, digits: number): string => write({ value, scale: digits });

/** Digits after the point of amounts in a currency (ISO 4217). */
export const digitsOf = (currency: string): number =>
  numberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** An amount with every digit that its currency has: `50` in EUR is `50.00`. */
export function completed(amount: string, currency: string | undefined): string {
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return amount;
  const [whole = '', part = ''] = amount.split('.');
  const digits = digitsOf(currency);
  return part.length >= digits ? amount : `${whole}.${part.padEnd(digits, '0')}`;
}

/** What somebody typed as an amount: what it means, or the two things that it may mean. */
export type TypedAmount = { readonly amount: string } | { readonly either: readonly [string, string] };

const grouped = { '.': /^-?\d{1,3}(?:\.\d{3})+$/, ',': /^-?\d{1,3}(?:,\d{3})+$/ } as const;

/**
 * An amount as people type it where they live, such as `1.234,56` or `1 234,56`, as the server takes it. Undefined where it is none.
 * A single mark with three digits behind it, which is no decimal point where they live, may be either: nobody guesses.
 * @param comma whether the decimal point is a comma there
 */
export function amountTyped(text: string, comma: boolean): TypedAmount | undefined {
  if (text.length > 40) return undefined;
  const plain = text.replaceAll(/[\s'’]/g, '');
  if (isDecimal(plain) && (!comma || !grouped['.'].test(plain))) return { amount: plain };
  const [dot, mark] = [plain.lastIndexOf('.'), plain.lastIndexOf(',')];
  const point = dot > mark ? '.' : ',';
  const group = point === '.' ? ',' : '.';
  const [whole = '', part, ...more] = plain.split(point);
  if (more.length === 0 && part !== undefined && plain.includes(group)) {
    const amount = `${whole.replaceAll(group, '')}.${part}`;
    return grouped[group].test(whole) && isDecimal(amount) ? { amount } : undefined;
  }
  const joined = plain.replaceAll(point, '');
  if (more.length > 0) return grouped[point].test(plain) ? { amount: joined } : undefined;
  const amount = `${whole}.${part ?? ''}`;
  if (!isDecimal(amount)) return undefined;
  if (!grouped[point].test(plain)) return { amount };
  if (comma === (point === ',')) return { amount };
  return { either: [joined, amount] };
}

/** What surely is meant by an amount that is still being typed, such as `282,41`, as the server takes it. Undefined where nothing is. */
export function amountIn(text: string, comma: boolean): string | undefined {
  if (isDecimal(text)) return text;
  const typed = amountTyped(text, comma);
  return typed !== undefined && 'amount' in typed ? typed.amount : undefined;
}

/** Whether a locale has a decimal comma. */
export const hasComma = (locale: string): boolean => numberFormat(locale, {}).format(0.5).includes(',');
