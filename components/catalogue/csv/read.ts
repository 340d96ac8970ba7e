import { checkOf, type CsvLine, csvRows, type Fixed, topRows } from '@steward/contract';
import { createPace, exponentOf, dictionary } from '@steward/kernel';
import { z } from 'zod';
import { handleOf } from '../products/handle.ts';
import { handleInput, members, mostVariants, optionNames, variantInput } from '../products/input.ts';
import { amountIn, asWritten, readTags } from './cells.ts';
import { columnOf, places, type Column, type Row } from './columns.ts';
import { type FilePicture, pictureIn, type Skipped } from './picture-in.ts';
import { htmlOf, markdownOf } from './markdown.ts';

const mostLines = 10_000;
/** Each has an event of its own in the audit log, and all are written at once. */
const mostProducts = 1_000;
const mostColumns = 500;
const longestHeading = 16_384;
/** Bytes: the longest description stands in two columns. */
const longestRow = 500_000;
/** Characters of a description in HTML. */
const longestBody = 60_000;

/** What is wrong with a line, for people who mend the file. */
export interface LineFault {
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

const told = z.object({
  title: members.title,
  description: members.description,
  vendor: members.vendor,
  type: members.type,
  tags: members.tags,
  status: members.status,
  taxCategory: members.taxCategory,
});
const checkTold = checkOf(told);
/** Members of a product that the file has columns for. */
export type Told = Fixed<z.output<typeof told>>;

const asked = variantInput.omit({ options: true, prices: true });
const checkAsked = checkOf(asked);

/** A row that is a variant: what the file has columns for. */
export interface FileVariant extends Fixed<z.output<typeof asked>> {
  readonly line: number;
  /** By the options of the product in their order; undefined where the file has no columns for them. */
  readonly values: readonly string[] | undefined;
  /** In the currency of the file; undefined where the cell is empty. */
  readonly price: string | undefined;
  /** null: none; undefined: the file has no such column. */
  readonly compareAt: string | null | undefined;
}

export interface FileProduct {
  readonly line: number;
  readonly handle: string;
  readonly told: Told;
  /** Whether the file wants it published; undefined where it does not say. */
  readonly published: boolean | undefined;
  /** undefined: the file has no columns for them. */
  readonly options: readonly string[] | undefined;
  readonly variants: readonly FileVariant[];
  readonly pictures: readonly FilePicture[];
}

export interface ProductFile {
  readonly products: readonly FileProduct[];
  /** Columns that say something that is not taken, and in how many lines. */
  readonly notImported: readonly { readonly column: string; readonly lines: number }[];
  readonly faults: readonly LineFault[];
  /** Pictures that are left out. */
  readonly skipped: readonly Skipped[];
}

interface Group {
  readonly handle: string;
  readonly rows: Row[];
}

/**
 * A file in the format of Shopify's product CSV: rows of one handle are one product.
 * @throws Error that says why it is no such table, for people; what is wrong with single lines is in `faults`
 */
export async function readProducts(content: string, currency: string): Promise<ProductFile> {
  const text = content.replace(/^\ufeff/, '');
  if (text.includes('\0')) throw new Error('it contains the NUL character: the file is damaged or not a text file');
  const delimiter = delimiterOf(text);
  const [heading, ...lines] = await csvRows(text, delimiter, { longest: longestRow, most: mostLines + 2 });
  if (lines.length > mostLines) throw new Error(`it has more than ${mostLines} lines: split it between products`);
  const headings = heading?.cells ?? [];
  const { at, others } = columnsOf(headings);
  const faults: LineFault[] = [];
  const skipped: Skipped[] = [];
  const groups = new Map<string, Group>();
  const untaken = new Map<string, number>();
  const pace = createPace();
  for (const line of lines) {
    if (pace.due()) await pace.rest();
    for (const [name, place] of others)
      if ((line.cells[place] ?? '').trim() !== '') untaken.set(name, (untaken.get(name) ?? 0) + 1);
    // Of 9,99 without quotes the price would be 9.
    if (line.cells.slice(headings.length).some((cell) => cell.trim() !== ''))
      faults.push({
        line: line.line,
        code: 'too_many_cells',
        detail: `The line has ${line.cells.length} cells, and the first line ${headings.length}: put a cell that contains a separator into quotes.`,
      });
    const row = rowOf(line, at);
    const handle = handleIn(row, faults);
    if (handle === undefined) continue;
    const group = groups.get(handle);
    if (group === undefined) groups.set(handle, { handle, rows: [row] });
    else group.rows.push(row);
  }
  if (groups.size > mostProducts)
    throw new Error(`it has ${groups.size} products: send at most ${mostProducts} in one file`);
  const products: FileProduct[] = [];
  for (const group of groups.values()) {
    if (pace.due()) await pace.rest();
    products.push(productOf(group, exponentOf(currency), faults, skipped));
  }
  return {
    products,
    notImported: [...untaken].map(([column, count]) => ({ column, lines: count })),
    faults: faults.toSorted((a, b) => a.line - b.line),
    skipped,
  };
}

/** @throws Error where no row of headings is found, or one so wide that each line would take long to read */
function delimiterOf(text: string): string {
  const [first = ''] = text.slice(0, longestHeading + 1).split(/[\r\n]/, 1);
  if (first.length > longestHeading)
    throw new Error(
      `its first line is longer than ${longestHeading} characters: the first line has the headings of a product CSV, such as ` +
        'Handle, Title, Variant SKU, Variant Price',
    );
  for (const delimiter of [',', ';', '\t']) {
    if (first.split(delimiter).length > mostColumns) throw new Error(`it has more than ${mostColumns} columns`);
    const [heading] = topRows(first, delimiter, 1);
    if (heading?.cells.some((name) => columnOf(name) === 'title') === true) return delimiter;
  }
  throw new Error(
    'its first line has no column Title: the first line has the headings of a product CSV, such as Handle, Title, Variant SKU, ' +
      'Variant Price',
  );
}

function columnsOf(headings: readonly string[]) {
  const at = new Map<Column, number>();
  const others: [string, number][] = [];
  headings.forEach((heading, place) => {
    const column = columnOf(heading);
    if (column !== undefined && !at.has(column)) at.set(column, place);
    else others.push([heading.trim().slice(0, 100) || `column ${place + 1}`, place]);
  });
  return { at, others };
}

const rowOf = ({ line, cells }: CsvLine, at: ReadonlyMap<Column, number>): Row => ({
  line,
  cell: (column) => {
    const place = at.get(column);
    const said = place === undefined ? undefined : asWritten(cells[place] ?? '');
    return column === 'markdown' ? said : said?.trim();
  },
});

/** The handle of the row's product: made of the title where it is empty. */
function handleIn(row: Row, faults: LineFault[]): string | undefined {
  const given = row.cell('handle') ?? '';
  const handle = given === '' ? handleOf((row.cell('title') ?? '').slice(0, 1_000)) : given;
  if (handleInput.safeParse(handle).success) return handle;
  const made = handleOf(given.slice(0, 1_000));
  faults.push({
    line: row.line,
    code: given === '' ? 'required' : 'invalid_handle',
    detail:
      given === ''
        ? 'Give the handle of the product.'
        : `Give a handle of lower-case letters and digits with single hyphens, up to 120 characters${made === '' ? '' : `, such as ${made}`}.`,
  });
  return undefined;
}

const variantColumns: readonly Column[] = [
  'sku',
  'grams',
  'price',
  'compareAt',
  'barcode',
  ...places.map((place) => `value${place}` as const),
];

function productOf({ handle, rows }: Group, digits: number, faults: LineFault[], skipped: Skipped[]): FileProduct {
  const [first, ...others] = rows as [Row, ...Row[]];
  if ((first.cell('body') ?? '').length > longestBody)
    faults.push({ line: first.line, code: 'too_big', detail: `Body (HTML): give at most ${longestBody} characters.` });
  const checked = checkTold(membersOf(first));
  addIssues(first.line, checked.error, faults);
  for (const row of others) {
    const title = row.cell('title') ?? '';
    if (title !== '' && title !== first.cell('title'))
      faults.push({
        line: row.line,
        code: 'duplicate',
        detail: `Line ${first.line} has this handle and another title: give each product a handle of its own.`,
      });
  }
  const options = optionsOf(rows, faults);
  const variants = [first, ...others.filter((row) => variantColumns.some((column) => (row.cell(column) ?? '') !== ''))];
  const extra = variants[mostVariants];
  if (extra !== undefined)
    faults.push({ line: extra.line, code: 'too_big', detail: `Give a product at most ${mostVariants} variants.` });
  return {
    line: first.line,
    handle,
    told: checked.data ?? { title: '' },
    published: yesOrNo(first, 'published', 'Published', faults),
    options,
    variants: variants.slice(0, mostVariants).map((row) => variantOf(row, options, digits, faults)),
    pictures: rows.flatMap((row) => pictureIn(row, skipped)),
  };
}

const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

function membersOf(row: Row): Record<string, unknown> {
  const blankIsNull = (cell: string | undefined) => (cell === '' ? null : cell);
  const body = row.cell('body')?.slice(0, longestBody);
  const markdown = row.cell('markdown');
  const tags = row.cell('tags');
  const status = row.cell('status')?.toLowerCase();
  return {
    title: row.cell('title'),
    // Somebody who changed the HTML means that; else the Markdown says more.
    description:
      body === undefined || (markdown !== undefined && withLineFeeds(htmlOf(markdown)) === withLineFeeds(body))
        ? markdown
        : markdownOf(body),
    vendor: blankIsNull(row.cell('vendor')),
    type: blankIsNull(row.cell('type') ?? row.cell('category')),
    ...(tags === undefined ? {} : { tags: readTags(tags) }),
    status: status === '' ? undefined : status,
    taxCategory: row.cell('taxCategory') === '' ? undefined : row.cell('taxCategory'),
  };
}

/** Names of the options, in the first row that has any; a product whose only variant is called so has none. */
function optionsOf(rows: readonly Row[], faults: LineFault[]): string[] | undefined {
  const [first] = rows;
  if (first?.cell('value1') === undefined) return undefined;
  const named = rows.find((row) => (row.cell('name1') ?? '') !== '') ?? first;
  const names = places.map((place) => named.cell(`name${place}`) ?? '');
  if (names[0]?.toLowerCase() === 'title' && first.cell('value1')?.toLowerCase() === 'default title') return [];
  const options = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  addIssues(named.line, optionNames.safeParse(options).error, faults);
  return options;
}

function variantOf(row: Row, options: readonly string[] | undefined, digits: number, faults: LineFault[]): FileVariant {
  const blankIsNull = (cell: string | undefined) => (cell === '' ? null : cell);
  const grams = row.cell('grams');
  const checked = checkAsked({
    sku: blankIsNull(row.cell('sku')),
    // Shopify writes an apostrophe before, so that spreadsheets keep its zeros.
    barcode: blankIsNull(row.cell('barcode')?.replace(/^'(?=\d+$)/, '')),
    weightGrams: grams === undefined ? undefined : grams === '' ? null : gramsIn(grams),
    requiresShipping: yesOrNo(row, 'ships', 'Variant Requires Shipping', faults),
  });
  addIssues(row.line, checked.error, faults);
  options?.forEach((name, index) => {
    const value = row.cell(`value${index + 1}`) ?? '';
    if (value === '' || value.length > 255)
      faults.push({
        line: row.line,
        code: 'required',
        detail: `Give a value of up to 255 characters for the option ${name}.`,
      });
  });
  const extra = places.find((place) => place > (options?.length ?? 9) && (row.cell(`value${place}`) ?? '') !== '');
  if (extra !== undefined && !(options?.length === 0 && extra === 1))
    faults.push({
      line: row.line,
      code: 'unknown_option',
      detail: `Option${extra} has a value and no name: name it in the first line of the product.`,
    });
  const price = row.cell('price');
  const compareAt = row.cell('compareAt');
  const before = compareAt === undefined ? undefined : amountIn(compareAt, digits);
  return {
    line: row.line,
    ...checked.data,
    values: options?.map((_name, index) => row.cell(`value${index + 1}`) ?? ''),
    price: price === undefined || price === '' ? undefined : amountIn(price, digits),
    // Zero says that there was no price before.
    compareAt: before === undefined ? undefined : /^[0.]*$/.test(before) ? null : before,
  };
}

const gramsIn = (cell: string): unknown =>
  cell.length <= 20 && /^\d+(?:\.\d+)?$/.test(cell) ? Math.round(Number(cell)) : cell;

function yesOrNo(row: Row, column: Column, name: string, faults: LineFault[]): boolean | undefined {
  const cell = (row.cell(column) ?? '').toLowerCase();
  if (cell === 'true' || cell === 'false' || cell === '') return cell === '' ? undefined : cell === 'true';
  faults.push({ line: row.line, code: 'invalid_value', detail: `${name}: give TRUE or FALSE.` });
  return undefined;
}

const columnNames = dictionary<string>({
  title: 'Title',
  description: 'Body (HTML)',
  vendor: 'Vendor',
  type: 'Type',
  tags: 'Tags',
  status: 'Status',
  taxCategory: 'Tax category',
  sku: 'Variant SKU',
  barcode: 'Variant Barcode',
  weightGrams: 'Variant Grams',
});

function addIssues(line: number, error: z.ZodError | undefined, faults: LineFault[]): void {
  const seen = new Set<string>();
  for (const { path, message, code } of error?.issues ?? []) {
    const column = columnNames[String(path[0])] ?? 'Options';
    if (seen.has(column)) continue;
    seen.add(column);
    faults.push({ line, code: code === 'too_big' ? code : 'invalid_value', detail: `${column}: ${message}.` });
  }
}
