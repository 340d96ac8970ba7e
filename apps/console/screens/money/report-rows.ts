import { difference, sum } from '../../data/decimal.ts';
import type { Amount } from '../../data/money.ts';
import type { To } from '../../shell/go.tsx';
import type { Words } from '../../words/words.ts';
import type { Period } from './days.ts';
import type { ReportName } from './report-names.ts';
import type { ReportRow } from './report-table.tsx';

export interface Asked extends Period {
  readonly compared: Period | undefined;
  readonly basis: 'accrual' | 'cash';
  readonly side: 'receivable' | 'payable';
  readonly party: string | undefined;
  /** Only what is past its due date. */
  readonly overdue: boolean;
}

interface Line {
  readonly accountId: string;
  readonly code: string;
  readonly name: string;
  readonly amount: Amount;
  readonly compared: Amount | null;
}

interface Section {
  readonly title?: string;
  readonly activity?: string;
  readonly total: Amount;
  readonly comparedTotal: Amount | null;
  readonly lines: readonly Line[];
}

interface Statement {
  readonly result: Amount;
  readonly comparedResult: Amount | null;
  readonly sections: readonly Section[];
}

interface TrialBalance {
  readonly debit: Amount;
  readonly credit: Amount;
  readonly compared: { readonly debit: Amount; readonly credit: Amount } | null;
  readonly rows: readonly {
    readonly accountId: string;
    readonly code: string;
    readonly name: string;
    readonly debit: Amount | null;
    readonly credit: Amount | null;
    readonly comparedDebit: Amount | null;
    readonly comparedCredit: Amount | null;
  }[];
}

interface CashFlow {
  readonly opening: Amount;
  readonly closing: Amount;
  readonly comparedOpening: Amount | null;
  readonly comparedClosing: Amount | null;
  readonly sections: readonly Section[];
}

interface TaxLiability {
  readonly due: Amount;
  readonly comparedDue: Amount | null;
  readonly untaxed: { readonly salesNet: Amount; readonly purchasesNet: Amount };
  readonly rows: readonly {
    readonly taxId: string;
    readonly name: string;
    readonly salesNet: Amount;
    readonly salesTax: Amount;
    readonly purchasesNet: Amount;
    readonly purchasesTax: Amount;
  }[];
}

interface Aged {
  readonly total: Amount;
  readonly buckets: readonly Amount[];
  readonly parties: readonly {
    readonly partyId: string;
    readonly name: string;
    readonly total: Amount;
    readonly buckets: readonly Amount[];
    readonly items: readonly {
      readonly id: string;
      readonly kind: string;
      readonly number: string;
      readonly days: number;
      readonly base: Amount;
    }[];
  }[];
}

/** What the document of a report answers: the field of that report. */
export interface Answers {
  readonly profitAndLoss?: Statement;
  readonly balanceSheet?: Statement;
  readonly trialBalance?: TrialBalance;
  readonly cashFlow?: CashFlow;
  readonly taxLiability?: TaxLiability;
  readonly agedReport?: Aged;
}

interface Said {
  readonly words: Words['money'];
  readonly dayed: (day: string) => string;
}

interface Rows {
  /** What the rows are, where they are no accounts. */
  readonly first?: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReportRow[];
  readonly currency: string;
}

/** The rows of a report, each figure with the ledger that it comes from. */
export function rowsOf(name: ReportName, data: Answers, asked: Asked, said: Said): Rows {
  const { profitAndLoss, balanceSheet, trialBalance, cashFlow, taxLiability, agedReport } = data;
  if (name === 'profit-and-loss' && profitAndLoss !== undefined)
    return statementRows(profitAndLoss, asked, said, said.words.overview.result);
  if (name === 'balance-sheet' && balanceSheet !== undefined)
    return statementRows(balanceSheet, { ...asked, from: yearOf(asked.to) }, said, said.words.balanceResult, true);
  if (name === 'trial-balance' && trialBalance !== undefined) return trialRows(trialBalance, asked, said);
  if (name === 'cash-flow' && cashFlow !== undefined) return cashRows(cashFlow, asked, said);
  if (name === 'tax-liability' && taxLiability !== undefined) return taxRows(taxLiability, asked, said);
  if (name === 'aged' && agedReport !== undefined) return agedRows(agedReport, asked, said);
  return { columns: [], rows: [], currency: '' };
}

