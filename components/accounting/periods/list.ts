import { operation } from '@steward/access';
import { day, flag, oneOf, shape } from '@steward/contract';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';

const period = shape('p', {
  /** The month's first day. */
  month: day('p.month'),
  status: oneOf(['open', 'closed']),
  /** Its fiscal year was carried to retained earnings. */
  yearClosed: flag(),
});

/** Months that were posted into, closed or reopened, the latest first. Months that are not listed are open. */
export const listPeriods = operation(
  {
    ...reads,
    area: 'books',
    name: 'service_list_periods',
    input: z.strictObject({}),
    answer: z.array(period.answer),
  },
  async (scope) => {
    const rows = await scope.read(
      statement(
        `select ${period.columns} from accounting.period p where p.tenant_id = $1::uuid order by p.month desc limit 240`,
        [scope.context.tenant],
      ),
    );
    return rows.map(period.read);
  },
);
