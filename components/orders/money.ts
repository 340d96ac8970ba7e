import { fail, formatAmount, howWritten, isCurrency, parseAmount } from '@steward/kernel';
import { z } from 'zod';

/** The digits are checked against the currency by the verb. */
export const moneyGiven = z.strictObject({
  amount: z
    .string()
    .min(1)
    .max(40)
    .meta({ description: 'With exactly the digits of its currency: "10.00" in EUR, "10" in JPY.' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'Give a code of ISO 4217 in upper case, such as EUR', abort: true })
    .refine(isCurrency, 'ISO 4217 has no such currency with a minor unit: give a code such as EUR')
    .meta({ description: 'ISO 4217: the currency of the order.' }),
});

/**
 * Minor units of the order's currency, above 0.
 * @throws Problem `invalid_request` (400) with a pointer
 */
export function minorOf(given: z.output<typeof moneyGiven>, currency: string, pointer: string): bigint {
  if (given.currency !== currency)
    throw invalidAt(`${pointer}/currency`, 'wrong_currency', `The order is in ${currency}.`);
  const minor = parseAmount(given.amount, currency);
  if (minor === undefined)
    throw invalidAt(`${pointer}/amount`, 'invalid_amount', `${howWritten(given.amount, currency)}.`);
  if (minor <= 0n)
    throw invalidAt(
      `${pointer}/amount`,
      'invalid_amount',
      `Give an amount above zero, such as ${formatAmount(123456n, currency)}.`,
    );
  return minor;
}

export const invalidAt = (pointer: string, code: string, detail: string): Error =>
  fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });
