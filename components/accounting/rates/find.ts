import { sql, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';
import { parseRate, unity, type Rate } from './rate.ts';

export interface Valuation {
  readonly baseCurrency: string;
  readonly rate: Rate;
}

/**
 * The tenant's base currency, and the rate of `currency` on a day: the one given, else the latest that was set for that
 * day or before.
 * @throws Problem `rate_missing` (422)
 */
export async function valuation(
  tx: TenantTransaction,
  currency: string,
  day: string,
  given?: Rate,
): Promise<Valuation> {
  const [row] = await tx.query<{ base_currency: string; rate: string | null }>(sql`
    select b.base_currency, (
      select r.rate::text from accounting.rate r
      where r.tenant_id = b.tenant_id and r.currency = ${currency} and r.day <= ${day}::date order by r.day desc limit 1) as rate
    from accounting.book b where b.tenant_id = ${tx.context.tenant}::uuid`);
  if (row === undefined) throw new Error(`tenant ${tx.context.tenant} has no books`);
  const baseCurrency = row.base_currency;
  if (currency === baseCurrency) return { baseCurrency, rate: unity };
  const rate = given ?? (row.rate === null ? undefined : parseRate(row.rate));
  if (rate === undefined)
    throw booksFail(
      'rate_missing',
      `There is no exchange rate of ${currency} in ${baseCurrency} for ${day}: set a rate for that day or an earlier one.`,
    );
  return { baseCurrency, rate };
}
