import { sql, sqlState, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { closeBooks } from '../permissions.ts';
import { monthOf } from './month.ts';

/**
 * Opens a closed month again. The reason is kept in the audit log.
 * @throws Problem `year_closed` (409) where its fiscal year was carried to retained earnings
 */
export async function reopenMonth(
  context: TenantContext,
  month: string,
  reason: string,
): Promise<{ month: string; changed: boolean }> {
  const first = monthOf(month);
  return context.require(closeBooks).write(async (tx) => {
    await tx.mark();
    const [row] = await tx
      .query<{ changed: boolean }>(sql`select accounting.set_period(${first}::date, 'open') as changed`)
      .catch((cause: unknown) => {
        if (sqlState(cause) !== 'AC003') throw cause;
        throw booksFail(
          'year_closed',
          'Its year was carried to retained earnings: post the correction into an open month.',
          {
            cause,
          },
        );
      });
    const changed = row?.changed === true;
    if (changed) tx.record(event('accounting.period.reopened', { month: first, reason }));
    return { month: first, changed };
  });
}
