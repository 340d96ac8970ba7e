import { field, shape } from '@steward/contract';
import { exponentOf, trimEnd } from '@steward/kernel';
import { booksFail } from '../errors.ts';
import { currencyCode, dayText, rateText } from '../money/schema.ts';

/** What a currency is worth from a day on, until a later one: of `accounting.rate` named `r`. */
export const exchangeRate = shape('r', {
  currency: field(currencyCode),
  day: field(dayText, 'r.day::text'),
  rate: field(rateText, 'trim_scale(r.rate)::text'),
});

/** Base units for one unit of another currency, times 10^12: exact, and twelve digits are what the table keeps. */
export type Rate = bigint;

const digits = 12;
const one: Rate = 10n ** BigInt(digits);
export const unity: Rate = one;

/** A positive decimal with up to 12 digits behind the point and 12 before it; undefined for anything else. */
export function parseRate(text: string): Rate | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text);
  if (match === null) return undefined;
  const rate = BigInt(match[1] ?? '0') * one + BigInt((match[2] ?? '').padEnd(digits, '0'));
  return rate > 0n ? rate : undefined;
}

export const rateForm = 'Give a decimal above zero with up to 12 digits on either side of the point.';

/** A rate that a caller wrote. @throws Problem `invalid_rate` (422) */
export function readRate(text: string): Rate {
  const rate = parseRate(text);
  if (rate === undefined) throw booksFail('invalid_rate', rateForm);
  return rate;
}

/** Without trailing zeros: `1.08`, `1`. */
export function formatRate(rate: Rate): string {
  const fraction = trimEnd((rate % one).toString().padStart(digits, '0'), '0');
  return `${rate / one}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Whether neither is more than a twentieth above the other: rates of one currency move so far at most while something is under way. */
export const areAlike = (a: Rate, b: Rate): boolean => a * 20n <= b * 21n && b * 20n <= a * 21n;

/** Minor units of `from` as minor units of `to` at `rate`; half a unit goes away from zero, as invoices round. */
export function convert(minor: bigint, from: string, to: string, rate: Rate): bigint {
  const numerator = (minor < 0n ? -minor : minor) * rate * 10n ** BigInt(exponentOf(to));
  const denominator = one * 10n ** BigInt(exponentOf(from));
  const rounded = (2n * numerator + denominator) / (2n * denominator);
  return minor < 0n ? -rounded : rounded;
}

/** A rate that converts exactly one amount into the other, both above zero; undefined where none of twelve digits does. */
export function rateBetween(minor: bigint, from: string, worth: bigint, to: string): Rate | undefined {
  const numerator = worth * one * 10n ** BigInt(exponentOf(from));
  const denominator = minor * 10n ** BigInt(exponentOf(to));
  const rate = (2n * numerator + denominator) / (2n * denominator);
  const kept = parseRate(formatRate(rate));
  return kept !== undefined && convert(minor, from, to, kept) === worth ? kept : undefined;
}
