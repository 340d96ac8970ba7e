import { type Row, sql, type Statement } from '@steward/sql';

/** One row of where ways of shipping in use lead, for `countriesOf`. @param currency ISO 4217 */
export const selectServed = (tenant: string, currency: string): Statement => sql`
  select bool_or(o.shipping_zone_id is null) as anywhere, array_agg(distinct c.country order by c.country) filter (where c.country is not null) as countries
  from checkout.shipping_option o
  left join checkout.shipping_zone z on z.tenant_id = o.tenant_id and z.shipping_zone_id = o.shipping_zone_id and z.archived_at is null
  left join lateral unnest(z.countries) as c (country) on true
  where o.tenant_id = ${tenant}::uuid and o.active and o.archived_at is null and o.currency = ${currency}`;

/** Countries, ISO 3166, in order; null: every one, as of a pickup that is offered to every address. */
export const countriesOf = (row: Row | undefined): string[] | null =>
  row?.['anywhere'] === true ? null : ((row?.['countries'] as string[] | null) ?? []);