const yearOf = (day: string): string => `${day.slice(0, 4)}-01-01`;

const ledger = (accountId: string, { from, to }: Period): To => `/money/ledger/${accountId}?from=${from}&to=${to}`;

/** The ledger is kept on the accrual basis: a figure of the cash basis is not the sum of its lines. */
const drill =
  ({ basis, ...period }: Asked, accountId: string, byDay: boolean, columnsEach = 1) =>
  (column: number): To | undefined => {
    if (basis === 'cash' || accountId === '') return undefined;
    const at = Math.floor(column / columnsEach);
    if (at === 0) return ledger(accountId, period);
    if (at > 1 || period.compared === undefined) return undefined;
    return ledger(accountId, byDay ? { from: yearOf(period.compared.to), to: period.compared.to } : period.compared);
  };

function columnsOf({ from, to, compared }: Asked, { words, dayed }: Said, byDay: boolean): readonly string[] {
  const say = (one: Period): string => (byDay ? dayed(one.to) : words.fromTo(dayed(one.from), dayed(one.to)));
  return compared === undefined ? [say({ from, to })] : [say({ from, to }), say(compared), words.change];
}

const figuresOf = (amount: Amount, compared: Amount | null): readonly (Amount | null)[] =>
  compared === null ? [amount] : [amount, compared, { ...amount, amount: difference(amount.amount, compared.amount) }];

function sectionRows(
  sections: readonly Section[],
  asked: Asked,
  { words }: Said,
  byDay: boolean,
): readonly ReportRow[] {
  return sections
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ title, activity, total, comparedTotal, lines }): readonly ReportRow[] => {
      const name = nameOf(words, title ?? activity ?? '');
      return [
        { key: name, kind: 'head', name },
        ...lines.map(({ accountId, code, name: line, amount, compared }, at): ReportRow => ({
          key: `${name} ${accountId} ${at}`,
          kind: 'line',
          code,
          name: line,
          said: line,
          figures: figuresOf(amount, compared),
          to: drill(asked, accountId, byDay),
        })),
        { key: `${name} total`, kind: 'total', name: words.totalOf(name), figures: figuresOf(total, comparedTotal) },
      ];
    });
}

/** Sections are named in English by the server; a section that is not known is shown as it is. */
function nameOf(words: Words['money'], title: string): string {
  const known: Readonly<Record<string, string>> = words.sections;
  return known[title.toLowerCase()] ?? title;
}

function statementRows(of: Statement, asked: Asked, said: Said, result: string, byDay = false): Rows {
  return {
    columns: columnsOf(asked, said, byDay),
    currency: of.result.currency,
    rows: [
      ...sectionRows(of.sections, asked, said, byDay),
      { key: 'result', kind: 'result', name: result, figures: figuresOf(of.result, of.comparedResult) },
    ],
  };
}

function trialRows({ rows, debit, credit, compared }: TrialBalance, asked: Asked, { words, dayed }: Said): Rows {
  const period = { ...asked, from: yearOf(asked.to) };
  const then = asked.compared === undefined ? '' : dayed(asked.compared.to);
  return {
    columns: [
      words.debit,
      words.credit,
      ...(compared === null ? [] : [`${words.debit}, ${then}`, `${words.credit}, ${then}`]),
    ],
    currency: debit.currency,
    rows: [
      ...rows.map((row): ReportRow => ({
        key: row.accountId,
        kind: 'line',
        code: row.code,
        name: row.name,
        said: row.name,
        figures: [row.debit, row.credit, row.comparedDebit, row.comparedCredit],
        to: drill(period, row.accountId, true, 2),
      })),
      {
        key: 'total',
        kind: 'result',
        name: words.total,
        figures: [debit, credit, compared?.debit, compared?.credit],
      },
    ],
  };
}

