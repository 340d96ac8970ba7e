/** A row by RFC 4180, with CRLF. */
export const csvRow = (cells: readonly (string | null | undefined)[]): string =>
  `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;

/** Spreadsheets run what begins so, unless it is a plain number; an apostrophe makes it text. What they split at is quoted. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
