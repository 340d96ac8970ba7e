import { fail, isCurrency } from '@steward/kernel';
import { sql, sqlState, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { keepBooks } from '../permissions.ts';
import { formatRate, readRate } from './rate.ts';

export interface RateInput {
  readonly currency: string;
  /** `YYYY-MM-DD`: holds from this day on, until a later one. */
  readonly day: string;
  /** Base units for one unit of the currency, a decimal string. */
  readonly rate: string;
}

/**
 * Sets what a currency is worth from a day on. Entries that are posted keep the rate they were posted with, and days of
 * closed months keep theirs. The same again is success.
 * @throws Problem `invalid_request` (400) for a currency that is the base or none, `invalid_rate` (422), `period_closed` (409)
 */
export async function setRate(context: TenantContext, input: RateInput): Promise<RateInput> {
  const text = formatRate(readRate(input.rate));
  return context.require(keepBooks).write(async (tx) => {
    const { tenant } = context;
    const { currency, day } = input;
    const [book] = await tx.query<{ base_currency: string; known: boolean }>(sql`
      select b.base_currency, exists (select from accounting.rate r where r.tenant_id = b.tenant_id and r.currency = ${currency}
        and r.day = ${day}::date and r.rate = ${text}::numeric) as known
      from accounting.book b where b.tenant_id = ${tenant}::uuid`);
    if (!isCurrency(currency) || currency === book?.base_currency)
      throw fail('invalid_request', `${currency} is the base currency, or no currency of ISO 4217.`);
    if (book?.known === true) return { ...input, rate: text };
    await tx
      .query(sql`
        insert into accounting.rate (tenant_id, currency, day, rate)
        values (${tenant}::uuid, ${currency}, ${day}::date, ${text}::numeric)
        on conflict (tenant_id, currency, day) do update set rate = excluded.rate`)
      .catch((cause: unknown) => {
        if (sqlState(cause) !== 'AC001') throw cause;
        throw booksFail(
          'period_closed',
          `The month of ${day} is closed, and what was valued in it was agreed: set a rate for a later day.`,
          { cause },
        );
      });
    tx.record(event('accounting.rate.set', { currency, day, rate: text }));
    return { ...input, rate: text };
  });
}
