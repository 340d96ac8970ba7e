import { asItWas, operation } from '@steward/access';
import { isCurrency } from '@steward/kernel';
import { sql, sqlState } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { booksFail, invalidAt } from '../errors.ts';
import { decides } from '../operations.ts';
import { exchangeRate, formatRate, readRate } from './rate.ts';

const previous = exchangeRate.answer.pick({ day: true, rate: true }).nullable();

/**
 * Sets what a currency is worth from a day on. Entries that are posted keep the rate they were posted with, and days of
 * closed months keep theirs. The same again is success. `before` is what applied to that day until then, null where nothing did.
 * @throws Problem `invalid_request` (400) for a currency that is the base or none, `invalid_rate` (422), `period_closed` (409)
 */
export const setRate = operation(
  {
    ...decides,
    area: 'books',
    name: 'service_set_exchange_rate',
    input: z.strictObject(exchangeRate.answer.shape),
    answer: exchangeRate.answer.extend({ before: previous }),
    errors: { invalid_rate: 'rate', period_closed: 'day' },
  },
  async (scope, { currency, day, rate: given }) => {
    const rate = formatRate(readRate(given));
    return scope.write(async (tx) => {
      const { tenant } = tx.context;
      const [book] = await tx.query<{ base_currency: string; before: z.infer<typeof previous> }>(sql`
        select b.base_currency, (
          select jsonb_build_object('day', r.day::text, 'rate', trim_scale(r.rate)::text) from accounting.rate r
          where r.tenant_id = b.tenant_id and r.currency = ${currency} and r.day <= ${day}::date order by r.day desc limit 1) as before
        from accounting.book b where b.tenant_id = ${tenant}::uuid`);
      if (!isCurrency(currency) || currency === book?.base_currency)
        throw invalidAt(
          '/currency',
          `${currency} is the base currency, or no currency of ISO 4217: give another currency.`,
        );
      const before = book?.before ?? null;
      const set = { currency, day, rate, before };
      if (before?.day === day && before.rate === rate) return asItWas(set);
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
      return set;
    });
  },
);
