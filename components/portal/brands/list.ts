import { beforeAllIds, page, type Page, type PageRequest, sql, type TenantContext } from '@steward/sql';
import { readTenant } from '../permissions.ts';
import { presentBrand, type Brand } from './brand.ts';

/** A page of brands in order of their making. */
export async function listBrands(context: TenantContext, { limit, cursor }: PageRequest): Promise<Page<Brand>> {
  const rows = await context.require(readTenant).read(sql`
    select brand_id, name, is_default, created_at from portal.brand
    where archived_at is null and brand_id > ${cursor ?? beforeAllIds}::uuid
    order by brand_id limit ${limit + 1}::int`);
  return page(rows, limit, presentBrand, ({ id }) => id);
}
