import type { CallerRole, Pillar, AccessProfile, Tier, Caller, Decider } from '@steward/access';
import { openToDecide } from '@steward/identity';
import { type Clock } from '@steward/kernel';
import type { Plans } from '../billing/plans.ts';
import { sql, type SqlPool } from '@steward/sql';
import { presentBilling, type BillingRow } from '../billing/billing.ts';
import type { Seen } from './seen.ts';

interface ProfileRow extends BillingRow {
  readonly persona: string;
  readonly denied_tools: string[] | null;
  readonly agents_need_grant: boolean | null;
  readonly policy_version: number | null;
  readonly seen: boolean;
  readonly granted: boolean | null;
  readonly revoked: boolean | null;
  readonly pillars: Pillar[] | null;
  readonly tiers: Tier[] | null;
  readonly tools: string[] | null;
}

/** What the tenant's owners have decided about this caller, in one round trip; undefined without a membership. */
export async function readAccessProfile(
  pool: SqlPool,
  seen: Pick<Seen, 'note'>,
  clock: Clock,
  plans: Plans,
  decidesThrough: Decider['decidesThrough'],
  caller: Caller,
  tenant: string,
): Promise<AccessProfile | undefined> {
  const [opened, rows] = await pool.readAll(
    [
      openToDecide(tenant, caller.subject),
      sql`select t.persona, b.tier, b.status, b.trial_ends_at, b.past_due_since, p.denied_tools, p.agents_need_grant, p.version as policy_version,
          exists (select from portal.client_seen s where s.tenant_id = t.tenant_id and s.agent_id = ${caller.agentId ?? ''}) as seen,
          g.agent_id is not null as granted, (g.revoked_at is not null or g.suspended_at is not null) as revoked, g.pillars, g.tiers, g.tools
        from portal.tenant t
        join portal.billing b using (tenant_id)
        left join portal.tool_policy p using (tenant_id)
        left join portal.agent_grant g on g.tenant_id = t.tenant_id and g.agent_id = ${caller.agentId ?? ''}`,
    ],
    { tenant },
  );
  const role = opened?.[0]?.['role'] as CallerRole | null | undefined;
  const row = rows?.[0] as ProfileRow | undefined;
  if (role === null || role === undefined || row === undefined) return undefined;
  if (caller.agentId !== undefined && !row.seen) seen.note(caller, tenant, caller.agentId);
  const billing = presentBilling(row, clock(), plans);
  return {
    role,
    persona: row.persona,
    billingTier: billing.tier,
    entitlements: billing.entitlements,
    deniedTools: new Set(row.denied_tools ?? []),
    policyVersion: row.policy_version ?? 0,
    grant: grantOf(row, caller, decidesThrough),
    accessVersion: opened?.[0]?.['version'] as bigint,
    validUntil: billing.validUntil,
  };
}

const nothing = { tools: [] };
const shutOut = { ...nothing, revoked: true } as const;

function grantOf(
  row: ProfileRow,
  { agentId }: Caller,
  decidesThrough: Decider['decidesThrough'],
): AccessProfile['grant'] {
  if (agentId === undefined) return undefined;
  if (row.revoked === true) return shutOut;
  if (row.granted !== true) return row.agents_need_grant === true ? nothing : undefined;
  const narrowed = {
    ...(row.pillars === null ? {} : { pillars: row.pillars }),
    ...(row.tiers === null ? {} : { tiers: row.tiers }),
    ...(row.tools === null ? {} : { tools: row.tools }),
  };
  // Where people decide they do so in person: else a grant of that name would leave nobody to change it.
  return Object.keys(narrowed).length === 0 || decidesThrough(agentId) ? narrowed : { ...narrowed, bindsPeople: true };
}
