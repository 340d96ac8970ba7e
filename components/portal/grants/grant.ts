import { grantAdmits, pillars, tiers, type Pillar, type Tier, callerOf } from '@steward/access';
import { principalId } from '@steward/identity';
import { sql, type Row, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { PortalPorts } from '../door.ts';
import { portalFail } from '../errors.ts';
import { administerTenant } from '../permissions.ts';
import { requireRoom } from './room.ts';
import { openClient } from './open-client.ts';

/** What an owner lets one agent do here, at most. A list that is left out narrows nothing. */
export const agentGrant = z.strictObject({
  agentId: principalId,
  pillars: z.array(z.enum(pillars)).max(pillars.length).optional(),
  tiers: z.array(z.enum(tiers)).max(tiers.length).optional(),
  tools: z.array(z.string().min(1).max(64)).max(200).optional(),
});

export interface AgentGrant {
  readonly agentId: string;
  readonly pillars: readonly Pillar[] | null;
  readonly tiers: readonly Tier[] | null;
  readonly tools: readonly string[] | null;
  /** `suspended`: made through a client that was shut out since; it lets in nobody until a person restores it. */
  readonly status: 'granted' | 'revoked' | 'suspended';
  readonly grantedBy: string;
  /** The client it was made through. */
  readonly createdThrough: string | null;
  readonly grantedAt: string;
  readonly revokedAt: string | null;
}

export const presentGrant = (row: Row): AgentGrant => ({
  agentId: String(row['agent_id']),
  pillars: (row['pillars'] as Pillar[] | null) ?? null,
  tiers: (row['tiers'] as Tier[] | null) ?? null,
  tools: (row['tools'] as string[] | null) ?? null,
  status: row['revoked_at'] !== null ? 'revoked' : row['suspended_at'] !== null ? 'suspended' : 'granted',
  grantedBy: String(row['granted_by']),
  createdThrough: row['created_through'] as string | null,
  grantedAt: (row['granted_at'] as Date).toISOString(),
  revokedAt: (row['revoked_at'] as Date | null)?.toISOString() ?? null,
});

type Ports = Pick<PortalPorts, 'identity' | 'withdrawAll'>;

/**
 * Grants an agent, or replaces what it was granted; a revoked agent is let in again. What it had proposed and is no longer
 * granted is withdrawn.
 * @param widening is asked before an agent is granted anything for the first time, or more than it was: it throws unless a person decides that
 * @throws Problem `grant_limit` (409); `own_client` (403) with a token of the very client: whoever holds it could undo what was decided about it
 */
export async function grantAgent(
  { identity, withdrawAll }: Ports,
  context: TenantContext,
  grant: z.infer<typeof agentGrant>,
  widening: () => void,
): Promise<{ before: AgentGrant | undefined; after: AgentGrant }> {
  const admin = context.require(administerTenant);
  if (callerOf(context)?.agentId === grant.agentId) {
    throw portalFail(
      'own_client',
      `This token was issued to ${grant.agentId}: a person grants it something with another client, such as the console.`,
    );
  }
  return admin.write(async (tx) => {
    const through = await openClient(tx);
    const [held] = await tx.query(sql`select * from portal.agent_grant where agent_id = ${grant.agentId} for update`);
    const before = held === undefined ? undefined : presentGrant(held);
    // A first grant narrows while no agent needs one, and lets the agent in from the moment that each needs one.
    const more = before === undefined || widens(before, grant);
    if (more) widening();
    if (before === undefined) await requireRoom(tx);
    await tx.mark();
    // Where it comes from changes only with what is decided: else whoever may not decide could hide it from shutting out.
    const [row] = await tx.query(sql`
      insert into portal.agent_grant as g (tenant_id, agent_id, pillars, tiers, tools, granted_by, granted_by_type, created_through)
      values (${context.tenant}::uuid, ${grant.agentId}, ${grant.pillars ?? null}::text[], ${grant.tiers ?? null}::text[], ${grant.tools ?? null}::text[], ${context.subject.id}, ${context.subject.type},
        ${through ?? null})
      on conflict (tenant_id, agent_id) do update set pillars = excluded.pillars, tiers = excluded.tiers, tools = excluded.tools,
        granted_by = case when ${more} then excluded.granted_by else g.granted_by end,
        granted_by_type = case when ${more} then excluded.granted_by_type else g.granted_by_type end,
        created_through = case when ${more} then excluded.created_through else g.created_through end,
        granted_at = case when ${more} then clock_timestamp() else g.granted_at end, revoked_at = null, suspended_at = null
      returning *`);
    const after = presentGrant(row ?? {});
    await withdrawAll(tx, ({ tool, granteeId }) =>
      granteeId === grant.agentId && tool !== undefined && !grantAdmits(tool, termsOf(grant))
        ? 'grant_narrowed'
        : undefined,
    );
    await identity.changed(tx);
    tx.record(
      event('portal.agent_grant.granted', {
        agent_id: after.agentId,
        pillars: after.pillars,
        tiers: after.tiers,
        tools: after.tools,
      }),
    );
    return { before, after };
  });
}

const termsOf = ({ agentId: _agentId, ...terms }: z.infer<typeof agentGrant>): Parameters<typeof grantAdmits>[1] =>
  Object.fromEntries(Object.entries(terms).filter(([, list]) => list !== undefined));

/** Whether the agent may do anything by the new terms that it may not now: what is not a part of each list counts as more. */
function widens(before: AgentGrant, after: z.infer<typeof agentGrant>): boolean {
  if (before.status !== 'granted') return true;
  const more = (now: readonly string[] | null, then: readonly string[] | undefined): boolean =>
    now !== null && (then === undefined || then.some((one) => !now.includes(one)));
  return more(before.pillars, after.pillars) || more(before.tiers, after.tiers) || more(before.tools, after.tools);
}
