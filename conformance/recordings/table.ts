/** A recorded table: lines of words, in columns that are as wide as their longest word. */
export interface Table {
  /** Undefined where there is no such row or column. */
  cell(row: string, column: string): string | undefined;
}

const gap = '  ';

export function formatted(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_name, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((word, at) => word.padEnd(widths[at] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n')
    .concat('\n');
}

export function parsed(text: string): Table {
  const [first = '', ...lines] = text.split('\n');
  const head = first.trim().split(/ {2,}/);
  const rows = new Map(
    lines.map((line) => {
      const [name = '', ...cells] = line.split(/ {2,}/);
      return [name, cells] as const;
    }),
  );
  return { cell: (row, column) => (head.includes(column) ? rows.get(row)?.[head.indexOf(column)] : undefined) };
}
