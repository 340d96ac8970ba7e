import { z } from 'zod';

/** Written amounts: the digits are checked against the currency by the verb. */
export const amountText = z
  .string()
  .min(1)
  .max(40)
  .meta({ description: 'With exactly the digits of its currency: "1000.00" in EUR, "1000" in JPY.' });
export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, 'Give a code of ISO 4217 in upper case, such as EUR')
  .meta({ description: 'ISO 4217, upper case.' });
/** Beyond these nobody keeps books, and a month on is still a date. */
export const isBookDay = (day: string): boolean => day >= '1900-01-01' && day <= '2199-12-31';
export const dayText = z.iso
  .date()
  .refine(isBookDay, 'Give a day from 1900 to 2199')
  .meta({ description: 'YYYY-MM-DD' });
/** The ends of a period, both of which belong to it. */
export const firstDay = dayText.meta({ description: 'First day, YYYY-MM-DD.' });
export const lastDay = dayText.meta({ description: 'Last day, YYYY-MM-DD.' });
/** A balance is the balance at the end of a day. */
export const asOf = dayText.meta({ description: 'At the end of this day, YYYY-MM-DD.' });
export const compareAsOf = dayText.optional().meta({ description: 'A day to show beside.' });
export const rateText = z
  .string()
  .max(30)
  .meta({ description: 'Units of the base currency for one unit of the currency, a decimal string.' });
