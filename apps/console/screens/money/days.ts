import { dateFormat } from '../../data/formats.ts';

/** A period of business days, which are days of UTC; both are part of it. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const iso = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
const atUtc = (year: number, month: number, day: number): string => iso(Date.UTC(year, month, day));

export const today = (): string => iso(Date.now());

/** The month of a day. */
export function monthOf(day: string): Period {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return { from: atUtc(year, month - 1, 1), to: atUtc(year, month, 0) };
}

/** The whole month before the one of a day. */
export const monthBefore = (day: string): Period => monthOf(moved(monthOf(day).from, { days: -1 }));

/** Months that end with the one of a day, the earliest first. */
export function monthsUntil(day: string, count: number): readonly Period[] {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return Array.from({ length: count }, (_, at) => monthOf(atUtc(year, month - count + at, 1)));
}

/** The calendar year of a day, up to that day. */
export const yearTo = (day: string): Period => ({ from: `${day.slice(0, 4)}-01-01`, to: day });

export function moved(
  day: string,
  { days = 0, years = 0 }: { readonly days?: number; readonly years?: number },
): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = Number(atUtc(year + years, month, 0).slice(8));
  return atUtc(year + years, month - 1, Math.min(date, last) + days);
}

/** As long as the period, and ends the day before it: whole months stay whole months. */
export function before({ from, to }: Period): Period {
  const whole = monthOf(from).from === from && monthOf(to).to === to;
  const end = moved(from, { days: -1 });
  if (!whole) {
    const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
    return { from: moved(end, { days: -days }), to: end };
  }
  const [firstYear = 0, firstMonth = 1] = from.split('-').map(Number);
  const [lastYear = 0, lastMonth = 1] = to.split('-').map(Number);
  const months = (lastYear - firstYear) * 12 + lastMonth - firstMonth + 1;
  return { from: monthsUntil(end, months)[0]?.from ?? end, to: end };
}

export const yearBefore = ({ from, to }: Period): Period => {
  const end = moved(to, { years: -1 });
  return { from: moved(from, { years: -1 }), to: monthOf(to).to === to ? monthOf(end).to : end };
};

export const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

export const monthText = (day: string, locale: string, length: 'short' | 'long' = 'long'): string =>
  dateFormat(locale, {
    month: length,
    ...(length === 'long' ? { year: 'numeric' } : {}),
    timeZone: 'UTC',
  }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
