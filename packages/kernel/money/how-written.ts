import { formatAmount } from './amount.ts';
import { exponentOf } from './currency.ts';

/**
 * What to write instead of what is no amount, as a sentence without its full stop: of a number with fewer digits than its currency the
 * same number with all of them. @param signed whether it may be below zero
 */
export function howWritten(text: string, currency: string, signed = false): string {
  const example = formatAmount(123456n, currency);
  const digits = exponentOf(currency);
  const [, whole, fraction = ''] = /^(-?(?:0|[1-9]\d{0,24}))(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  const same = whole !== undefined && fraction.length < digits ? `${whole}.${fraction.padEnd(digits, '0')}` : undefined;
  const wanted = digits === 0 ? 'no point' : `exactly ${digits} digits after the point`;
  return same === undefined
    ? `${text.slice(0, 40)} is no amount in ${currency}: write it with ${wanted}, such as ` +
        `${example}${signed ? ` or -${example}` : ''}`
    : `An amount in ${currency} has ${wanted}: write ${same}`;
}
