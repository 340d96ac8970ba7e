import { type FieldError, formatAmount, howWritten, isCurrency, parseAmount } from '@steward/kernel';
import { booksFail, invalidAt } from '../errors.ts';

/** @throws Problem `invalid_request` (400) with the pointer `/currency` */
export function expectCurrency(currency: string): void {
  if (isCurrency(currency)) return;
  throw invalidAt(
    '/currency',
    `${currency.slice(0, 40)} is no currency of ISO 4217 with a minor unit: give a code such as EUR.`,
  );
}

/** Whatever its digits after the point. */
const notAboveZero = /^(?:-\d{1,25}(?:\.\d{1,4})?|0(?:\.0{1,4})?)$/;

/** @returns minor units, or the fault where the text is no amount above zero */
export function positiveAmount(text: string, currency: string, pointer: string): bigint | FieldError {
  const minor = parseAmount(text, currency);
  if (minor !== undefined && minor > 0n) return minor;
  const detail = notAboveZero.test(text)
    ? `${text} is not above zero: give an amount such as ${formatAmount(123456n, currency)}.`
    : `${howWritten(text, currency)}.`;
  return { pointer, code: 'invalid_amount', detail };
}

/** @returns minor units, of either sign @throws Problem `invalid_amount` (422) that says how it is written */
export function signedAmount(text: string, currency: string, pointer: string): bigint {
  const minor = parseAmount(text, currency);
  if (minor !== undefined) return minor;
  throw amountFault({ pointer, code: 'invalid_amount', detail: `${howWritten(text, currency, true)}.` });
}

export const amountFault = (fault: FieldError): Error =>
  booksFail('invalid_amount', `${fault.pointer}: ${fault.detail}`, { errors: [fault] });
