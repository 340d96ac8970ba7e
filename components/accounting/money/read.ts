import { fail, type FieldError, formatAmount, isCurrency, parseAmount } from '@steward/kernel';
import { booksFail } from '../errors.ts';

/** @throws Problem `invalid_request` (400) with the pointer `/currency` */
export function expectCurrency(currency: string): void {
  if (isCurrency(currency)) return;
  const detail = `${currency.slice(0, 40)} is no currency of ISO 4217 with a minor unit.`;
  throw fail('invalid_request', `/currency: ${detail}`, {
    errors: [{ pointer: '/currency', code: 'invalid_value', detail }],
  });
}

/** @returns minor units, or the fault where the text is no amount above zero */
export function positiveAmount(text: string, currency: string, pointer: string): bigint | FieldError {
  const minor = parseAmount(text, currency);
  if (minor !== undefined && minor > 0n) return minor;
  return {
    pointer,
    code: 'invalid_amount',
    detail: `${text.slice(0, 40)} is no amount above zero with the digits of ${currency}, such as ${formatAmount(123456n, currency)}.`,
  };
}

/** @returns minor units, of either sign @throws Problem `invalid_amount` (422) that says how it is written */
export function signedAmount(text: string, currency: string, pointer: string): bigint {
  const minor = parseAmount(text, currency);
  if (minor !== undefined) return minor;
  const example = formatAmount(123456n, currency);
  throw amountFault({
    pointer,
    code: 'invalid_amount',
    detail: `${text.slice(0, 40)} is no amount with the digits of ${currency}, such as ${example} or -${example}.`,
  });
}

export const amountFault = (fault: FieldError): Error =>
  booksFail('invalid_amount', `${fault.pointer}: ${fault.detail}`, { errors: [fault] });
