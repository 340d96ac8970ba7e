import { callerOf, grantAdmits, operation, pillars, tiers } from '@steward/access';
import { field, type Fixed, flag, moment, nullable, type Of, oneOf, shape, text, texts } from '@steward/contract';
import { principalId } from '@steward/identity';
import { statement, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { PortalPorts } from '../door.ts';
import { portalFail } from '../errors.ts';
import { people, writes } from '../operations.ts';
import { requireTools } from '../policy/known.ts';
import { requireRoom } from './room.ts';
import { openClient } from './open-client.ts';

/** What an owner lets one agent do here, at most. A list that is left out narrows nothing. */
export const agentGrant = z.strictObject({
  agentId: principalId.meta({ description: 'Id of the agent or client, as the audit log names it.' }),
  pillars: z
    .array(z.enum(pillars))
    .max(pillars.length)
    .optional()
    .meta({ description: 'Parts of the product that it may use.' }),
  tiers: z.array(z.enum(tiers)).max(tiers.length).optional().meta({
    description:
      'read: look; write: reversible changes; approval: propose what a person decides, without write also reversible changes.',
  }),
  tools: z
    .array(z.string().min(1).max(64))
    .max(200)
    .optional()
    .meta({ description: 'Names of the tools that it may call.' }),
});

/** Of `portal.agent_grant` named `g`. */
export const grant = shape('g', {
  agentId: text(),
  pillars: nullable(field(z.array(z.enum(pillars)))),
  tiers: nullable(field(z.array(z.enum(tiers)))),
  tools: nullable(texts()),
  /** `suspended`: made through a client that was shut out since; it admits nobody until a person restores it. */
  status: oneOf(
    ['granted', 'revoked', 'suspended'],
    `case when g.revoked_at is not null then 'revoked' when g.suspended_at is not null then 'suspended' else 'granted' end`,
  ),
  /** Whether an agent or client of this name ever came here: one that never did may be mistyped. */
  seen: flag('exists (select from portal.client_seen s where s.tenant_id = g.tenant_id and s.agent_id = g.agent_id)'),
  grantedBy: text(),
  /** The client it was made through. */
  createdThrough: nullable(text()),
  grantedAt: moment(),
  revokedAt: nullable(moment()),
});
export type AgentGrant = Of<typeof grant>;

/** The tool that proposes the same. */
export const granting = 'service_grant_agent';

interface Ports extends Pick<PortalPorts, 'identity' | 'withdrawAll' | 'toolNames' | 'clientsSeen'> {
  /** Asked before an agent is granted anything for the first time, or more than it was: it throws unless a person decides that. */
  readonly decider: { requireFor(context: TenantContext): void };
  /** Asked with it, for the same. */
  readonly approvals: Pick<PortalPorts['approvals'], 'refusedAlone'>;
}

/**
 * Grants an agent, or replaces its grant; a revoked agent is admitted again; `after` equals `before` if nothing changes. Withdraws its
 * proposals that the grant no longer covers.
 * @throws Problem `grant_limit` (409); for more than before what deciding throws, and `approval_required` (403) where two people decide about it; `own_client` (403) with a token of that client: its holder could undo what was decided about it
 */
export const grantAgent = operation(
  {
    ...writes,
    ...people,
    input: agentGrant,
    answer: z.object({ before: grant.answer.optional(), after: grant.answer }),
    errors: ['own_client', 'grant_limit', 'approval_required'],
  },
  async (scope, wanted, { identity, withdrawAll, decider, approvals, toolNames, clientsSeen }: Ports) => {
    requireTools(toolNames, '/tools', wanted.tools);
    await clientsSeen();
    const { agentId } = wanted;
    if (callerOf(scope.context)?.agentId === agentId) {
      throw portalFail(
        'own_client',
        `This token was issued to ${agentId}, and a client cannot grant itself anything: use another client, such as the ` +
          'console.',
      );
    }
    const refused = await approvals.refusedAlone(scope.context, granting);
    return scope.write(async (tx) => {
      const { tenant, subject } = tx.context;
      const through = await openClient(tx);
      const [held] = await tx.query(
        statement(`select ${grant.columns} from portal.agent_grant g where agent_id = $1 for update`, [agentId]),
      );
      const before = held === undefined ? undefined : grant.read(held);
      if (before !== undefined && isGranted(before, wanted)) return { before, after: before };
      // A first grant narrows while no agent needs one, and lets the agent in from the moment that each needs one.
      const more = before === undefined || widens(before, wanted);
      if (more) {
        decider.requireFor(tx.context);
        if (refused !== undefined) throw refused;
      }
      if (before === undefined) await requireRoom(tx);
      await tx.mark();
      // The origin changes only with a decided change: otherwise a caller who may not decide could hide it from shutting out.
      const [row = {}] = await tx.query(
        statement(
          `insert into portal.agent_grant as g (tenant_id, agent_id, pillars, tiers, tools, granted_by, granted_by_type, created_through)
           values ($1::uuid, $2, $3::text[], $4::text[], $5::text[], $6, $7, $8)
           on conflict (tenant_id, agent_id) do update set pillars = excluded.pillars, tiers = excluded.tiers, tools = excluded.tools,
             granted_by = case when $9::boolean then excluded.granted_by else g.granted_by end,
             granted_by_type = case when $9::boolean then excluded.granted_by_type else g.granted_by_type end,
             created_through = case when $9::boolean then excluded.created_through else g.created_through end,
             granted_at = case when $9::boolean then clock_timestamp() else g.granted_at end, revoked_at = null, suspended_at = null
           returning ${grant.columns}`,
          [
            tenant,
            agentId,
            wanted.pillars ?? null,
            wanted.tiers ?? null,
            wanted.tools ?? null,
            subject.id,
            subject.type,
            through ?? null,
            more,
          ],
        ),
      );
      const after = grant.read(row);
      await withdrawAll(tx, ({ tool, granteeId }) =>
        granteeId === agentId && tool !== undefined && !grantAdmits(tool, termsOf(wanted))
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
  },
);

type Wanted = Fixed<z.output<typeof agentGrant>>;

const termsOf = ({ agentId: _agentId, ...terms }: Wanted): Parameters<typeof grantAdmits>[1] =>
  Object.fromEntries(Object.entries(terms).filter(([, list]) => list !== undefined));

/** Whether it is granted exactly this already. */
const isGranted = (held: AgentGrant, { pillars, tiers, tools }: Wanted): boolean =>
  held.status === 'granted' &&
  [
    [held.pillars, pillars],
    [held.tiers, tiers],
    [held.tools, tools],
  ].every(([has, wants]) => JSON.stringify(has) === JSON.stringify(wants ?? null));

/** Whether the agent may do anything by the new terms that it may not now: what is not a part of each list counts as more. */
function widens(before: AgentGrant, after: Wanted): boolean {
  if (before.status !== 'granted') return true;
  const more = (now: readonly string[] | null, then: readonly string[] | undefined): boolean =>
    now !== null && (then === undefined || then.some((one) => !now.includes(one)));
  return more(before.pillars, after.pillars) || more(before.tiers, after.tiers) || more(before.tools, after.tools);
}
