import { callerOf } from '@steward/identity';
import { pillars, tiers } from '@steward/tools';
import { sql, type Row, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { portalFail } from '../errors.ts';
import { administerTenant } from '../permissions.ts';

const agentId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]+$/u, 'Control characters are not accepted');

/** What an owner lets one agent do here, at most. A list that is left out narrows nothing. */
export const agentGrant = z.strictObject({
  agentId,
  pillars: z.array(z.enum(pillars)).max(pillars.length).optional(),
  tiers: z.array(z.enum(tiers)).max(tiers.length).optional(),
  tools: z.array(z.string().min(1).max(64)).max(200).optional(),
});

export type Changed = (tx: TenantTransaction) => Promise<void>;

export interface AgentGrant {
  readonly agentId: string;
  readonly pillars: readonly string[] | null;
  readonly tiers: readonly string[] | null;
  readonly tools: readonly string[] | null;
  readonly status: 'granted' | 'revoked';
  readonly grantedBy: string;
  readonly grantedAt: string;
  readonly revokedAt: string | null;
}

export const presentGrant = (row: Row): AgentGrant => ({
  agentId: String(row['agent_id']),
  pillars: (row['pillars'] as string[] | null) ?? null,
  tiers: (row['tiers'] as string[] | null) ?? null,
  tools: (row['tools'] as string[] | null) ?? null,
  status: row['revoked_at'] === null ? 'granted' : 'revoked',
  grantedBy: String(row['granted_by']),
  grantedAt: (row['granted_at'] as Date).toISOString(),
  revokedAt: (row['revoked_at'] as Date | null)?.toISOString() ?? null,
});

/**
 * Grants an agent, or replaces what it was granted; a revoked agent is let in again.
 * @throws Problem `own_client` (403) with a token of the very client: whoever holds it could undo what was decided about it
 */
export async function grantAgent(
  context: TenantContext,
  grant: z.infer<typeof agentGrant>,
  changed: Changed,
): Promise<AgentGrant> {
  const admin = context.require(administerTenant);
  if (callerOf(context)?.agentId === grant.agentId) {
    throw portalFail(
      'own_client',
      `This token was issued to ${grant.agentId}: a person grants it something with another client, such as the console.`,
    );
  }
  return admin.write(async (tx) => {
    const [row] = await tx.query(sql`
      insert into portal.agent_grant (tenant_id, agent_id, pillars, tiers, tools, granted_by)
      values (${context.tenant}::uuid, ${grant.agentId}, ${grant.pillars ?? null}::text[], ${grant.tiers ?? null}::text[], ${grant.tools ?? null}::text[], ${context.subject.id})
      on conflict (tenant_id, agent_id) do update set pillars = excluded.pillars, tiers = excluded.tiers, tools = excluded.tools,
        granted_by = excluded.granted_by, granted_at = clock_timestamp(), revoked_at = null
      returning *`);
    await changed(tx);
    tx.record({
      type: 'portal.agent_grant.granted',
      eventVersion: '1.0.0',
      grammar: 'portal',
      source: 'portal',
      payload: {
        agent_id: grant.agentId,
        pillars: grant.pillars ?? null,
        tiers: grant.tiers ?? null,
        tools: grant.tools ?? null,
      },
    });
    return presentGrant(row ?? {});
  });
}
