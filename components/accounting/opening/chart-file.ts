import { parse } from 'csv-parse/sync';
import { isCurrency, dictionary } from '@steward/kernel';
import { accountTypes, type AccountType, type Activity } from '../books/template.ts';

export interface ChartLine {
  readonly line: number;
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  readonly currency: string | undefined;
  readonly activity: Activity;
}

/** Words that other systems use for the five types. */
const words = dictionary<AccountType>({
  revenue: 'income',
  sales: 'income',
  expenses: 'expense',
  'cost of sales': 'expense',
  'direct costs': 'expense',
  overhead: 'expense',
  bank: 'asset',
  assets: 'asset',
  'current asset': 'asset',
  'fixed asset': 'asset',
  liabilities: 'liability',
  'current liability': 'liability',
  capital: 'equity',
});

/**
 * A chart of accounts as CSV with the headings code, name, type and, where they like, currency.
 * @throws Error with the line at fault, for people
 */
export function readChart(source: string): ChartLine[] {
  return records(source, ['code', 'name', 'type']).map(({ line, cell }) => {
    const code = cell('code');
    const name = cell('name');
    const type = typeOf(cell('type'));
    const currency = cell('currency').toUpperCase();
    if (!/^[0-9A-Za-z.-]{1,20}$/.test(code))
      throw new Error(`line ${line}: give a code of 1 to 20 letters, digits, dots and dashes`);
    if (name === '' || name.length > 200) throw new Error(`line ${line}: give a name of 1 to 200 characters`);
    if (type === undefined)
      throw new Error(`line ${line}: give a type of ${accountTypes.join(', ')}, or bank for an asset that holds money`);
    if (currency !== '' && !isCurrency(currency))
      throw new Error(`line ${line}: ${currency.slice(0, 10)} is no currency of ISO 4217, such as EUR`);
    return {
      line,
      code,
      name,
      type,
      activity: activityOf(cell('type'), type),
      currency: currency === '' ? undefined : currency,
    };
  });
}

function typeOf(text: string): AccountType | undefined {
  const word = text.toLowerCase();
  return accountTypes.find((type) => type === word) ?? words[word];
}

const activityOf = (word: string, type: AccountType): Activity => {
  if (word.toLowerCase() === 'bank') return 'cash';
  if (word.toLowerCase() === 'fixed asset') return 'investing';
  return type === 'equity' ? 'financing' : 'operating';
};

const mostColumns = 500;

export interface CsvRecord {
  readonly line: number;
  readonly cell: (heading: string) => string;
}

/** Rows of a CSV by their headings. @throws Error where a heading that is needed is missing */
export function records(source: string, needed: readonly string[]): CsvRecord[] {
  if (source.includes('\0')) throw new Error('the file contains the NUL character: it is damaged or not a text file');
  const text = source.replace(/^\ufeff/, '');
  const heading = text.slice(0, text.search(/\r?\n|$/));
  const delimiter = [';', '\t', ','].find((mark) => heading.includes(mark)) ?? ',';
  // The parser makes room for as many fields in each row as there are in the first.
  if (heading.split(delimiter).length > mostColumns) throw new Error(`the file has more than ${mostColumns} columns`);
  const rows = parse(text, {
    delimiter,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: 100_000,
  }) as string[][];
  const headings = (rows[0] ?? []).map((name) => name.trim().toLowerCase());
  const missing = needed.filter((name) => !headings.includes(name));
  if (missing.length > 0)
    throw new Error(
      `the columns ${missing.join(', ')} are missing; the columns are ${headings.join(', ').slice(0, 300)}`,
    );
  if (rows.length > 20_001) throw new Error('the file has more than 20 000 lines');
  const places = new Map(headings.map((name, place) => [name, place] as const).toReversed());
  return rows.slice(1).map((row, index) => ({
    line: index + 2,
    cell: (name) => row[places.get(name) ?? -1]?.trim() ?? '',
  }));
}
