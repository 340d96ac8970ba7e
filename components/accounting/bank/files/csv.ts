import { parse } from 'csv-parse/sync';
import { bankAmount } from './amount.ts';
import type { FileLine, StatementFile } from './statement.ts';

/** Which column says what, by its heading; as banks name them where nothing is said. Headings are compared without case. */
export interface CsvColumns {
  readonly date?: string | undefined;
  readonly amount?: string | undefined;
  /** Instead of `amount`: two columns, both without sign. */
  readonly debit?: string | undefined;
  readonly credit?: string | undefined;
  readonly description?: string | undefined;
  readonly counterparty?: string | undefined;
  readonly reference?: string | undefined;
  readonly id?: string | undefined;
}

const customary: Readonly<Record<keyof CsvColumns, readonly string[]>> = {
  date: ['date', 'booking date', 'posted date', 'posting date', 'transaction date', 'buchungstag', 'datum', 'fecha'],
  amount: ['amount', 'betrag', 'importe', 'value'],
  debit: ['debit', 'withdrawal', 'withdrawals', 'paid out', 'money out'],
  credit: ['credit', 'deposit', 'deposits', 'paid in', 'money in'],
  description: ['description', 'memo', 'details', 'narrative', 'verwendungszweck', 'concepto', 'text'],
  counterparty: ['name', 'payee', 'counterparty', 'merchant', 'beguenstigter/zahlungspflichtiger'],
  reference: ['reference', 'ref', 'referenz', 'check number'],
  id: ['id', 'transaction id', 'fitid'],
};

/**
 * CSV with a heading. Dates are `YYYY-MM-DD`, `DD.MM.YYYY` or `YYYYMMDD`; what could be read both ways (01/02/2026) is refused
 * unless `dayFirst` says which.
 * @throws Error with the line at fault, for people
 */
export function readCsv(source: string, currency: string, columns: CsvColumns = {}, dayFirst?: boolean): StatementFile {
  const text = source.replace(/^\ufeff/, '');
  const heading = text.slice(0, text.search(/\r?\n|$/));
  const delimiter = [';', '\t', ','].find((mark) => heading.includes(mark)) ?? ',';
  const records = parse(text, {
    delimiter,
    skip_empty_lines: true,
    relax_column_count: true,
    bom: true,
    max_record_size: 100_000,
  }) as string[][];
  const headings = (records[0] ?? []).map((name) => name.trim().toLowerCase());
  const place = (field: keyof CsvColumns): number => {
    const wanted = columns[field]?.trim().toLowerCase();
    return wanted === undefined
      ? headings.findIndex((name) => customary[field].includes(name))
      : headings.indexOf(wanted);
  };
  const [date, amount, debit, credit] = [place('date'), place('amount'), place('debit'), place('credit')];
  if (date === -1 || (amount === -1 && (debit === -1 || credit === -1)))
    throw new Error(
      `a column for the date and one for the amount (or debit and credit) are needed; there are ${headings.join(', ').slice(0, 300)}`,
    );
  const [description, counterparty, reference, id] = [
    place('description'),
    place('counterparty'),
    place('reference'),
    place('id'),
  ];
  const lines = records.slice(1).map((record, index): FileLine => {
    const cell = (at: number): string | undefined => {
      const value = at === -1 ? undefined : record[at]?.trim();
      return value === '' ? undefined : value;
    };
    const at = `line ${index + 2}`;
    const day = dayOf(cell(date) ?? '', dayFirst);
    if (day === undefined)
      throw new Error(
        `${at}: ${JSON.stringify(cell(date) ?? '')} is no date that reads one way only: write YYYY-MM-DD, or say day_first`,
      );
    const minor =
      amount === -1 ? difference(cell(credit), cell(debit), currency) : bankAmount(cell(amount) ?? '', currency);
    if (minor === undefined) throw new Error(`${at}: the amount is not one of ${currency}`);
    return {
      day,
      amount: minor,
      description: cell(description) ?? cell(counterparty) ?? '',
      counterparty: cell(counterparty),
      reference: cell(reference),
      bankId: cell(id),
    };
  });
  return { currency: undefined, opening: undefined, closing: undefined, lines };
}

function difference(credit: string | undefined, debit: string | undefined, currency: string): bigint | undefined {
  const [into, out] = [bankAmount(credit ?? '0', currency), bankAmount(debit ?? '0', currency)];
  if (into === undefined || out === undefined) return undefined;
  return into - (out < 0n ? -out : out);
}

function dayOf(text: string, dayFirst: boolean | undefined): string | undefined {
  const iso = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text);
  if (iso !== null) return valid(iso[1], iso[2], iso[3]);
  if (dotted !== null) return valid(dotted[3], dotted[2], dotted[1]);
  if (slashed === null) return undefined;
  const [, a = '', b = '', year] = slashed;
  const first = dayFirst ?? (Number(a) > 12 ? true : Number(b) > 12 ? false : undefined);
  if (first === undefined) return a === b ? valid(year, a, b) : undefined;
  return first ? valid(year, b, a) : valid(year, a, b);
}

function valid(year = '', month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}
