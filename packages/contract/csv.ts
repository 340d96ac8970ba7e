/** A row by RFC 4180, with CRLF. */
export const csvRow = (cells: readonly (string | null | undefined)[]): string =>
  `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;

/**
 * The parts of a cell that a spreadsheet takes for cells of their own where lists are separated by semicolons or tabs: it knows quotes only where
 * they open what it takes for a cell, so that it splits within those of this file, at line breaks too.
 */
export const partsOfCell = (cell: string): string[] => cell.split(/(?<=[;\t\r\n])/);

/**
 * Whether spreadsheets run such a part, behind whatever they take for blank. Full-width signs count: where people write Japanese or Chinese, Excel
 * reads them as the plain ones. Of a part that is not the first, quotes are dropped before.
 * @param at which part it is, the first being 0
 */
export const beginsFormula = (part: string, at: number): boolean => (at === 0 ? runs : runsWithin).test(part);

const runs =
  /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20])/u;
const runsWithin =
  /^["\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]/u;

/** What spreadsheets would run is made text by an apostrophe, unless the cell is a plain number. What any of them splits at is quoted. */
function csvCell(cell: string): string {
  const safe = /^-?\d+(?:\.\d+)?$/.test(cell)
    ? cell
    : partsOfCell(cell)
        .map((part, at) => (beginsFormula(part, at) ? `'${part}` : part))
        .join('');
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
