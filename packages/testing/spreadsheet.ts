/**
 * The cells of a file that a spreadsheet would run, where lists are separated by `separator`: it knows a quote only where that begins a cell, and
 * takes whatever a person does not see for blank. Plain numbers are none.
 */
export const runBySpreadsheet = (file: string, separator: string): string[] =>
  cellsOf(file, separator).filter(
    (cell) => sign.test(cell.replace(/^[\s\p{C}\p{Default_Ignorable_Code_Point}]+/u, '')) && !/^-?[\d.]+$/.test(cell),
  );

/** What lists are separated by, by the locale. */
export const separators = [',', ';', '\t'] as const;

const sign = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function cellsOf(file: string, separator: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < file.length) {
    let cell = '';
    if (file[at] === '"') {
      for (at += 1; at < file.length; at += 1) {
        if (file[at] === '"' && file[at + 1] === '"') at += 1;
        else if (file[at] === '"') break;
        cell += file[at];
      }
      at += 1;
    }
    for (; at < file.length && file[at] !== separator && file[at] !== '\r' && file[at] !== '\n'; at += 1)
      cell += file[at];
    at += 1;
    cells.push(cell);
  }
  return cells;
}
