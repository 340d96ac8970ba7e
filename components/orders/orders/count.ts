import { operation } from '@steward/access';
import { amount, day, field, periodDay, requirePeriod, shape, text } from '@steward/contract';
import { idsAround } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { modes } from '../words.ts';

/** Days of a period at most. */
const mostDays = 92;

const orderDay = shape('o', {
  day: day(`(o.placed_at at time zone 'utc')::date`),
  currency: text(),
  orders: field(z.int(), 'count(*)', Number),
  /** Of all of them, with those that were cancelled since. */
  total: amount('sum(o.total)::bigint'),
  cancelled: field(z.int(), 'count(*) filter (where o.cancelled_at is not null)', Number),
});

/**
 * How many orders were placed on each day of UTC, by currency; days without any are left out. Reads the orders of the period and of a day before
 * and after it, by their ids: these are made a moment before the order is placed, by another clock.
 * @throws Problem `invalid_request` (400) for a period
 */
export const countOrders = operation(
  {
    ...reads,
    name: '',
    input: z.strictObject({
      mode: z.enum(modes).default('live').meta({ description: 'test: orders of test keys.' }),
      from: periodDay.meta({ description: 'First day, YYYY-MM-DD.' }),
      to: periodDay.meta({ description: 'Last day, YYYY-MM-DD: at most 92 days.' }),
    }),
    answer: z.object({ items: z.array(orderDay.answer) }),
  },
  async ({ context, read }, { mode, from, to }) => {
    requirePeriod({ from, to }, mostDays);
    const rows = await read(
      statement(
        `select ${orderDay.columns} from orders.sales_order o
         where o.tenant_id = $1::uuid and o.order_id > $2::uuid and o.order_id < $3::uuid and o.mode = $4
           and o.placed_at >= $5::date::timestamp at time zone 'utc' and o.placed_at < ($6::date + 1)::timestamp at time zone 'utc'
         group by 1, o.currency order by 1, o.currency`,
        [context.tenant, ...idsAround(from, to), mode, from, to],
      ),
    );
    return { items: rows.map(orderDay.read) };
  },
);
