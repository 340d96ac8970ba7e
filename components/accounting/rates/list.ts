import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import type { RateInput } from './set.ts';

export interface RateFilter {
  readonly currency?: string | undefined;
  /** `YYYY-MM-DD`: only what was set for this day or before. */
  readonly to?: string | undefined;
}

export interface RatePage {
  readonly items: RateInput[];
  /** Where to go on; null on the last page. */
  readonly nextCursor: string | null;
}

/** Rates as they were set, the latest day first. `limit` 1–200; `after` is the `nextCursor` of the page before. */
export async function listRates(
  context: TenantContext,
  filter: RateFilter,
  page: { readonly limit: number; readonly after?: string | undefined },
): Promise<RatePage> {
  const [day = null, currency = null] = page.after?.split('.') ?? [];
  const rows = await context.require(readBooks).read<{ currency: string; day: string; rate: string }>(sql`
    select currency, day::text as day, trim_scale(rate)::text as rate from accounting.rate
    where tenant_id = ${context.tenant}::uuid and (${filter.currency ?? null}::text is null or currency = ${filter.currency ?? null})
      and (${filter.to ?? null}::date is null or day <= ${filter.to ?? null}::date)
      and (${day}::date is null or (day, ${currency}::text) < (${day}::date, currency))
    order by day desc, currency limit ${page.limit + 1}::int`);
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > page.limit && last !== undefined ? `${last.day}.${last.currency}` : null };
}
