import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { aboveAllNumbers, type Row, statement, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { linesOfPage } from '../lines.ts';
import { firstDay, lastDay } from '../money/schema.ts';
import { reads } from '../operations.ts';
import { inOrder } from '../periods/span.ts';
import { readBooks } from '../permissions.ts';
import { entry, type Entry, entryKinds, selectEntries } from './entry.ts';

/** Postings of an entry `e`: they are numbered without a gap. */
const sizeOf = `(select coalesce(max(p.line), 0) from accounting.posting p where p.tenant_id = e.tenant_id and p.entry_id = e.entry_id)`;

/** Entries, the latest number first, which is their cursor; fewer than `limit` where their lines are many (`linesOfPage`). Without `lines` none is read. */
export const listEntries = operation(
  {
    ...reads,
    area: 'books',
    name: 'service_list_journal_entries',
    input: z.strictObject({
      from: firstDay.optional(),
      to: lastDay.optional(),
      kind: z.enum(entryKinds).optional().meta({ description: 'Only entries of this kind.' }),
      lines: z.boolean().default(false).meta({ description: 'With accounts and amounts.' }),
      limit: pageLimit,
      cursor: pageCursor(z.string().regex(/^\d{1,18}$/)),
    }),
    answer: pageOf(entry.answer),
  },
  async (scope, { from, to, kind, lines, limit, cursor }) => {
    inOrder({ from, to });
    const rows = await scope.read<Row & { reach: bigint | number }>(
      statement(
        selectEntries(
          `(select f.*, sum(f.size) over (order by f.number desc) - f.size as before from (
           select e.*, ${lines ? sizeOf : '0'} as size from accounting.entry e
           where tenant_id = $1::uuid and number < $2::bigint and ($3::date is null or posting_date >= $3)
             and ($4::date is null or posting_date <= $4) and ($5::text is null or kind = $5)
           order by number desc limit $6::int) f)`,
          'where e.before < $7::int order by e.number desc',
          lines,
          ', e.before + e.size as reach',
        ),
        [scope.context.tenant, cursor ?? aboveAllNumbers, from, to, kind, limit + 1, linesOfPage],
      ),
    );
    const items = rows.slice(0, limit).map(entry.read);
    const full = Number(rows[items.length - 1]?.reach ?? 0) >= linesOfPage;
    return { items, nextCursor: rows.length > limit || full ? (items.at(-1)?.number ?? null) : null };
  },
);

/** Entries of a period in the order of their numbers, those after one number: for writing all of them out. */
export async function journalPage(
  context: TenantContext,
  { from, to }: { readonly from: string; readonly to: string },
  page: { readonly limit: number; readonly after: string },
): Promise<Entry[]> {
  const rows = await context.require(readBooks).read(
    statement(
      selectEntries(
        `(select f.*, sum(f.size) over (order by f.number) - f.size as before from (
         select e.*, ${sizeOf} as size from accounting.entry e
         where tenant_id = $1::uuid and number > $2::bigint and posting_date >= $3::date and posting_date <= $4::date
         order by number limit $5::int) f)`,
        'where e.before < $6::int order by e.number',
      ),
      [context.tenant, page.after, from, to, page.limit, linesOfPage],
    ),
  );
  return rows.map(entry.read);
}
