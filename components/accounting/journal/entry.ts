import { money, type Money } from '@steward/kernel';
import type { Row } from '@steward/sql';

/** An entry as every surface presents it: lines with one side each, as accountants read them. */
export interface Entry {
  readonly id: string;
  readonly number: string;
  readonly date: string;
  readonly kind: string;
  readonly narration: string;
  readonly currency: string;
  readonly rate: string;
  readonly sourceId: string | null;
  readonly reverses: string | null;
  readonly reversedBy: string | null;
  readonly postedAt: string;
  readonly lines: readonly EntryLine[];
}

export interface EntryLine {
  readonly accountId: string;
  readonly code: string;
  readonly name: string;
  readonly debit: Money | null;
  readonly credit: Money | null;
  /** In the base currency, at the rate of the entry. */
  readonly base: Money;
  readonly memo: string | null;
}

/** Columns of an entry and its lines: sides of one account and memo are summed back to what was written. */
const entryOnly = `
  e.entry_id, e.number, e.posting_date::text as posting_date, e.kind, e.narration, e.currency, trim_scale(e.rate)::text as rate,
  e.source_id, e.reverses, e.posted_at, b.base_currency,
  (select r.entry_id from accounting.entry r where r.tenant_id = e.tenant_id and r.reverses = e.entry_id) as reversed_by`;

const entryLines = `
  (select json_agg(json_build_object('account', l.account_id, 'code', a.code, 'name', a.name, 'debit', l.debit::text,
      'credit', l.credit::text, 'base', l.base::text, 'memo', l.memo) order by l.side, l.line)
    from (
      select debit_account_id as account_id, 0 as side, min(line) as line, debit_memo as memo, sum(amount) as debit, 0 as credit, sum(base_amount) as base
      from accounting.posting p where p.tenant_id = e.tenant_id and p.entry_id = e.entry_id group by 1, 4
      union all
      select credit_account_id, 1, min(line), credit_memo, 0, sum(amount), sum(base_amount)
      from accounting.posting p where p.tenant_id = e.tenant_id and p.entry_id = e.entry_id group by 1, 4
    ) l join accounting.account a on a.tenant_id = e.tenant_id and a.account_id = l.account_id) as lines`;

export const entryColumns = `${entryOnly}, ${entryLines}`;
export const entryColumnsWithoutLines = `${entryOnly}, '[]'::json as lines`;

interface LineRow {
  readonly account: string;
  readonly code: string;
  readonly name: string;
  readonly debit: string;
  readonly credit: string;
  readonly base: string;
  readonly memo: string | null;
}

export function presentEntry(row: Row): Entry {
  const currency = String(row['currency']);
  const side = (minor: string): Money | null => (minor === '0' ? null : money(BigInt(minor), currency));
  return {
    id: String(row['entry_id']),
    number: String(row['number']),
    date: String(row['posting_date']),
    kind: String(row['kind']),
    narration: String(row['narration']),
    currency,
    rate: String(row['rate']),
    sourceId: row['source_id'] as string | null,
    reverses: row['reverses'] as string | null,
    reversedBy: row['reversed_by'] as string | null,
    postedAt: (row['posted_at'] as Date).toISOString(),
    lines: (row['lines'] as LineRow[]).map((line) => ({
      accountId: line.account,
      code: line.code,
      name: line.name,
      debit: side(line.debit),
      credit: side(line.credit),
      base: money(BigInt(line.base), String(row['base_currency'])),
      memo: line.memo,
    })),
  };
}
