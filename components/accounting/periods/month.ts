/** Days and months are `YYYY-MM-DD`; a month is called by its first day. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;

/** The same month, `count` months on (or back). */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 10);
}

export const lastDayOf = (month: string): string =>
  new Date(Date.parse(`${addMonths(monthOf(month), 1)}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

/** First month of the fiscal year that a day lies in. `startMonth` 1–12. */
export function fiscalYearOf(day: string, startMonth: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const first = month >= startMonth ? year : year - 1;
  return `${String(first).padStart(4, '0')}-${String(startMonth).padStart(2, '0')}-01`;
}
