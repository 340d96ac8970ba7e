import { page, type Page, type PageRequest, placeOf, sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import type { RateInput } from './set.ts';

export interface RateFilter {
  readonly currency?: string | undefined;
  /** `YYYY-MM-DD`: only what was set for this day or before. */
  readonly to?: string | undefined;
}

/** Rates as they were set, the latest day first. */
export async function listRates(
  context: TenantContext,
  filter: RateFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<RateInput>> {
  const [day, currency] = cursor === undefined ? [null, null] : placeOf(cursor, /^(.+)\.([A-Z]{3})$/);
  const rows = await context.require(readBooks).read<{ currency: string; day: string; rate: string }>(sql`
    select currency, day::text as day, trim_scale(rate)::text as rate from accounting.rate
    where tenant_id = ${context.tenant}::uuid and (${filter.currency ?? null}::text is null or currency = ${filter.currency ?? null})
      and (${filter.to ?? null}::date is null or day <= ${filter.to ?? null}::date)
      and (${day}::date is null or (day, ${currency}::text) < (${day}::date, currency))
    order by day desc, currency limit ${limit + 1}::int`);
  return page(
    rows,
    limit,
    (row): RateInput => row,
    (last) => `${last.day}.${last.currency}`,
  );
}
