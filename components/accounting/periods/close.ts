import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { dayText } from '../money/schema.ts';
import { closes } from '../operations.ts';
import { monthOf } from './month.ts';

export const anyDay = dayText.meta({ description: 'Any day of the month, YYYY-MM-DD.' });
export const monthChange = z.object({ month: z.string(), changed: z.boolean() });

/** Closes a month: nothing is posted into it any more. Postings under way in it are waited for. Closed already is success. */
export const closeMonth = operation(
  {
    ...closes,
    area: 'books',
    name: 'service_close_period',
    input: z.strictObject({ month: anyDay }),
    answer: monthChange,
  },
  async (scope, input) =>
    scope.write(async (tx) => {
      const month = monthOf(input.month);
      await tx.mark();
      const [row] = await tx.query<{ changed: boolean }>(sql`
        select accounting.set_period(${month}::date, 'closed') as changed`);
      const changed = row?.changed === true;
      if (changed) tx.record(event('accounting.period.closed', { month }));
      return changed ? { month, changed } : asItWas({ month, changed });
    }),
);
