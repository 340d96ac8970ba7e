import { operation, type Role } from '@steward/access';
import { clientOf, type Identity } from '@steward/identity';
import { fail, isId, type PrincipalRef, type Problem, type RecordedEvent } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { event, memberFacts } from '../events.ts';
import { ownersInviteOwners } from '../invitations/invitation.ts';
import { appoints, people } from '../operations.ts';
import { suspendable, suspension, type Suspendable, type Suspension } from './list.ts';

type Members = Pick<Identity, 'memberships' | 'changed'>;

/**
 * Ends a suspension. From then on the person who does it is its origin, so shutting out the client again leaves it. That person has looked at what was made
 * through the shut-out client, and wants it, so this needs the same as deciding.
 * @throws Problem `not_found` (404) for what is not suspended, `insufficient_role` (403), `conflict` (409) where making it takes two people
 */
export const restore = operation(
  {
    ...appoints,
    ...people,
    input: z.strictObject({ kind: suspension.shape.kind, id: z.string().min(1).max(310) }),
    answer: z.void(),
    errors: ['not_found', 'conflict'],
  },
  async (
    scope,
    { kind, id },
    {
      approvals,
      decider,
      identity,
      integrations,
    }: Pick<PortalPorts, 'approvals' | 'decider' | 'identity' | 'integrations'>,
  ) => {
    decider.requireFor(scope.context);
    const refused = await approvals.refusedAlone(scope.context, madeWith[kind]);
    if (refused !== undefined) throw refused.code === 'approval_required' ? twoPeople(madeWith[kind]) : refused;
    await scope.write(async (tx) => {
      await tx.mark();
      const nothing = (): Error =>
        fail('not_found', 'Nothing of this kind and id is suspended: GET /api/suspensions lists what is.');
      if (suspendable(kind)) {
        const has = integrations.find((one) => one.kind === kind);
        if ((await has?.restore?.(tx, id)) !== true) throw nothing();
        return;
      }
      const restored = await ways[kind](identity, tx, id);
      if (restored === undefined) throw nothing();
      tx.record(restored);
    });
  },
);

/** Restoring is no command, so that nobody proposes it. */
const twoPeople = (tool: string): Problem =>
  fail(
    'conflict',
    `The approval policy requires two people for making this, so that nobody has it go on alone: remove it, and propose another with ${tool}.`,
  );

/** The tool by which such a thing begins: where that takes two people, so does having it go on. */
const madeWith: Readonly<Record<Suspension['kind'], string>> = {
  member: 'service_invite_member',
  grant: 'service_grant_agent',
  invitation: 'service_invite_member',
  webhook: 'service_resume_webhook',
  agent_credential: 'service_issue_agent_credential',
  product_feed: 'service_set_agent_feed',
};

type Way = (identity: Members, tx: TenantTransaction, id: string) => Promise<RecordedEvent | undefined>;

const ways: Readonly<Record<Exclude<Suspension['kind'], Suspendable>, Way>> = {
  member: async ({ memberships }, tx, given) => {
    const [, type, id] = /^(user|service):(.+)$/s.exec(given) ?? [];
    if (type === undefined || id === undefined) return undefined;
    const member = { type: type as PrincipalRef['type'], id };
    const role = await memberships.restore(tx, member);
    if (role === undefined) return undefined;
    return event('portal.member.restored', { ...memberFacts(member), role });
  },
  grant: async ({ changed }, tx, id) => {
    const rows = await tx.query(sql`
      update portal.agent_grant set suspended_at = null, granted_by = ${tx.context.subject.id}, granted_by_type = ${tx.context.subject.type},
        created_through = ${clientOf(tx.context) ?? null}
      where agent_id = ${id} and suspended_at is not null and revoked_at is null returning agent_id`);
    if (rows.length === 0) return undefined;
    await changed(tx);
    return event('portal.agent_grant.restored', { agent_id: id });
  },
  invitation: async (_identity, tx, id) => {
    if (!isId(id)) return undefined;
    const [row] = await tx.query<{ role: Role }>(sql`
      update portal.invitation set suspended_at = null, invited_by = ${tx.context.subject.id}, invited_by_type = ${tx.context.subject.type},
        created_through = ${clientOf(tx.context) ?? null}
      where invitation_id = ${id}::uuid and suspended_at is not null and accepted_at is null and revoked_at is null
      returning role`);
    if (row === undefined) return undefined;
    if (row.role === 'owner' && tx.role !== 'owner') throw ownersInviteOwners();
    return event('portal.invitation.restored', { invitation_id: id });
  },
};
