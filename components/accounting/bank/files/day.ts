import { isBookDay } from '../../money/schema.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** What stands first in a day of numbers between strokes. */
export type First = 'day' | 'month' | 'year';

/** What stands first, as far as a text shows it by a number beyond twelve. */
export function firstShown(text: string): First | undefined {
  const [, a = '', b = ''] = slashed.exec(text.slice(0, 40)) ?? [];
  return Number(a) > 12 ? 'day' : Number(b) > 12 ? 'month' : undefined;
}

/**
 * Whether days such as `26/03/02` have the year first: their last numbers change from row to row more than their first ones do.
 * @returns undefined where it is the same number of each, and the two readings are years apart
 */
export function isYearFirst(texts: readonly string[]): boolean | undefined {
  const [firsts, lasts] = [new Set<number>(), new Set<number>()];
  let apart = false;
  for (const text of texts) {
    const [first = 0, month = 0, last = 0] = (/^(\d\d)[/-](\d\d)[/-](\d\d)(?!\d)/.exec(text) ?? [])
      .slice(1)
      .map(Number);
    if (first <= 12 || month > 12 || last === 0 || last > 31) return false;
    firsts.add(first);
    lasts.add(last);
    apart ||= Math.abs(first - last) > 1;
  }
  if (!apart || lasts.size < firsts.size) return false;
  return lasts.size > 2 && lasts.size > firsts.size ? true : undefined;
}

const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?:[ T]\d{1,2}[:.]\d{2}.*)?$/;

/**
 * A day as banks write it, as `YYYY-MM-DD`: `2026-02-01`, `20260201`, `2026/02/01`, `01.02.2026`, `01.02.26`, `1 Feb 2026`,
 * `Feb 1, 2026`, `2026年2月1日`, `令和8年2月1日`, `R8.2.1`, and `01/02/2026` if `first` says what stands first. A time after it is ignored.
 * @returns undefined for what is no day from 1900 to 2199, or reads two ways
 */
export function readDay(given: string, first?: First): string | undefined {
  const parts = partsOf(given, first);
  return parts === undefined ? undefined : valid(...parts);
}

/** Whether a text is a day that reads one way, though the calendar may have none such. */
export const isDayWritten = (given: string, first?: First): boolean => partsOf(given, first) !== undefined;

type Parts = readonly [year: string | undefined, month: string | undefined, day: string | undefined];

function partsOf(given: string, first: First | undefined): Parts | undefined {
  const text = given.slice(0, 40).trim();
  const iso = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|(\d{2})(\d{2}))(?:[ T]\d{1,2}[:.]\d{2}.*)?$/.exec(text);
  if (iso !== null) return [iso[1], iso[3] ?? iso[5], iso[4] ?? iso[6]];
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})(?:[ T]\d{1,2}[:.]\d{2}.*)?$/.exec(text);
  if (dotted !== null) return [dotted[3], dotted[2], dotted[1]];
  const japanese = /^(?:(令和)(\d{1,2}|元)|(\d{4}))年(\d{1,2})月(\d{1,2})日(?:\d{1,2}[:時].*)?$/.exec(
    text.replaceAll(' ', ''),
  );
  if (japanese !== null) return [japanese[3] ?? yearOf(japanese[2]), japanese[4], japanese[5]];
  const short = /^R(\d{1,2})[./-](\d{1,2})[./-](\d{1,2})$/i.exec(text);
  if (short !== null) return [yearOf(short[1]), short[2], short[3]];
  const named = /^(\d{1,2})[ -]([a-z]{3})[a-z]{0,6}[ -](\d{4}|\d{2})(?:[ T]\d{1,2}[:.]\d{2}.*)?$/i.exec(text);
  if (named !== null) return byName(named[3], named[2], named[1]);
  const american = /^([a-z]{3})[a-z]{0,6}\.? (\d{1,2}),? (\d{4})(?:[ T]\d{1,2}[:.]\d{2}.*)?$/i.exec(text);
  if (american !== null) return byName(american[3], american[1], american[2]);
  const [, a = '', b = '', year] = slashed.exec(text) ?? [];
  if (year === undefined) return undefined;
  const order = first ?? firstShown(text) ?? (a === b ? 'day' : undefined);
  if (order === undefined) return undefined;
  return order === 'year' ? [a, b, year] : order === 'day' ? [year, b, a] : [year, a, b];
}

/** Reiwa, the era that began in 2019; of eras before it there are no statements. */
const yearOf = (year = ''): string => String(2018 + (year === '元' ? 1 : Number(year)));

function byName(year: string | undefined, name = '', day: string | undefined): Parts | undefined {
  const month = months.indexOf(name.toLowerCase());
  return month === -1 ? undefined : [year, String(month + 1), day];
}

function valid(year = '', month = '', day = ''): string | undefined {
  const century = year.length === 2 ? (Number(year) < 70 ? '20' : '19') : '';
  const text = `${century}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  const real = !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
  return real && isBookDay(text) ? text : undefined;
}
