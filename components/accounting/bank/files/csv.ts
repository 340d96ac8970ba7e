import { type CsvLine, csvRows, isUnclosed, topRows, unclosed } from '@steward/contract';
import { createPace, normalized } from '@steward/kernel';
import { type DecimalMark, markShown, notOwn, otherCurrency, readAmount } from './amount.ts';
import { type First, firstShown, isDayWritten, isYearFirst, readDay } from './day.ts';
import { type CsvColumns, fold, isDayBeforeMonth, type Places, placesOf } from './headings.ts';
import { referenceIn } from './reference.ts';
import { eachLine, type FileLine, type LeftOut, type StatementFile } from './statement.ts';

/** What a table may leave open. */
export interface CsvOptions {
  readonly columns?: CsvColumns | undefined;
  /** Whether 01/02/2026 is the first of February. */
  readonly dayFirst?: boolean | undefined;
  /** Whether 1.234 is more than a thousand (`,`) or less than two (`.`). */
  readonly decimalMark?: DecimalMark | undefined;
}

/** Wider than any bank's table; a parser makes a cell of each. */
const mostFields = 500;

/** @throws Error naming the line */
function refuseWide(text: string): void {
  let line = 1;
  const fields = new Map<string, number>();
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\n') {
      line += 1;
      fields.clear();
    } else if (char === ';' || char === '\t' || char === ',' || char === '|') {
      const count = (fields.get(char) ?? 0) + 1;
      if (count >= mostFields) throw new Error(`line ${line} has more than ${mostFields} fields`);
      fields.set(char, count);
    }
  }
}

const delimiters = [';', '\t', ',', '|'] as const;
/** The row of headings is among so many rows of a file, and within so many characters. */
const mostPreamble = 60;
const longestPreamble = 65_536;

/**
 * CSV with a row of headings, whatever precedes it; rows after the last one with a day are totals and notes, and what its bank has not booked is left out. Days and amounts
 * that read two ways are read like the others of the file, and refused if none decides it.
 * @throws Error with the lines at fault, for people
 */
