import { dateFormat, relativeFormat } from './formats.ts';

/** In the reader's own time. */
export const momentText = (iso: string, locale: string): string =>
  dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

/** A business day, which is one of UTC: the same for everybody. */
export const dayText = (day: string, locale: string): string =>
  dateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`));

/** A business day where the year is plain, such as along the axis of a plot. */
export const shortDayText = (day: string, locale: string): string =>
  dateFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const;

/** How long ago, or until when, in the largest unit that fits. */
export function agoText(iso: string, locale: string, now = Date.now()): string {
  let value = (new Date(iso).getTime() - now) / 1000;
  for (const [unit, next] of steps) {
    if (Math.abs(Math.round(value)) < next) {
      const count = Math.round(value);
      // The day after tomorrow is a day of the calendar, and two days are not.
      const numeric = Math.abs(count) > 1 ? 'always' : 'auto';
      return relativeFormat(locale, { numeric, style: 'short' }).format(count, unit);
    }
    value /= next;
  }
  return iso;
}

/** Today and other days of UTC, as `2026-12-01`. */
export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
