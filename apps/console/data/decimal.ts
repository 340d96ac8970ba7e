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

/** A factor in millionths: quantities, prices and percentages have six digits at most. Undefined where it is none. */
export function millionths(text: string): bigint | undefined {
  if (!/^-?\d+(?:\.\d{1,6})?$/.test(text)) return undefined;
  return to(read(text), 6);
}

export const minor = (value: bigint, digits: number): string => write({ value, scale: digits });

/** Digits after the point of amounts in a currency (ISO 4217). */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
