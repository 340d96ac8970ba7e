import { amount, day, field, id, moneyShape, nullable, type Of, shape, text } from '@steward/contract';
import { money } from '@steward/kernel';
import { z } from 'zod';

/** What the bank says happened, and what explains it: of `accounting.bank_line` named `l`. */
export const bankLine = shape('l', {
  id: id('l.line_id'),
  day: day('l.day'),
  /** What came in is positive. */
  amount: amount(),
  unmatched: amount(`l.amount - coalesce((select sum(m.amount) from accounting.bank_match m
    where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0)::bigint`),
  description: text(),
  counterparty: nullable(text()),
  reference: nullable(text()),
  matches: field(
    z.array(z.object({ matchId: z.uuid(), entryId: z.uuid(), amount: moneyShape })),
    `(select coalesce(json_agg(json_build_object('matchId', m.match_id, 'entryId', m.entry_id, 'amount', m.amount::text) order by m.matched_at), '[]')
      from accounting.bank_match m where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null)`,
    (matches, { currency }) =>
      (matches as { matchId: string; entryId: string; amount: string }[]).map((match) => ({
        ...match,
        amount: money(BigInt(match.amount), String(currency)),
      })),
  ),
});
export type BankLine = Of<typeof bankLine>;

/** Joined with its account `a`, in whose currency it is. */
export const lineColumns = `${bankLine.columns}, a.currency`;
