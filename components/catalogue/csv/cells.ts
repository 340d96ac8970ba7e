import { beginsFormula, partsOfCell } from '@steward/contract';

const eachMadeText = (cell: string, change: (part: string) => string): string =>
  partsOfCell(cell)
    .map((part, at) => (part.startsWith("'") && beginsFormula(part.replace(/^'+/, ''), at) ? change(part) : part))
    .join('');

/** What `csvRow` did to a cell that a spreadsheet would run is undone; a second apostrophe keeps one that was there. */
export const asWritten = (cell: string): string => eachMadeText(cell, (part) => part.slice(1));
export const toWrite = (cell: string): string => eachMadeText(cell, (part) => `'${part}`);

/** Tags in one cell, separated by commas; one that has a comma itself is in quotes. */
export const writeTags = (tags: readonly string[]): string =>
  tags.map((tag) => (/^"|,/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ');

export function readTags(cell: string): string[] {
  const tags: string[] = [];
  let at = 0;
  while (at < cell.length) {
    if (cell[at] === ' ' || cell[at] === ',') {
      at += 1;
      continue;
    }
    let tag = '';
    const closing = cell[at] === '"' ? closingOf(cell, at + 1) : -1;
    if (closing === -1) {
      const comma = cell.indexOf(',', at);
      tag = cell.slice(at, comma === -1 ? cell.length : comma);
      at = comma === -1 ? cell.length : comma;
    } else {
      tag = cell.slice(at + 1, closing).replaceAll('""', '"');
      at = closing + 1;
    }
    if (tag.trim() !== '') tags.push(tag.trim());
  }
  return [...new Set(tags)];
}

/** Where the quote that opened before `from` ends a tag; -1 where it is a character of the tag. */
function closingOf(cell: string, from: number): number {
  for (let at = from; at < cell.length; at += 1) {
    if (cell[at] !== '"') continue;
    if (cell[at + 1] === '"') at += 1;
    else return /^ *(?:,|$)/.test(cell.slice(at + 1, at + 3)) ? at : -1;
  }
  return -1;
}

/**
 * A price as amounts are written: `20`, `20.0` and `20,0` are `20.00` in EUR. What is no such number stays, to be refused, and so does
 * what may have a comma between thousands.
 */
export function amountIn(cell: string, digits: number): string {
  if (cell.length > 40 || !/^\d+(?:\.\d+|,\d{1,2})?$/.test(cell)) return cell;
  const [whole = '', fraction = ''] = cell.split(/[.,]/);
  const zeros = /^0*$/.test(fraction.slice(digits));
  const kept = (zeros ? fraction.slice(0, digits) : fraction).padEnd(digits, '0');
  const plain = whole.replace(/^0+(?=\d)/, '');
  return kept === '' ? plain : `${plain}.${kept}`;
}
