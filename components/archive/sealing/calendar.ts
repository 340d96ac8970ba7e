const length = 86_400_000;

/** Milliseconds since the epoch at which a UTC day (`YYYY-MM-DD`) begins. */
export const beginOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

/** Where it ends, and the next one begins. */
export const endOf = (day: string): number => beginOf(day) + length;

export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

export const dayAfter = (day: string): string => dayOf(endOf(day));

export const dayBefore = (day: string): string => dayOf(beginOf(day) - 1);

/** Whether the text is a day of the calendar. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(beginOf(text)) && dayOf(beginOf(text)) === text;

/** Days from one to another, negative backwards. */
export const daysBetween = (from: string, to: string): number => (beginOf(to) - beginOf(from)) / length;
