import { operation } from '@steward/access';
import { day, field, periodDay, requirePeriod, shape } from '@steward/contract';
import { fail, idsAround } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { lifetimes } from '../lifetimes.ts';
import { reads } from '../operations.ts';

const dayLength = 86_400_000;
/** Of a period: checkouts without an order are deleted after so long, and earlier days would have the bought ones alone. */
const mostDays = lifetimes.ended / dayLength;

const checkoutDay = shape('s', {
  day: day(`(s.created_at at time zone 'utc')::date`),
  begun: field(z.int(), 'count(*)', Number),
  /** Of those that began on this day. */
  completed: field(z.int(), `count(*) filter (where s.status = 'completed')`, Number),
});

/**
 * How many checkouts began on each day of UTC, of shops and of agents, and how many of them became orders; days without any are left out. Reads by ids
 * no more than the checkouts of the period and of a day before and after it.
 * @throws Problem `invalid_request` (400) for a period
 */
export const countCheckouts = operation(
  {
    ...reads,
    name: '',
    input: z.strictObject({
      mode: z.enum(['live', 'test']).default('live').meta({ description: 'test: checkouts of test keys.' }),
      from: periodDay.meta({ description: 'First day, YYYY-MM-DD, of the last 30.' }),
      to: periodDay.meta({ description: 'Last day, YYYY-MM-DD.' }),
    }),
    answer: z.object({ items: z.array(checkoutDay.answer) }),
  },
  async ({ context, read }, { mode, from, to }) => {
    requirePeriod({ from, to }, mostDays + 1);
    if (Math.floor(Date.now() / dayLength) - Date.parse(from) / dayLength > mostDays) {
      const detail = `Checkouts that were left are kept for ${mostDays} days: begin with one of these.`;
      throw fail('invalid_request', detail, { errors: [{ pointer: '/from', code: 'period', detail }] });
    }
    const rows = await read(
      statement(
        `select ${checkoutDay.columns} from checkout.session s
         where s.tenant_id = $1::uuid and s.checkout_id > $2::uuid and s.checkout_id < $3::uuid and s.mode = $4
           and s.created_at >= $5::date::timestamp at time zone 'utc' and s.created_at < ($6::date + 1)::timestamp at time zone 'utc'
         group by 1 order by 1`,
        [context.tenant, ...idsAround(from, to), mode, from, to],
      ),
    );
    return { items: rows.map(checkoutDay.read) };
  },
);
