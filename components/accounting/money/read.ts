import { exponentOf, type FieldError, formatAmount, isCurrency, parseAmount } from '@steward/kernel';
import { booksFail, invalidAt } from '../errors.ts';

/** @throws Problem `invalid_request` (400) with the pointer `/currency` */
export function expectCurrency(currency: string): void {
  if (isCurrency(currency)) return;
  throw invalidAt(
    '/currency',
    `${currency.slice(0, 40)} is no currency of ISO 4217 with a minor unit: give a code such as EUR.`,
  );
}

/** @returns minor units, or the fault where the text is no amount above zero */
export function positiveAmount(text: string, currency: string, pointer: string): bigint | FieldError {
  const minor = parseAmount(text, currency);
  if (minor !== undefined && minor > 0n) return minor;
  const detail = minor === undefined ? howWritten(text, currency) : `${text} is not above zero.`;
  return { pointer, code: 'invalid_amount', detail };
}

/** @returns minor units, of either sign @throws Problem `invalid_amount` (422) that says how it is written */
export function signedAmount(text: string, currency: string, pointer: string): bigint {
  const minor = parseAmount(text, currency);
  if (minor !== undefined) return minor;
  throw amountFault({ pointer, code: 'invalid_amount', detail: howWritten(text, currency, true) });
}

/** What to write instead: of a number with fewer digits than its currency the same number with all of them. */
function howWritten(text: string, currency: string, signed = false): string {
  const example = formatAmount(123456n, currency);
  const digits = exponentOf(currency);
  const [, whole, fraction = ''] = /^(-?(?:0|[1-9]\d{0,24}))(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  const same = whole !== undefined && fraction.length < digits ? `${whole}.${fraction.padEnd(digits, '0')}` : undefined;
  const wanted = digits === 0 ? 'no point' : `exactly ${digits} digits after the point`;
  return same === undefined
    ? `${text.slice(0, 40)} is no amount in ${currency}: write it with ${wanted}, such as ` +
        `${example}${signed ? ` or -${example}` : ''}.`
    : `An amount in ${currency} has ${wanted}: write ${same}.`;
}

export const amountFault = (fault: FieldError): Error =>
  booksFail('invalid_amount', `${fault.pointer}: ${fault.detail}`, { errors: [fault] });
