import { exponentOf, isCurrency, trimEnd } from '@steward/kernel';

export type DecimalMark = '.' | ',';

/** Characters of an amount at most, whatever it is made of. */
const longest = 64;
/** Separators of thousands besides the two marks. */
const blanks = new Set([' ', '\u00a0', '\u202f', '\u2009', "'", '\u2019']);

/** Signs that banks put beside an amount, each with the currencies that it may mean; its ISO code is one for every currency. */
const signs: readonly (readonly [sign: string, currencies: string])[] = [
  ['US$', 'USD'],
  ['CA$', 'CAD'],
  ['AU$', 'AUD'],
  ['NZ$', 'NZD'],
  ['HK$', 'HKD'],
  ['NT$', 'TWD'],
  ['MX$', 'MXN'],
  ['R$', 'BRL'],
  ['A$', 'AUD'],
  ['C$', 'CAD NIO'],
  ['S$', 'SGD'],
  ['$', 'USD CAD AUD NZD SGD HKD TWD MXN CLP COP ARS UYU DOP BSD BBD BMD BZD FJD JMD KYD LRD NAD SBD SRD TTD XCD'],
  ['€', 'EUR'],
  ['£', 'GBP GIP FKP SHP EGP'],
  ['¥', 'JPY CNY'],
  ['￥', 'JPY CNY'],
  ['円', 'JPY'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['₺', 'TRY'],
  ['₪', 'ILS'],
  ['₫', 'VND'],
  ['₴', 'UAH'],
  ['₽', 'RUB'],
  ['₦', 'NGN'],
  ['₱', 'PHP'],
  ['฿', 'THB'],
  ['SFr.', 'CHF'],
  ['Fr.', 'CHF'],
  ['Fr', 'CHF'],
  ['kr.', 'SEK NOK DKK ISK'],
  ['kr', 'SEK NOK DKK ISK'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
  ['Ft', 'HUF'],
  ['lei', 'RON'],
  ['Rs.', 'INR PKR LKR NPR MUR'],
  ['Rs', 'INR PKR LKR NPR MUR'],
  ['RM', 'MYR'],
  ['Rp', 'IDR'],
  ['R', 'ZAR'],
];

/**
 * An amount as banks write it in tables: a sign on either side (or brackets, or `DR` after it), a sign or code of the currency,
 * either mark as decimal, thousands grouped by the other mark, a blank or an apostrophe.
 * @param mark which mark is the decimal one, where that is known
 * @returns minor units
 * @throws Error with what is wrong; also for one mark before three digits (`1.234`), which reads two ways, if neither `mark`
 *   nor the currency decides it
 */
export function readAmount(text: string, currency: string, mark?: DecimalMark): bigint {
  const stripped = strip(text, currency);
  if (stripped === undefined) {
    const other = otherCurrency(text, currency);
    if (other !== undefined) throw new Error(notOwn(other, currency));
    throw new Error(`${quoted(text)} is no amount of ${currency}`);
  }
  const { negative, body } = stripped;
  const decimal = mark === undefined ? (decimalIn(body) ?? byCurrency(body, exponentOf(currency))) : mark;
  if (decimal === 'either')
    throw new Error(`${quoted(text)} is ambiguous, thousands or three decimals: set decimal_mark to "." or ","`);
  const cut = decimal === undefined ? -1 : body.indexOf(decimal);
  const [whole, fraction] = cut === -1 ? [body, ''] : [body.slice(0, cut), body.slice(cut + 1)];
  const groups = ungrouped(whole);
  if (groups === undefined || !/^\d{0,30}$/.test(fraction) || (groups === '' && fraction === ''))
    throw new Error(`${quoted(text)} is no amount of ${currency}`);
  const minor = minorUnits(groups, fraction, currency, text);
  return negative ? -minor : minor;
}

/**
 * A decimal as the standards of files write it: OFX takes either mark and no thousands, ISO 20022 the point alone.
 * @returns minor units
 * @throws Error with what is wrong
 */
export function readDecimal(text: string, currency: string, marks: '.' | '.,' = '.'): bigint {
  const trimmed = text.length > longest ? '' : text.trim();
  const match = /^([+-]?)(\d{1,30})(?:([.,])(\d{0,30}))?$/.exec(trimmed);
  if (match === null || (match[3] !== undefined && !marks.includes(match[3])))
    throw new Error(`${quoted(text)} is no amount: write digits and one decimal ${marks === '.' ? 'point' : 'mark'}`);
  const minor = minorUnits(match[2] ?? '', match[4] ?? '', currency, text);
  return match[1] === '-' ? -minor : minor;
}

/** Currencies that banks write in small letters too; most other codes are words of some language then. */
const writtenSmall = new Set('eur usd gbp chf pln sek nok dkk czk huf ron cad aud nzd jpy brl inr'.split(' '));

export const notOwn = (other: string, currency: string): string =>
  `it is in ${other}, but the account is in ${currency}: remove such lines from the file`;

/**
 * The other currency that a sign or a code beside an amount, or in a heading, names.
 * @returns the code, or the sign if several currencies use it
 */
export function otherCurrency(text: string, currency: string): string | undefined {
  const others: string[] = [];
  for (const word of text.slice(0, 200).split(/[^\p{L}\p{Sc}]+/u)) {
    const code = word.length === 3 && (word === word.toUpperCase() || writtenSmall.has(word)) ? word.toUpperCase() : '';
    // A letter alone, the sign of the rand, is more often anything else.
    const of =
      (isCurrency(code) ? code : undefined) ??
      (/^euro(?:s|a)?$/i.test(word) ? 'EUR' : undefined) ??
      (word === 'R' ? undefined : signs.find(([sign]) => sign === word)?.[1]);
    if (of === undefined) continue;
    const meant = of.split(' ');
    if (meant.includes(currency)) return undefined;
    others.push(meant.length === 1 ? of : word);
  }
  return others[0];
}

/** The decimal mark that an amount shows beyond doubt, by itself; undefined where it has none, or reads both ways. */
export function markShown(text: string, currency: string): DecimalMark | undefined {
  const stripped = strip(text, currency);
  return stripped === undefined ? undefined : decimalIn(stripped.body, true);
}

/** Sign and figures of an amount, without currency and blanks; undefined if anything else is left. */
function strip(text: string, currency: string): { readonly negative: boolean; readonly body: string } | undefined {
  if (text.length > longest) return undefined;
  let rest = text.replaceAll(/[\u2212\u2013\ufe63\uff0d]/g, '-').trim();
  let sign: '+' | '-' | undefined;
  if (rest.startsWith('(') && rest.endsWith(')')) {
    sign = '-';
    rest = rest.slice(1, -1).trim();
  }
  const takeSign = (found: '+' | '-', left: string): boolean => {
    if (sign !== undefined) return false;
    sign = found;
    rest = left.trim();
    return true;
  };
  for (let named = false; ;) {
    const [first, last] = [rest[0], rest.at(-1)];
    if (first === '+' || first === '-') {
      if (!takeSign(first, rest.slice(1))) return undefined;
    } else if (last === '+' || last === '-') {
      if (!takeSign(last, rest.slice(0, -1))) return undefined;
    } else if (['CR', 'DR'].includes(rest.slice(-2).toUpperCase())) {
      if (!takeSign('Dd'.includes(rest.at(-2) ?? '') ? '-' : '+', rest.slice(0, -2))) return undefined;
    } else {
      const symbol = named ? undefined : symbolsOf(currency).find((one) => rest.startsWith(one) || rest.endsWith(one));
      if (symbol === undefined) break;
      named = true;
      rest = (rest.startsWith(symbol) ? rest.slice(symbol.length) : rest.slice(0, -symbol.length)).trim();
    }
  }
  const plain = [...rest].every((one) => (one >= '0' && one <= '9') || one === '.' || one === ',' || blanks.has(one));
  return rest === '' || !plain ? undefined : { negative: sign === '-', body: rest };
}

const symbols = new Map<string, readonly string[]>();
function symbolsOf(currency: string): readonly string[] {
  const known = symbols.get(currency);
  if (known !== undefined) return known;
  const found = [currency, ...signs.filter(([, of]) => of.split(' ').includes(currency)).map(([one]) => one)];
  symbols.set(currency, found);
  return found;
}

/** The mark that can only be the decimal one, judging by the figures. `telling`: also if it is only known that the other mark groups. */
function decimalIn(body: string, telling = false): DecimalMark | undefined {
  const [points, commas] = [body.split('.').length - 1, body.split(',').length - 1];
  if (points > 0 && commas > 0) return body.lastIndexOf('.') > body.lastIndexOf(',') ? '.' : ',';
  if (points === 0 && commas === 0) return undefined;
  const mark = points > 0 ? '.' : ',';
  const other = mark === '.' ? ',' : '.';
  if (points + commas > 1) return telling ? other : undefined;
  const at = body.indexOf(mark);
  const [whole, behind] = [body.slice(0, at), body.length - at - 1];
  return behind !== 3 || whole.length > 3 || whole === '' || whole.startsWith('0') ? mark : undefined;
}

/** What the currency makes of one mark before three digits; all else groups thousands. */
function byCurrency(body: string, digits: number): DecimalMark | 'either' | undefined {
  const mark = body.includes('.') ? '.' : ',';
  if (body.split(mark).length !== 2) return undefined;
  if (digits === 3) return mark;
  // No amount of such a currency has decimals but zeros, and those are written with a point.
  if (digits === 0) return mark === '.' && body.endsWith('000') ? 'either' : undefined;
  return 'either';
}

/** Digits of a whole number; undefined where it is grouped in no way: three digits a group, or as in India two before the last three. */
function ungrouped(whole: string): string | undefined {
  const mark = [...whole].find((one) => one < '0' || one > '9');
  if (mark === undefined) return whole;
  const groups = whole.split(mark);
  const [first = '', ...more] = groups;
  const last = more.pop() ?? '';
  const size = more[0]?.length ?? 3;
  const right =
    /^\d{1,3}$/.test(first) &&
    /^\d{3}$/.test(last) &&
    more.every((one) => /^\d{2,3}$/.test(one) && one.length === size && (size === 3 || mark === ','));
  return right ? groups.join('') : undefined;
}

function minorUnits(whole: string, fraction: string, currency: string, text: string): bigint {
  const digits = exponentOf(currency);
  if (trimEnd(fraction.slice(digits), '0') !== '')
    throw new Error(`${quoted(text)} has too many decimals: ${currency} has ${digits}`);
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));
