import { money, type Money } from '@steward/kernel';
import type { Row } from '@steward/sql';

export interface BankLine {
  readonly id: string;
  readonly day: string;
  /** What came in is positive. */
  readonly amount: Money;
  readonly unmatched: Money;
  readonly description: string;
  readonly counterparty: string | null;
  readonly reference: string | null;
  readonly matches: readonly { readonly matchId: string; readonly entryId: string; readonly amount: Money }[];
}

/** Of `accounting.bank_line l` joined with its account `a`. */
export const lineColumns = `l.line_id, l.day::text as day, l.amount, l.description, l.counterparty, l.reference, a.currency,
  l.amount - coalesce((select sum(m.amount) from accounting.bank_match m
    where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0)::bigint as unmatched,
  (select coalesce(json_agg(json_build_object('match', m.match_id, 'entry', m.entry_id, 'amount', m.amount::text) order by m.matched_at), '[]')
    from accounting.bank_match m where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null) as matches`;

export function presentLine(row: Row): BankLine {
  const currency = String(row['currency']);
  return {
    id: String(row['line_id']),
    day: String(row['day']),
    amount: money(row['amount'] as bigint, currency),
    unmatched: money(row['unmatched'] as bigint, currency),
    description: String(row['description']),
    counterparty: row['counterparty'] as string | null,
    reference: row['reference'] as string | null,
    matches: (row['matches'] as { match: string; entry: string; amount: string }[]).map(({ match, entry, amount }) => ({
      matchId: match,
      entryId: entry,
      amount: money(BigInt(amount), currency),
    })),
  };
}
