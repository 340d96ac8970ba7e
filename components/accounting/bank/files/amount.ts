import { exponentOf, trimEnd } from '@steward/kernel';

/** Characters of an amount at most, whatever it is made of. */
const longest = 64;

/**
 * An amount as banks write it: any number of digits up to the currency's, a sign, and either mark as decimal. Thousands may be
 * grouped by the other mark, a blank or an apostrophe.
 * @returns minor units; undefined for what is no such amount
 */
export function bankAmount(text: string, currency: string): bigint | undefined {
  const digits = exponentOf(currency);
  const given = text.trim();
  if (given.length > longest) return undefined;
  const trimmed = given.replace(/^\((.*)\)$/, '-$1').replaceAll('\u2212', '-');
  const match = /^([+-]?)([\d.,'\u00a0\u202f ]+)$/.exec(trimmed);
  if (match === null) return undefined;
  const [, sign = '', body = ''] = match;
  const mark = decimalMark(body, digits);
  const [whole = '', fraction = '', ...more] = mark === undefined ? [body] : body.split(mark);
  const groups = whole.replace(/[.,'\u00a0\u202f ]/g, '');
  if (more.length > 0 || !/^\d{1,24}$/.test(groups) || !/^\d*$/.test(fraction)) return undefined;
  const cut = trimEnd(fraction, '0');
  if (cut.length > digits) return undefined;
  const minor = BigInt(groups + cut.padEnd(digits, '0'));
  return sign === '-' ? -minor : minor;
}

/** The last of the two marks; one that stands alone before three digits groups thousands where the currency has two or none. */
function decimalMark(body: string, digits: number): '.' | ',' | undefined {
  const last = Math.max(body.lastIndexOf('.'), body.lastIndexOf(','));
  if (last === -1) return undefined;
  const mark = body[last] as '.' | ',';
  const other = mark === '.' ? ',' : '.';
  if (body.includes(other)) return mark;
  if (body.indexOf(mark) !== last) return undefined;
  return body.length - last - 1 === 3 && digits !== 3 ? undefined : mark;
}
