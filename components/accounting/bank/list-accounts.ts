import { amount, count, day, id, nullable, type Of, shape, text } from '@steward/contract';
import { statement, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';

/** An account whose statements were imported, and what of them is left to do: of `accounting.account` named `a`, with the sums of its lines `s`. */
export const bankAccountState = shape('a', {
  id: id('a.account_id'),
  code: text(),
  name: text(),
  currency: text(),
  lastLineOn: nullable(day('a.last_day')),
  agreedTo: nullable(day('a.agreed_to')),
  unmatchedLines: count('s.open_lines'),
  unmatchedIn: amount('s.open_in'),
  unmatchedOut: amount('s.open_out'),
});

export type BankAccountState = Of<typeof bankAccountState>;

/** Accounts with bank statements, by code: a book has a few. Lines that a reconciliation covers are explained, so that only later ones are counted. */
export async function listBankAccounts(context: TenantContext): Promise<BankAccountState[]> {
  const scope = context.require(readBooks);
  const rows = await scope.read(
    statement(
      `select ${bankAccountState.columns} from (
           select a.*, (select max(l.day) from accounting.bank_line l
               where l.tenant_id = a.tenant_id and l.account_id = a.account_id and l.withdrawn_at is null) as last_day,
             (select max(r.to_day) from accounting.reconciliation r
               where r.tenant_id = a.tenant_id and r.account_id = a.account_id and r.undone_at is null) as agreed_to
           from accounting.account a where a.tenant_id = $1::uuid) a
         cross join lateral (
           select count(*) as open_lines, coalesce(sum(open) filter (where open > 0), 0) as open_in, coalesce(sum(open) filter (where open < 0), 0) as open_out
           from (select l.amount - coalesce((select sum(m.amount) from accounting.bank_match m
               where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0) as open
             from accounting.bank_line l where l.tenant_id = a.tenant_id and l.account_id = a.account_id and l.withdrawn_at is null
               and l.day > coalesce(a.agreed_to, '-infinity'::date)) lines
           where open <> 0) s
         where a.last_day is not null order by a.code limit 200`,
      [scope.context.tenant],
    ),
  );
  return rows.map(bankAccountState.read);
}
