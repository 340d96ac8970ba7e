import { asItWas, operation } from '@steward/access';
import { isCurrency } from '@steward/kernel';
import { sql, sqlState } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { booksFail, invalidAt } from '../errors.ts';
import { writes } from '../operations.ts';
import { exchangeRate, formatRate, readRate } from './rate.ts';

/**
 * Sets what a currency is worth from a day on. Entries that are posted keep the rate they were posted with, and days of
 * closed months keep theirs. The same again is success.
 * @throws Problem `invalid_request` (400) for a currency that is the base or none, `invalid_rate` (422), `period_closed` (409)
 */
export const setRate = operation(
  {
    ...writes,
    area: 'books',
    name: 'service_set_exchange_rate',
    input: z.strictObject(exchangeRate.answer.shape),
    answer: exchangeRate.answer,
    errors: { invalid_rate: 'rate', period_closed: 'day' },
  },
  async (scope, { currency, day, rate: given }) => {
    const rate = formatRate(readRate(given));
    return scope.write(async (tx) => {
      const { tenant } = tx.context;
      const [book] = await tx.query<{ base_currency: string; known: boolean }>(sql`
        select b.base_currency, exists (select from accounting.rate r where r.tenant_id = b.tenant_id and r.currency = ${currency}
          and r.day = ${day}::date and r.rate = ${rate}::numeric) as known
        from accounting.book b where b.tenant_id = ${tenant}::uuid`);
      if (!isCurrency(currency) || currency === book?.base_currency)
        throw invalidAt(
          '/currency',
          `${currency} is the base currency, or no currency of ISO 4217: give another currency.`,
        );
      if (book?.known === true) return asItWas({ currency, day, rate });
      await tx
        .query(sql`
          insert into accounting.rate (tenant_id, currency, day, rate)
          values (${tenant}::uuid, ${currency}, ${day}::date, ${rate}::numeric)
          on conflict (tenant_id, currency, day) do update set rate = excluded.rate`)
        .catch((cause: unknown) => {
          if (sqlState(cause) !== 'AC001') throw cause;
          throw booksFail(
            'period_closed',
            `The month of ${day} is closed, so its rates cannot change: set a rate for a later day.`,
            { cause },
          );
        });
      tx.record(event('accounting.rate.set', { currency, day, rate }));
      return { currency, day, rate };
    });
  },
);
