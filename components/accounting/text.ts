/** Whether the database can keep a text: it has neither NUL nor half a letter. `most` in UTF-16 units. */
export const isStorable = (text: string, most = 10_000): boolean =>
  text.length <= most && !text.includes('\0') && text.isWellFormed();

const longestAddress = 500;
const mostLines = 10;

/** A postal address as it is printed, a line each, without blank ones; undefined for one that is none: empty, too long, or with control characters. */
export function addressOf(given: string): string | undefined {
  if (!isStorable(given, longestAddress)) return undefined;
  const lines = given
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length >= 1 && lines.length <= mostLines && !lines.some((line) => /\p{Cc}/u.test(line))
    ? lines.join('\n')
    : undefined;
}

/** Says what `addressOf` takes. */
export const addressWanted = `Give 1 to ${mostLines} lines, up to ${longestAddress} characters, without control characters.`;

/** A tax number as it is printed. */
export const vatNumberPattern = /^[0-9A-Za-z][0-9A-Za-z .-]{0,18}[0-9A-Za-z]$/;
