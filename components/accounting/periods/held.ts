import type { Fixed } from '@steward/contract';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';

/** What people look at before they close or open a period. */
export const held = z.object({
  entries: z.int().meta({ description: 'Number of entries posted in the period.' }),
  drafts: z.int().meta({
    description:
      'Number of drafts dated in the period. They cannot be issued while it is closed, unless their date changes.',
  }),
  bankLines: z.int().meta({
    description:
      'Number of bank lines of the period that are not fully matched. While it is closed, they can be matched with what is posted, but not posted.',
  }),
});

/** What there is from a day to a day, both included. */
export async function heldIn(tx: TenantTransaction, from: string, to: string): Promise<Fixed<z.output<typeof held>>> {
  const { tenant } = tx.context;
  const [row] = await tx.query<{ entries: number; drafts: number; bank_lines: number }>(sql`
    select
      (select count(*)::int from accounting.entry
        where tenant_id = ${tenant}::uuid and posting_date between ${from}::date and ${to}::date and kind <> 'closing') as entries,
      (select count(*)::int from accounting.document
        where tenant_id = ${tenant}::uuid and status = 'draft' and issue_date between ${from}::date and ${to}::date) as drafts,
      (select coalesce(sum(open.lines), 0)::int from (
          select a.*, (select max(r.to_day) from accounting.reconciliation r
            where r.tenant_id = a.tenant_id and r.account_id = a.account_id and r.undone_at is null) as agreed_to
          from accounting.account a where a.tenant_id = ${tenant}::uuid) a
        cross join lateral (
          select count(*) as lines from accounting.bank_line l
          where l.tenant_id = a.tenant_id and l.account_id = a.account_id and l.withdrawn_at is null
            and l.day between ${from}::date and ${to}::date and l.day > coalesce(a.agreed_to, '-infinity'::date)
            and l.amount <> coalesce((select sum(m.amount) from accounting.bank_match m
              where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0)) open) as bank_lines`);
  return { entries: row?.entries ?? 0, drafts: row?.drafts ?? 0, bankLines: row?.bank_lines ?? 0 };
}
