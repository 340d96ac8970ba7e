import { dayOf } from './moment.ts';

/** The latest days of UTC up to today, the earliest first: `2026-12-01`. */
export const lastDays = (count: number, now = Date.now()): readonly string[] =>
  Array.from({ length: count }, (_, at) => dayOf(now - (count - 1 - at) * 86_400_000));