export async function readCsv(source: string, currency: string, options: CsvOptions = {}): Promise<StatementFile> {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  refuseWide(text);
  const { delimiter, heading, places } = await findHeading(topOf(text), options.columns ?? {});
  const all = (await csvRows(text, delimiter)).filter(({ line }) => line > heading.line);
  const cell = ({ cells }: CsvLine, at: number): string | undefined => {
    const value = at === -1 ? undefined : cells[at]?.trim();
    return value === '' ? undefined : value;
  };
  const isBooked = (row: CsvLine): boolean => !notBooked.has(statusOf(cell(row, places.status) ?? ''));
  const rows = all.filter(isBooked);
  const day = (row: CsvLine): string => cell(row, places.date) ?? '';
  const end = rows.findLastIndex((row) => isDayWritten(day(row), 'day') || /^\d/.test(day(row))) + 1;
  const dated = end === 0 ? rows : rows.slice(0, end);
  const usual = !monthsFirst.has(currency) && isDayBeforeMonth(heading.cells, places) ? 'day' : undefined;
  const first = (await firstOf(dated, day, options.dayFirst)) ?? usual;
  const sums = [places.amount, places.debit, places.credit].filter((at) => at !== -1);
  for (const at of sums) {
    const name = heading.cells[at]?.trim() ?? '';
    if (inThousands(name))
      throw new Error(
        `line ${heading.line}: the column ${JSON.stringify(name.slice(0, 40))} is in thousands: export the file with whole amounts`,
      );
    const other = otherCurrency(name, currency);
    if (other !== undefined)
      throw new Error(
        `line ${heading.line}: the column ${JSON.stringify(name.slice(0, 40))} is in ${other}, but the account is in ` +
          `${currency}: name a column in ${currency} in columns, or import the file into an account in ${other}`,
      );
  }
  const mark =
    options.decimalMark ??
    (await agreed(
      dated,
      (row) => shown(sums.map((at) => markShown(cell(row, at) ?? '', currency))),
      '"." is decimal',
      '"," is',
    ));
  const directed = { ...places, direction: await directionShown(dated, heading, places) };
  const width = heading.cells.length;
  const lines = await eachLine(
    dated,
    ({ line }) => line,
    (row): FileLine => {
      if (row.cells.slice(width).some((one) => one.trim() !== ''))
        throw new Error(
          `it has ${row.cells.length} fields under ${width} headings: an amount with a comma is quoted ("-4,50"), or fields are separated by ";"`,
        );
      const booked = readDay(day(row), first);
      if (booked === undefined)
        throw new Error(
          isDayWritten(day(row), first)
            ? `${JSON.stringify(day(row).slice(0, 40))} is no existing day from 1900 to 2199`
            : `${JSON.stringify(day(row).slice(0, 40))} is an ambiguous date: write YYYY-MM-DD, or set day_first`,
        );
      const named = cell(row, places.currency) ?? '';
      const other = /^[a-z]{3}$/i.test(named) ? named.toUpperCase() : otherCurrency(named, currency);
      if (other !== undefined && other !== currency) throw new Error(notOwn(other, currency));
      if (delimiter === ',' && options.decimalMark === undefined) torn(row, sums);
      const amount = amountOf(row, directed, (at) => {
        const given = cell(row, at);
        return given === undefined ? undefined : readAmount(given, currency, mark);
      });
      const { payer, payee } = places;
      const party = payer === -1 || payee === -1 ? Math.max(payer, payee) : amount > 0n ? payer : payee;
      const counterparty = cell(row, places.counterparty === -1 ? party : places.counterparty);
      return {
        line: row.line,
        day: booked,
        amount,
        description: cell(row, places.description) ?? counterparty ?? '',
        counterparty,
        reference: referenceIn(cell(row, places.reference)),
        bankId: cell(row, places.id),
      };
    },
  );
  const leftOut = [
    ...all.filter((row) => !isBooked(row)).map(left(delimiter, 'not_booked')),
    ...rows.slice(dated.length).map(left(delimiter, 'footer')),
  ];
  return { currency: undefined, opening: undefined, closing: undefined, lines, leftOut };
}

