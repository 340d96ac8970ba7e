import { asItWas, operation } from '@steward/access';
import { sql, sqlState } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { closes } from '../operations.ts';
import { anyDay, monthChange } from './close.ts';
import { heldIn } from './held.ts';
import { lastDayOf, monthOf } from './month.ts';

/**
 * Opens a closed month again. The reason is kept in the audit log.
 * @throws Problem `year_closed` (409) where its fiscal year was carried to retained earnings
 */
export const reopenMonth = operation(
  {
    ...closes,
    area: 'books',
    name: 'service_reopen_period',
    input: z.strictObject({
      month: anyDay,
      reason: z.string().trim().min(1).max(500).meta({ description: 'For the audit log.' }),
    }),
    answer: monthChange,
    errors: { year_closed: 'month' },
  },
  async (scope, { month: given, reason }) =>
    scope.write(async (tx) => {
      const month = monthOf(given);
      await tx.mark();
      const [row] = await tx
        .query<{ changed: boolean }>(sql`select accounting.set_period(${month}::date, 'open') as changed`)
        .catch((cause: unknown) => {
          if (sqlState(cause) !== 'AC003') throw cause;
          throw booksFail(
            'year_closed',
            'The fiscal year of this month is closed: post the correction into an open month.',
            { cause },
          );
        });
      const changed = row?.changed === true;
      if (changed) tx.record(event('accounting.period.reopened', { month, reason }));
      const answer = { month, changed, ...(await heldIn(tx, month, lastDayOf(month))) };
      return changed ? answer : asItWas(answer);
    }),
);
