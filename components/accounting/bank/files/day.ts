import { isBookDay } from '../../money/schema.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Whether days are written with the day first, as far as a text shows it by a number beyond twelve. */
export function dayFirstShown(text: string): boolean | undefined {
  const [, a = '', b = ''] = slashed.exec(text.slice(0, 40)) ?? [];
  return Number(a) > 12 ? true : Number(b) > 12 ? false : undefined;
}

const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?:[ T]\d{1,2}[:.]\d{2}.*)?$/;

/**
 * A day as banks write it, as `YYYY-MM-DD`: `2026-02-01`, `20260201`, `2026/02/01`, `01.02.2026`, `01.02.26`, `1 Feb 2026`,
 * `Feb 1, 2026`, `2026年2月1日`, `令和8年2月1日`, `R8.2.1`, and `01/02/2026` if `dayFirst` says which is the day. A time after it is ignored.
 * @returns undefined for what is no day from 1900 to 2199, or reads two ways
 */
export function readDay(given: string, dayFirst?: boolean): string | undefined {
  const parts = partsOf(given, dayFirst);
  return parts === undefined ? undefined : valid(...parts);
}

/** Whether a text is a day that reads one way, though the calendar may have none such. */
export const isDayWritten = (given: string, dayFirst?: boolean): boolean => partsOf(given, dayFirst) !== undefined;

type Parts = readonly [year: string | undefined, month: string | undefined, day: string | undefined];

function partsOf(given: string, dayFirst: boolean | undefined): Parts | undefined {
  const text = given.slice(0, 40).trim();
  const iso = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?:[ T]\d{1,2}[:.]\d{2}.*)?$/.exec(text);
  if (iso !== null) return [iso[1], iso[3], iso[4]];
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
  const first = dayFirst ?? dayFirstShown(text) ?? (a === b ? true : undefined);
  if (first === undefined) return undefined;
  return first ? [year, b, a] : [year, a, b];
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
