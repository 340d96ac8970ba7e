import { isBookDay } from '../../money/schema.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Whether days are written with the day first, as far as a text shows it by a number beyond twelve. */
export function dayFirstShown(text: string): boolean | undefined {
  const [, a = '', b = ''] = slashed.exec(text.slice(0, 40)) ?? [];
  return Number(a) > 12 ? true : Number(b) > 12 ? false : undefined;
}

const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?:[ T]\d{1,2}[:.]\d{2}.*)?$/;

/**
 * A day as banks write it, as `YYYY-MM-DD`: `2026-02-01`, `20260201`, `2026/02/01`, `01.02.2026`, `01.02.26`, `1 Feb 2026`, and
 * `01/02/2026` where `dayFirst` says which is the day. A time behind it is left out.
 * @returns undefined for what is no day from 1900 to 2199, or reads two ways
 */
export function readDay(given: string, dayFirst?: boolean): string | undefined {
  const text = given.slice(0, 40).trim();
  const iso = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?:[ T]\d{1,2}[:.]\d{2}.*)?$/.exec(text);
  if (iso !== null) return valid(iso[1], iso[3], iso[4]);
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})(?:[ T]\d{1,2}[:.]\d{2}.*)?$/.exec(text);
  if (dotted !== null) return valid(dotted[3], dotted[2], dotted[1]);
  const named = /^(\d{1,2})[ -]([a-z]{3})[a-z]{0,6}[ -](\d{4}|\d{2})(?:[ T]\d{1,2}[:.]\d{2}.*)?$/i.exec(text);
  if (named !== null) return valid(named[3], String(months.indexOf((named[2] ?? '').toLowerCase()) + 1), named[1]);
  const [, a = '', b = '', year] = slashed.exec(text) ?? [];
  if (year === undefined) return undefined;
  const first = dayFirst ?? dayFirstShown(text) ?? (a === b ? true : undefined);
  if (first === undefined) return undefined;
  return first ? valid(year, b, a) : valid(year, a, b);
}

function valid(year = '', month = '', day = ''): string | undefined {
  const century = year.length === 2 ? (Number(year) < 70 ? '20' : '19') : '';
  const text = `${century}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  const real = !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
  return real && isBookDay(text) ? text : undefined;
}
