import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { admitAgents } from '../permissions.ts';
import { type Holder, holdName } from './holder.ts';

/** Tells a brand that another one has its host now. What is served follows from who proved it last, so nothing waits for this. */
export async function lapseHost(
  context: TenantContext,
  { tenant, brandId, hostId }: Holder,
  host: string,
): Promise<void> {
  await context.require(admitAgents).write(async (tx) => {
    const holder = await holdName(tx, host);
    if (holder?.hostId === hostId && holder.tenant === tenant) return;
    const rows = await tx.query(sql`
      update agentic.host set standing = 'lapsed'
      where tenant_id = ${tenant}::uuid and host_id = ${hostId}::uuid and standing = 'verified' returning host_id`);
    if (rows.length > 0) tx.record(event('agentic.host.lapsed', { host_id: hostId, brand_id: brandId, host }));
  });
}
