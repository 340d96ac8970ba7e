const [most, least] = [1, 10];

/** The same day so many years on, or back. */
const yearsOn = (now: number, years: number): string => {
  const day = new Date(now);
  day.setUTCFullYear(day.getUTCFullYear() + years);
  return day.toISOString().slice(0, 10);
};

/**
 * Asks about days whose year is probably mistyped: more than a year ahead, or more than ten years back. Books may hold such days, so none
 * is refused.
 * @param days by what they are called
 * @param now milliseconds since the epoch
 */
export function farInWords(days: Readonly<Record<string, string>>, now = Date.now()): string | undefined {
  const [first, last] = [yearsOn(now, -least), yearsOn(now, most)];
  const far = Object.entries(days).flatMap(([name, day]) => {
    const where = day > last ? 'more than a year ahead' : day < first ? 'more than ten years back' : undefined;
    return where === undefined ? [] : [`The ${name}, ${day}, is ${where}: check the year.`];
  });
  return far.length === 0 ? undefined : far.join(' ');
}

/** A summary of what would happen, with what is to be asked about its days. */
export const asking = (summary: string, far: string | undefined): string =>
  far === undefined ? summary : `${summary} ${far}`;
