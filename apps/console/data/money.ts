/** An amount as the server says it: a decimal string, never a number. */
export interface Amount {
  readonly amount: string;
  readonly currency: string;
}

/** In the reader's language, with every digit that the string has: amounts are larger and finer than a number holds. */
export function moneyText({ amount, currency }: Amount, locale: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Whether it is below zero. */
export const isNegative = (amount: string): boolean => amount.startsWith('-') && /[1-9]/.test(amount);

/** The height of something drawn: a plot loses no money, the table behind it is exact. */
export const roughly = (amount: string): number => Number(amount);

/** The exact sum of amounts of one currency. */
export function sumOf(amounts: readonly Amount[]): Amount | undefined {
  const [first] = amounts;
  if (first === undefined) return undefined;
  const digits = Math.max(...amounts.map(({ amount }) => amount.split('.')[1]?.length ?? 0));
  const units = amounts.reduce((sum, { amount }) => sum + unitsOf(amount, digits), 0n);
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const amount = `${units < 0n ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`;
  return { amount, currency: first.currency };
}

function unitsOf(amount: string, digits: number): bigint {
  const [whole = '0', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(digits, '0'));
}

/** Whether it is nothing. */
export const isZero = (amount: string): boolean => !/[1-9]/.test(amount);
