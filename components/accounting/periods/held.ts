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
});

/** What there is from a day to a day, both included. */
export async function heldIn(tx: TenantTransaction, from: string, to: string): Promise<Fixed<z.output<typeof held>>> {
  const { tenant } = tx.context;
  const [row] = await tx.query<{ entries: number; drafts: number }>(sql`
    select
      (select count(*)::int from accounting.entry
        where tenant_id = ${tenant}::uuid and posting_date between ${from}::date and ${to}::date and kind <> 'closing') as entries,
      (select count(*)::int from accounting.document
        where tenant_id = ${tenant}::uuid and status = 'draft' and issue_date between ${from}::date and ${to}::date) as drafts`);
  return { entries: row?.entries ?? 0, drafts: row?.drafts ?? 0 };
}
