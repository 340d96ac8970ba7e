import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { manageBrands } from '../permissions.ts';
import { presentBrand, type Brand } from './brand.ts';

/** @throws Problem `not_found` (404) */
export async function renameBrand(context: TenantContext, brandId: string, name: string): Promise<Brand> {
  return context.require(manageBrands).write(async (tx) => {
    const [row] = await tx.query(sql`
      update portal.brand set name = ${name} where brand_id = ${brandId}::uuid and archived_at is null
      returning brand_id, name, is_default, created_at`);
    if (row === undefined) throw fail('not_found', 'There is no such brand.');
    tx.record(event('portal.brand.renamed', { brand_id: brandId }));
    return presentBrand(row);
  });
}
