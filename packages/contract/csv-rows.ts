import { Readable } from 'node:stream';
import { createPace } from '@steward/kernel';
import { CsvError, parse } from 'csv-parse';
import { CsvError as SyncError, parse as parseTop } from 'csv-parse/sync';

const longestRow = 100_000;

interface CsvLimits {
  /** Bytes of a row. */
  readonly longest?: number;
  /** Rows that are read; what follows is left out. */
  readonly most?: number;
}

export interface CsvLine {
  /** The line of the file that the row begins on, the first being 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Rows of a CSV file, not for long at a stretch; rows of nothing are left out. Its parser makes room in each row for as many cells as the first
 * has: refuse a wide file first.
 * @throws Error with the line at fault, for people
 */
export async function csvRows(
  text: string,
  delimiter: string,
  { longest = longestRow, most }: CsvLimits = {},
): Promise<CsvLine[]> {
  const parsed: Parsed[] = [];
  // As bytes: a piece of a text may end amid a character.
  const bytes = Buffer.from(text);
  const table = Readable.from(piecesOf(bytes)).pipe(
    parse({ ...dialect, delimiter, max_record_size: longest, to: most ?? -1 }),
  ) as AsyncIterable<Parsed>;
  try {
    for await (const one of table) parsed.push(one);
  } catch (cause) {
    throw isUnclosed(cause) ? unclosed(text) : cause;
  }
  return rowsIn(parsed, bytes);
}

/** The first rows of a short text, at once. @throws Error of the parser where the text is no such table */
export const topRows = (text: string, delimiter: string, most: number): CsvLine[] =>
  rowsIn(parseTop(text, { ...dialect, delimiter, to: most }) as unknown as Parsed[], Buffer.from(text));

export const isUnclosed = (cause: unknown): boolean =>
  (cause instanceof CsvError || cause instanceof SyncError) && cause.code === 'CSV_QUOTE_NOT_CLOSED';

/** A parser knows where the file ends; people look for the first line with an odd number of quotes. */
export function unclosed(text: string): Error {
  const odd = text.split('\n').findIndex((line) => line.split('"').length % 2 === 0);
  return new Error(`line ${odd + 1}: a quote (") is never closed: close it, or write "" for a quote in a text`);
}

const dialect = {
  skip_empty_lines: true,
  relax_column_count: true,
  relax_quotes: true,
  info: true,
  max_record_size: longestRow,
} as const;

interface Parsed {
  readonly record: readonly string[];
  /** `bytes` until the end of the row. The parser's own count of lines counts breaks within quotes twice. */
  readonly info: { readonly bytes: number };
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

function rowsIn(parsed: readonly Parsed[], bytes: Buffer): CsvLine[] {
  const rows: CsvLine[] = [];
  let [line, at] = [1, 0];
  const isBreak = (): boolean => bytes[at] === lineFeed || bytes[at] === carriageReturn;
  const step = (): void => {
    if (bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed)) line += 1;
    at += 1;
  };
  for (const { record, info } of parsed) {
    while (at < info.bytes && isBreak()) step();
    if (record.some((one) => one.trim() !== '')) rows.push({ line, cells: record });
    while (at < info.bytes) step();
  }
  return rows;
}

/** Bytes that are parsed at a stretch. */
const stretch = 16_384;

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  const pace = createPace();
  for (let from = 0; from < bytes.length; from += stretch) {
    if (pace.due()) await pace.rest();
    yield bytes.subarray(from, from + stretch);
  }
}