/** The words that a status begins with: of `Pending (card)` and `PENDING…` it is `pending`. */
const statusOf = (text: string): string =>
  /^[\p{L}' ]*/u.exec(fold(normalized(text.slice(0, 200), 'NFKC').replaceAll(/\p{Cf}/gu, '')))?.[0].trim() ?? '';

/** What banks call a movement that is none yet, or that was refused or taken back before it was one; folded. */
const notBooked = new Set(
  `pending, not booked, not posted, unposted, nicht gebucht, niet geboekt, processing, in progress, scheduled, authorized, authorised, on hold, held, reserved, reverted, declined, failed, rejected, denied,
  cancelled, canceled, expired, voided, vorgemerkt, vorgemerkter umsatz, umsatz vorgemerkt, vormerkung, ausstehend, abgelehnt, en attente, en cours, refuse,
  annule, pendiente, rechazado, anulado, cancelado, in attesa, in sospeso, rifiutato, annullato, pendente, em processamento, recusado,
  non contabilizzato, non contabilizzata, da contabilizzare, autorizzato, non comptabilise, retenido,
  in behandeling, gereserveerd, geweigerd, geannuleerd, oczekujaca, oczekujacy, odrzucona, anulowana, reserverad, reserveret, reservert,
  afventer, avvisad, afvist, avvist, varaus, odottaa, nezauctovano, cekajici, zamitnuta, 取消, 取消済, 取消済み, 取り消し, キャンセル, 未確定, 未記帳, 保留, 保留中, 処理中, 予約, 予約中, エラー, 否認, 失敗`
    .split(',')
    .map((word) => word.trim()),
);

const left =
  (delimiter: string, reason: LeftOut['reason']) =>
  ({ line, cells }: CsvLine): LeftOut => ({ line, reason, text: cells.join(delimiter) });

/** The first row that names a day and an amount, by the delimiter that finds it. */
async function findHeading(text: string, columns: CsvColumns) {
  const pace = createPace();
  const faults: unknown[] = [];
  let seen = '';
  for (const delimiter of delimiters) {
    await pace.rest();
    const rows = rowsBy(text, delimiter, faults);
    seen ||= rows.find(({ cells }) => cells.length > 1)?.cells.join(', ') ?? '';
    for (const heading of rows) {
      const places = placesOf(heading.cells, columns);
      if (places !== undefined) return { delimiter, heading, places };
    }
  }
  if (faults.some(isUnclosed)) throw unclosed(text);
  throw new Error(
    'the file needs a row of headings with a column for the date and one for the amount (or debit and credit): name ' +
      `them in columns; the headings are ${(seen || text).slice(0, 300)}`,
  );
}

/** The first lines, whole ones where there is more than one. */
function topOf(text: string): string {
  if (text.length <= longestPreamble) return text;
  const end = text.lastIndexOf('\n', longestPreamble);
  return text.slice(0, end === -1 ? longestPreamble : end + 1);
}

function rowsBy(text: string, delimiter: string, faults: unknown[]): readonly CsvLine[] {
  try {
    return topRows(text, delimiter, mostPreamble);
  } catch (cause) {
    // By this delimiter it is no table; by the right one reading it says what is wrong.
    faults.push(cause);
    return [];
  }
}

/** Currencies of countries that write the month first, in whatever language. */
const monthsFirst = new Set(['USD', 'CAD', 'PHP']);

/** What stands first in days between strokes. @throws Error where the rows do not show it, or differ */
async function firstOf(
  rows: readonly CsvLine[],
  day: (row: CsvLine) => string,
  dayFirst: boolean | undefined,
): Promise<First | undefined> {
  if (dayFirst !== undefined) return dayFirst ? 'day' : 'month';
  const found = await agreed(rows, (row) => firstShown(day(row)), 'days stand first', 'months first');
  if (found !== 'day') return found;
  const years = isYearFirst(rows.map(day));
  const [shown] = rows;
  if (years === undefined && shown !== undefined)
    throw new Error(
      `line ${shown.line}: ${JSON.stringify(day(shown).slice(0, 40))} is an ambiguous date, which may begin with the year or with the day: ` +
        'write YYYY-MM-DD, or set day_first',
    );
  return years === true ? 'year' : 'day';
}

/** Whether a heading says that its amounts are of thousands or more. */
const inThousands = (heading: string): boolean =>
  /(?:千|万|百万|億)円|\b(?:teur|tsd|thousands?|tausend|milliers|miles|migliaia|millions?)\b/iu.test(
    heading.slice(0, 200),
  );

/** What all rows that say anything say alike. @throws Error where they differ */
async function agreed<T>(
  rows: readonly CsvLine[],
  say: (row: CsvLine) => T | undefined,
  ...names: readonly string[]
): Promise<T | undefined> {
  const pace = createPace();
  let found: { readonly value: T; readonly line: number } | undefined;
  for (const row of rows) {
    if (pace.due()) await pace.rest();
    const value = say(row);
    if (value === undefined) continue;
    found ??= { value, line: row.line };
    if (found.value !== value)
      throw new Error(`line ${found.line} and line ${row.line} do not agree: in one ${names.join(', in the other ')}`);
  }
  return found?.value;
}

const shown = (marks: readonly (DecimalMark | undefined)[]): DecimalMark | undefined =>
  marks.find((one) => one !== undefined);

/** An amount without quotes that was split into two fields: a whole number, and two digits after it. */
function torn({ cells }: CsvLine, sums: readonly number[]): void {
  for (const at of sums)
    if (
      /^[+-]?\d{1,12}$/.test(cells[at]?.trim() ?? '') &&
      /^\d{2}$/.test(cells[at + 1] ?? '') &&
      !sums.includes(at + 1)
    )
      throw new Error(
        `"${cells[at]},${cells[at + 1]}" may be one amount or two fields: quote an amount ("-4,50"), or set decimal_mark to ` +
          '"." for two fields',
      );
}

const wentOut =
  words(`af, d, dr, debit, dbit, s, soll, -, t, debet, debito, out, withdrawal, withdrawals, outgoing, paid out, money out, ausgang, lastschrift, belastung,
  abbuchung, cargo, dare, uscita, salida, sortie, saida, obciazenie, 出, 出金, 払, 払出, 払出し, 引出, 引出し, お引出し, 支払, 支払い, お支払い, 払戻, 払戻し`);
const cameIn =
  words(`bij, c, cr, credit, crdt, h, haben, +, k, j, credito, in, deposit, deposits, incoming, paid in, money in, eingang, gutschrift, abono, avere, entrata,
  entrada, entree, uznanie, 入, 入金, 預入, 預入れ, お預入れ, 預り, 受入, 受取, 受取り`);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map((word) => word.trim()));
}

