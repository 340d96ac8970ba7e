import { statement, type TenantTransaction } from '@steward/sql';
import { contentOf } from '../contents.ts';
import type { StudioDeps } from '../deps.ts';
import { event } from '../events.ts';
import { site } from './site.ts';

/** Disables the sites of a brand in the transaction that archives it. */
export async function disableSitesOf(
  tx: TenantTransaction,
  brandId: string,
  { forget }: Pick<StudioDeps, 'forget'>,
): Promise<undefined> {
  const rows = await tx.query(
    statement(
      `update studio.site s set status = 'disabled', version = version + 1, updated_at = clock_timestamp()
       where s.tenant_id = $1::uuid and s.brand_id = $2::uuid and s.status = 'active' returning ${site.columns}`,
      [tx.context.tenant, brandId],
    ),
  );
  for (const { id: site_id, version } of rows.map(site.read)) {
    const content_sha256 = await contentOf(tx, 'site', site_id);
    tx.record(event('studio.site.updated', { site_id, fields: ['status'], version, content_sha256 }));
    tx.record(event('studio.site.disabled', { site_id }));
    tx.afterCommit(() => forget.site(site_id));
  }
  return undefined;
}
