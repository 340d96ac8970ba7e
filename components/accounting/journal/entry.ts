import { day, field, type Fixed, id, moment, moneyShape, nullable, type Of, shape, text } from '@steward/contract';
import { money, type Money } from '@steward/kernel';
import { z } from 'zod';
import { documentKinds } from '../documents/kind.ts';

/** What an entry comes from. */
export const entryKinds = [
  'journal',
  'opening',
  'closing',
  'reversal',
  ...documentKinds,
  'payment',
  'bank_line',
  'exchange',
  'revaluation',
] as const;
export type EntryKind = (typeof entryKinds)[number];

export const entryLine = z.object({
  accountId: z.uuid(),
  code: z.string(),
  name: z.string(),
  debit: moneyShape.nullable(),
  credit: moneyShape.nullable(),
  /** In the base currency, at the rate of the entry. */
  base: moneyShape,
  memo: z.string().nullable(),
});
type EntryLine = Fixed<z.output<typeof entryLine>>;

/** Lines with one side each, as accountants read them: of `accounting.entry` named `e` and its lines `l`. */
export const entry = shape('e', {
  id: id('e.entry_id'),
  number: field(z.string(), undefined, String),
  date: day('e.posting_date'),
  kind: text(),
  narration: text(),
  currency: text(),
  rate: text('trim_scale(e.rate)::text'),
  sourceId: nullable(id()),
  reverses: nullable(id()),
  reversedBy: nullable(
    id('(select r.entry_id from accounting.entry r where r.tenant_id = e.tenant_id and r.reverses = e.entry_id)'),
  ),
  postedAt: moment(),
  lines: field(z.array(entryLine), 'l.lines', (lines, { currency, base_currency: base }) =>
    (lines as readonly StoredLine[]).map((line) => presentLine(line, String(currency), String(base))),
  ),
});
export type Entry = Of<typeof entry>;

/** Sides of one account and memo are summed back to what was written. */
const withLines = `
  (select json_agg(json_build_object('accountId', l.account_id, 'code', a.code, 'name', a.name, 'debit', l.debit::text,
      'credit', l.credit::text, 'base', l.base::text, 'memo', l.memo) order by l.side, l.line) as lines
    from (
      select debit_account_id as account_id, 0 as side, min(line) as line, debit_memo as memo, sum(amount) as debit, 0 as credit, sum(base_amount) as base
      from accounting.posting p where p.tenant_id = e.tenant_id and p.entry_id = e.entry_id group by 1, 4
      union all
      select credit_account_id, 1, min(line), credit_memo, 0, sum(amount), sum(base_amount)
      from accounting.posting p where p.tenant_id = e.tenant_id and p.entry_id = e.entry_id group by 1, 4
    ) l join accounting.account a on a.tenant_id = e.tenant_id and a.account_id = l.account_id)`;

/** Entries of a table, or of a `select` in parentheses; what follows speaks of them as `e`. `lines`: read them. `also`: further columns. */
export const selectEntries = (from: string, rest: string, lines = true, also = ''): string =>
  `select ${entry.columns}, b.base_currency${also} from ${from} e join accounting.book b on b.tenant_id = e.tenant_id
   cross join lateral ${lines ? withLines : `(select '[]'::json as lines)`} l ${rest}`;

/** Amounts in minor units. */
interface StoredLine extends Omit<EntryLine, 'debit' | 'credit' | 'base'> {
  readonly debit: string;
  readonly credit: string;
  readonly base: string;
}

const presentLine = (
  { debit, credit, base, ...line }: StoredLine,
  currency: string,
  baseCurrency: string,
): EntryLine => ({
  ...line,
  debit: side(debit, currency),
  credit: side(credit, currency),
  base: money(BigInt(base), baseCurrency),
});

const side = (minor: string, currency: string): Money | null => (minor === '0' ? null : money(BigInt(minor), currency));
