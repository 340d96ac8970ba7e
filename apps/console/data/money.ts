import { sum } from './decimal.ts';
import { numberFormat } from './formats.ts';

/** An amount as the server says it: a decimal string, never a number. */
export interface Amount {
  readonly amount: string;
  readonly currency: string;
}

/** In the reader's language, with every digit that the string has: amounts are larger and finer than a number holds. */
export function moneyText({ amount, currency }: Amount, locale: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const format = numberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Whether it is written as the server writes amounts: then `moneyText` loses nothing of it and adds nothing. */
export const isAmount = ({ amount, currency }: Amount): boolean =>
  amount.length <= 40 && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(amount) && /^[A-Z]{3}$/.test(currency);

/** Whether it is below zero. */
export const isNegative = (amount: string): boolean => amount.startsWith('-') && /[1-9]/.test(amount);

/** The height of something drawn: a plot loses no money, the table behind it is exact. */
export const roughly = (amount: string): number => Number(amount);

/** The exact sum of amounts of one currency. */
export function sumOf(amounts: readonly Amount[]): Amount | undefined {
  const [first] = amounts;
  return first === undefined ? undefined : { ...first, amount: sum(...amounts.map(({ amount }) => amount)) };
}

/** Whether it is nothing. */
export const isZero = (amount: string): boolean => !/[1-9]/.test(amount);

/** A figure of a report: every digit and no currency, which the report says once. Zero is a dash, as accountants write it. */
export function figureText(amount: string, locale: string): string {
  if (isZero(amount)) return '–';
  const digits = amount.split('.')[1]?.length ?? 0;
  const format = numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** A percentage as the server says it, such as `19.5`, as the reader's language writes it. It has four digits after the point at most. */
/** A decimal with the digits that it has, as the language writes it. */
export function decimalText(decimal: string, locale: string): string {
  const digits = decimal.split('.')[1]?.length ?? 0;
  return numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    decimal as Intl.StringNumericLiteral,
  );
}

export const percentText = (percentage: string, locale: string): string =>
  numberFormat(locale, { style: 'percent', maximumFractionDigits: 4 }).format(
    `${percentage}e-2` as Intl.StringNumericLiteral,
  );
