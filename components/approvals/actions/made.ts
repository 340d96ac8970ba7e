/** Clocks of a database and of its clients differ by less than this. Milliseconds. */
const skew = 1_000;

const uuid7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/**
 * JSON with the ids (UUIDv7) and times that were made since a moment named by the order they appear in: a rehearsal makes
 * others each time, and nobody could be bound to them. What was there before stays as it is.
 * @param since milliseconds since the epoch
 */
export function withoutMade(value: unknown, since: number): unknown {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const known = names.get(text) ?? `made ${names.size + 1}`;
    names.set(text, known);
    return known;
  };
  const settle = (one: unknown): unknown => {
    if (typeof one === 'string') return isMade(one, since) ? nameOf(one) : one;
    if (Array.isArray(one)) return one.map(settle);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, settle(part)]));
  };
  return settle(value);
}

function isMade(text: string, since: number): boolean {
  const [, high, low] = uuid7.exec(text) ?? [];
  if (high !== undefined) return Number.parseInt(`${high}${low}`, 16) >= since;
  return instant.test(text) && Date.parse(text) >= since - skew;
}
