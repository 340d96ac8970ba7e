import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { page, parseCursor, statement } from '@steward/sql';
import { z } from 'zod';
import { currencyCode, dayText } from '../money/schema.ts';
import { reads } from '../operations.ts';
import { exchangeRate } from './rate.ts';

/** Rates as they were set, the latest day first. */
export const listRates = operation(
  {
    ...reads,
    area: 'books',
    name: 'service_list_exchange_rates',
    input: z.strictObject({
      currency: currencyCode.optional(),
      to: dayText.optional().meta({ description: 'Only rates of this day or earlier, YYYY-MM-DD.' }),
      limit: pageLimit,
      cursor: pageCursor(
        z
          .string()
          .regex(/^\d{4}-\d{2}-\d{2}\.[A-Z]{3}$/)
          .refine((text) => dayText.safeParse(text.slice(0, 10)).success),
      ),
    }),
    answer: pageOf(exchangeRate.answer),
  },
  async (scope, { currency: only, to, limit, cursor }) => {
    const [day, currency] = cursor === undefined ? [] : parseCursor(cursor, /^(.+)\.([A-Z]{3})$/);
    const rows = await scope.read(
      statement(
        `select ${exchangeRate.columns} from accounting.rate r
         where r.tenant_id = $1::uuid and ($2::text is null or r.currency = $2) and ($3::date is null or r.day <= $3::date)
           and ($4::date is null or (r.day, $5::text) < ($4::date, r.currency))
         order by r.day desc, r.currency limit $6::int`,
        [scope.context.tenant, only, to, day, currency, limit + 1],
      ),
    );
    return page(rows, limit, exchangeRate.read, (last) => `${last.day}.${last.currency}`);
  },
);
