const longest = 86_400_000;

/** Milliseconds that a `Retry-After` asks for (RFC 9110 §10.2.3), a day at most; undefined where it says nothing usable. */
export function retryAfter(value: string | null, now = Date.now()): number | undefined {
  const wait = waitOf(value ?? '', now);
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), longest);
}

function waitOf(value: string, now: number): number {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(value);
  return isDate ? Date.parse(value) - now : Number.NaN;
}
