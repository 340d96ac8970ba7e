import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { portalFail } from '../errors.ts';
import { manageBrands } from '../permissions.ts';

/**
 * Takes a brand out of use; nothing is deleted.
 * @throws Problem `not_found` (404), `default_brand` (409)
 */
export async function archiveBrand(context: TenantContext, brandId: string): Promise<void> {
  await context.require(manageBrands).write(async (tx) => {
    const [row] = await tx.query<{ is_default: boolean }>(sql`
      select is_default from portal.brand where brand_id = ${brandId}::uuid and archived_at is null for update`);
    if (row === undefined) throw fail('not_found', 'There is no such brand.');
    if (row.is_default) throw portalFail('default_brand');
    await tx.query(sql`update portal.brand set archived_at = clock_timestamp() where brand_id = ${brandId}::uuid`);
    tx.record(event('portal.brand.archived', { brand_id: brandId }));
  });
}