/** A word that cannot be anything else, such as the first letter of another one. */
const saysOut = (value: string): boolean => wentOut.has(value) && (value.length > 2 || /\p{Script=Han}/u.test(value));

/**
 * The column that says for each amount whether it came in or went out, by what is in it, where no heading tells and no amount has a sign.
 * @throws Error where some column says of some amount that it went out, and of others nothing that is known
 */
async function directionShown(
  rows: readonly CsvLine[],
  heading: CsvLine,
  { amount, debit, credit, direction, ...others }: Places,
): Promise<number> {
  if (amount === -1 || direction !== -1 || (debit !== -1 && credit !== -1)) return direction;
  const pace = createPace();
  const known = new Set(Object.values(others));
  const said = heading.cells.map(() => ({ out: 0, in: 0, sure: false }));
  for (const { cells } of rows) {
    if (pace.due()) await pace.rest();
    if (/[-\u2212\u2013(]|DR\s*$/i.test(cells[amount] ?? '')) return -1;
    for (const [at, counts] of said.entries()) {
      const value = fold(cells[at] ?? '');
      if (wentOut.has(value)) counts.out += 1;
      else if (cameIn.has(value)) counts.in += 1;
      counts.sure ||= saysOut(value);
    }
  }
  const found = said.findIndex((one) => one.sure && one.out + one.in === rows.length);
  if (found !== -1) return found;
  const partly = said.findIndex((one, at) => one.sure && !known.has(at));
  if (partly === -1) return -1;
  throw new Error(
    `line ${heading.line}: no amount has a sign, and the column ${JSON.stringify((heading.cells[partly] ?? '').slice(0, 40))} says of some that they went out, ` +
      'and not of each which way: export the file with signed amounts, or with a column each for what came in and went out',
  );
}

/** Some tables have an amount beside debit and credit: it is the same, or empty, or of something else, such as before charges. */
function amountOf(row: CsvLine, places: Places, read: (at: number) => bigint | undefined): bigint {
  const amount = places.amount === -1 ? undefined : read(places.amount);
  if (places.debit !== -1 && places.credit !== -1) {
    // Neither: a balance brought forward, or a note.
    const [went, came] = [positive(read(places.debit) ?? 0n), read(places.credit) ?? 0n];
    if (went !== 0n && came !== 0n)
      throw new Error('it has an outgoing and an incoming amount: give it as two lines, for it is two movements');
    const moved = came - went;
    if (amount === undefined || moved === amount) return moved;
    if (moved !== 0n && positive(moved) !== positive(amount))
      throw new Error(
        'it has another amount beside that of debit or credit: name the columns that count in columns, amount or debit and credit',
      );
    if (moved !== 0n) return moved;
  }
  if (amount === undefined) throw new Error('it has no amount');
  if (places.direction === -1) return amount;
  const said = fold(row.cells[places.direction] ?? '');
  if (wentOut.has(said)) return -positive(amount);
  if (cameIn.has(said) && amount >= 0n) return amount;
  throw new Error(`${JSON.stringify(said.slice(0, 40))} does not say whether the amount is incoming or outgoing`);
}

const positive = (minor: bigint): bigint => (minor < 0n ? -minor : minor);
