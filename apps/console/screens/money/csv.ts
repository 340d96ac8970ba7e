/** The rows of a file that the server wrote (RFC 4180): it quotes a cell with a comma, a quote or a line break. */
export function rowsOfCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  // Of a text that is split at quotes, each other piece is within some; an empty piece between two is a quote of the cell.
  let cell = '';
  text.split('"').forEach((piece, at, all) => {
    if (at % 2 === 1) {
      cell += piece;
      return;
    }
    if (piece === '' && at > 0 && at < all.length - 1) {
      cell += '"';
      return;
    }
    piece.split('\r\n').forEach((line, nth) => {
      if (nth > 0) {
        rows.push([...row, cell]);
        [row, cell] = [[], ''];
      }
      const cells = line.split(',');
      cell += cells[0] ?? '';
      for (const next of cells.slice(1)) {
        row.push(cell);
        cell = next;
      }
    });
  });
  return rows;
}
