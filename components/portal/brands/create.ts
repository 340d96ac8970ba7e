import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { manageBrands } from '../permissions.ts';
import { presentBrand, type Brand } from './brand.ts';

export async function createBrand(context: TenantContext, name: string): Promise<Brand> {
  return context.require(manageBrands).write(async (tx) => {
    const [row] = await tx.query(sql`
      insert into portal.brand (tenant_id, brand_id, name) values (${context.tenant}::uuid, ${newId()}::uuid, ${name})
      returning brand_id, name, is_default, created_at`);
    const brand = presentBrand(row ?? {});
    tx.record(event('portal.brand.created', { brand_id: brand.id }));
    return brand;
  });
}
