const form = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,32}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * RFC 3339 with any offset as UTC milliseconds (`…sssZ`); further digits are cut. Undefined for anything else, and for
 * leap seconds and 24:00, which databases would silently move to the next day.
 */
export function normalizeTime(text: string): string | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = offsetMinutes(match[8], match[9], match[10]);
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute - offset, second, milliseconds);
  const utcYear = date.getUTCFullYear();
  return utcYear < 1 || utcYear > 9999 ? undefined : date.toISOString();
}

function offsetMinutes(sign: string | undefined, hours = '00', minutes = '00'): number | undefined {
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
