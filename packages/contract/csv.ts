/** A row by RFC 4180, with CRLF. */
export const csvRow = (cells: readonly (string | null | undefined)[]): string =>
  `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;

/**
 * Whether spreadsheets run what begins so. Full-width signs count: where people write Japanese or Chinese, Excel reads them as the
 * plain ones.
 */
export const beginsFormula = (text: string): boolean => /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text);

/** What spreadsheets would run is made text by an apostrophe, unless it is a plain number. What they split at is quoted. */
function csvCell(text: string): string {
  const safe = beginsFormula(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
