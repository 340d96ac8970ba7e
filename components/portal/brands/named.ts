import { isId } from '@steward/kernel';
import type { BrandLinks } from './brand.ts';
import { sql, type TenantScope, type TenantTransaction } from '@steward/sql';

/**
 * The id of a brand in use, for those who keep one: the brand named, or the default one where none is named. It stays in
 * use until the end of the transaction. Undefined when there is no such brand in the transaction's tenant.
 */
export async function brandIn(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  brandId?: string,
): Promise<string | undefined> {
  if (brandId !== undefined && !isId(brandId)) return undefined;
  const [row] = await tx.query<{ brand_id: string }>(sql`
    select brand_id from portal.brand
    where tenant_id = ${tx.context.tenant}::uuid and archived_at is null
      and case when ${brandId ?? null}::uuid is null then is_default else brand_id = ${brandId ?? null}::uuid end
    for share`);
  return row?.brand_id;
}

/** What a brand of the context's tenant is called, also once it is archived. Undefined where there is no such brand. */
export async function brandName(
  { context, read }: Pick<TenantScope, 'context' | 'read'>,
  brandId: string,
): Promise<string | undefined> {
  const [row] = await read<{ name: string }>(
    sql`select name from portal.brand where tenant_id = ${context.tenant}::uuid and brand_id = ${brandId}::uuid`,
  );
  return row?.name;
}

/** Where the pages of a brand of the context's tenant are that buyers are led to; none of a brand that there is not. */
export async function brandLinks(
  { context, read }: Pick<TenantScope, 'context' | 'read'>,
  brandId: string,
): Promise<BrandLinks> {
  const [row] = await read<{ links: BrandLinks }>(
    sql`select links from portal.brand where tenant_id = ${context.tenant}::uuid and brand_id = ${brandId}::uuid`,
  );
  return row?.links ?? {};
}
