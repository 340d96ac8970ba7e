import { fail, isCurrency } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { booksFail } from '../errors.ts';
import { keepBooks } from '../permissions.ts';
import { formatRate, parseRate } from './rate.ts';

export interface RateInput {
  readonly currency: string;
  /** `YYYY-MM-DD`: holds from this day on, until a later one. */
  readonly day: string;
  /** Base units for one unit of the currency, a decimal string. */
  readonly rate: string;
}

/**
 * Sets what a currency is worth from a day on. Entries that are posted keep the rate they were posted with.
 * @throws Problem `invalid_request` (400) for a currency that is the base or none, or no positive decimal
 */
export async function setRate(context: TenantContext, input: RateInput): Promise<RateInput> {
  const rate = parseRate(input.rate);
  if (rate === undefined)
    throw booksFail('rate_missing', 'A rate is a positive decimal with up to 12 digits on either side.');
  return context.require(keepBooks).write(async (tx) => {
    const [book] = await tx.query<{ base_currency: string }>(sql`select base_currency from accounting.book`);
    if (!isCurrency(input.currency) || input.currency === book?.base_currency)
      throw fail('invalid_request', `${input.currency} is the base currency, or no currency of ISO 4217.`);
    const text = formatRate(rate);
    await tx.query(sql`
      insert into accounting.rate (tenant_id, currency, day, rate)
      values (${context.tenant}::uuid, ${input.currency}, ${input.day}::date, ${text}::numeric)
      on conflict (tenant_id, currency, day) do update set rate = excluded.rate`);
    tx.record({
      type: 'accounting.rate.set',
      eventVersion: '1.0.0',
      grammar: 'accounting',
      source: 'accounting',
      payload: { currency: input.currency, day: input.day, rate: text },
    });
    return { ...input, rate: text };
  });
}
