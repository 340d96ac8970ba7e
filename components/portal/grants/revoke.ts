import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { administerTenant } from '../permissions.ts';
import type { Changed } from './grant.ts';

/** Shuts an agent out of the tenant, whoever it acts for; also one that was never granted by name. */
export async function revokeAgent(context: TenantContext, agentId: string, changed: Changed): Promise<void> {
  await context.require(administerTenant).write(async (tx) => {
    if (agentId.length > 200) throw fail('not_found', 'There is no such agent.');
    const rows = await tx.query(sql`
      insert into portal.agent_grant as g (tenant_id, agent_id, granted_by, revoked_at)
      values (${context.tenant}::uuid, ${agentId}, ${context.subject.id}, clock_timestamp())
      on conflict (tenant_id, agent_id) do update set revoked_at = clock_timestamp() where g.revoked_at is null
      returning agent_id`);
    if (rows.length === 0) return;
    await changed(tx);
    tx.record({
      type: 'portal.agent_grant.revoked',
      eventVersion: '1.0.0',
      grammar: 'portal',
      source: 'portal',
      payload: { agent_id: agentId },
    });
  });
}
