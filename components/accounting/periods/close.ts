import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { dayText } from '../money/schema.ts';
import { closes } from '../operations.ts';
import { held, heldIn } from './held.ts';
import { lastDayOf, monthOf } from './month.ts';

export const anyDay = dayText.meta({ description: 'Any day of the month, YYYY-MM-DD.' });
export const monthChange = held.extend({ month: z.string(), changed: z.boolean() });

/**
 * Closes a month: nothing is posted into it any more. Postings under way in it are waited for. Closed already is success. The month that
 * runs can be closed, as when a business ends.
 * @throws Problem `month_not_begun` (409) by the database's clock, in UTC
 */
export const closeMonth = operation(
  {
    ...closes,
    area: 'books',
    name: 'service_close_period',
    input: z.strictObject({ month: anyDay }),
    answer: monthChange,
    errors: { month_not_begun: 'month' },
  },
  async (scope, input) =>
    scope.write(async (tx) => {
      const month = monthOf(input.month);
      await tx.mark();
      const [row] = await tx.query<{ changed: boolean; ahead: boolean }>(sql`
        select accounting.set_period(${month}::date, 'closed') as changed,
          ${month}::date > (clock_timestamp() at time zone 'UTC')::date as ahead`);
      const changed = row?.changed === true;
      if (changed && row.ahead)
        throw booksFail('month_not_begun', 'This month has not begun: close it when it is over, or while it runs.');
      if (changed) tx.record(event('accounting.period.closed', { month }));
      const answer = { month, changed, ...(await heldIn(tx, month, lastDayOf(month))) };
      return changed ? answer : asItWas(answer);
    }),
);
