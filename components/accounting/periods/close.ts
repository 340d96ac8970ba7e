import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { closeBooks } from '../permissions.ts';
import { monthOf } from './month.ts';

/**
 * Closes a month: nothing is posted into it any more. Postings under way in it are waited for. Closed already is success.
 * @param month `YYYY-MM-DD`, any day of it
 */
export async function closeMonth(context: TenantContext, month: string): Promise<{ month: string; changed: boolean }> {
  const first = monthOf(month);
  return context.require(closeBooks).write(async (tx) => {
    await tx.mark();
    const [row] = await tx.query<{ changed: boolean }>(sql`
      select accounting.set_period(${first}::date, 'closed') as changed`);
    const changed = row?.changed === true;
    if (changed) tx.record(event('accounting.period.closed', { month: first }));
    return { month: first, changed };
  });
}