function cashRows(of: CashFlow, asked: Asked, said: Said): Rows {
  const { words } = said;
  const open = { ...asked, basis: 'accrual' as const };
  return {
    columns: columnsOf(asked, said, false),
    currency: of.opening.currency,
    rows: [
      { key: 'opening', kind: 'total', name: words.opening, figures: figuresOf(of.opening, of.comparedOpening) },
      ...sectionRows(of.sections, open, said, false),
      { key: 'closing', kind: 'result', name: words.closing, figures: figuresOf(of.closing, of.comparedClosing) },
    ],
  };
}

function taxRows(
  { rows, untaxed, due, comparedDue }: TaxLiability,
  { from, to, compared }: Asked,
  { words }: Said,
): Rows {
  const documents =
    (kind: string) =>
    (_column: number): To =>
      `/money/documents?kind=${kind}&from=${from}&to=${to}`;
  return {
    first: words.taxRate,
    columns: [words.salesNet, words.salesTax, words.purchasesNet, words.purchasesTax],
    currency: due.currency,
    rows: [
      ...rows.map((row): ReportRow => ({
        key: row.taxId,
        kind: 'line',
        name: row.name,
        said: row.name,
        figures: [row.salesNet, row.salesTax, row.purchasesNet, row.purchasesTax],
        to: (column) => documents(column < 2 ? 'invoice' : 'bill')(column),
      })),
      {
        key: 'untaxed',
        kind: 'line',
        name: words.untaxed,
        figures: [untaxed.salesNet, null, untaxed.purchasesNet, null],
        to: (column) => documents(column < 2 ? 'invoice' : 'bill')(column),
      },
      { key: 'due', kind: 'result', name: words.taxDue, figures: [null, null, null, due] },
      ...(compared === undefined
        ? []
        : [
            {
              key: 'compared',
              kind: 'total' as const,
              name: words.taxDueThen,
              figures: [null, null, null, comparedDue],
            },
          ]),
    ],
  };
}

function agedRows({ parties, total, buckets }: Aged, { side, to, party, overdue }: Asked, { words }: Said): Rows {
  const search = `side=${side}&to=${to}${overdue ? '&overdue=yes' : ''}`;
  const kept = <One>(row: readonly One[]): readonly One[] => (overdue ? row.slice(1) : row);
  /** Of what is overdue the sum is that alone. */
  const figures = (row: readonly Amount[], all: Amount): readonly Amount[] =>
    overdue ? [...kept(row), { ...all, amount: sum('0', ...kept(row).map(({ amount }) => amount)) }] : [...row, all];
  const itemised = party !== undefined || overdue;
  return {
    first: words.party,
    columns: [...kept(words.buckets), words.total],
    currency: total.currency,
    rows: [
      ...parties.flatMap((one): readonly ReportRow[] => {
        const items = one.items.filter(({ days }) => !overdue || days > 0);
        if (itemised && items.length === 0) return [];
        return [
          {
            key: one.partyId,
            kind: itemised ? 'head' : 'line',
            name: one.name,
            said: one.name,
            figures: figures(one.buckets, one.total),
            to: (): To => `/money/reports/aged?${search}&party=${one.partyId}`,
          },
          ...(itemised ? items : []).map(({ id, kind, number, days, base }): ReportRow => ({
            key: id,
            kind: 'line',
            name: number,
            said: number,
            figures: [...kept(words.buckets.map((_, at) => (at === bucketOf(days) ? base : null))), base],
            to: (): To => (kind === 'payment' ? `/money/payments/${id}` : `/money/documents/${id}`),
          })),
        ];
      }),
      { key: 'total', kind: 'result', name: words.total, figures: figures(buckets, total) },
    ],
  };
}

/** As the server sorts them: current, 1–30, 31–60, 61–90, over 90 days past the due date. */
const bucketOf = (days: number): number => (days <= 0 ? 0 : Math.min(4, Math.ceil(days / 30)));
