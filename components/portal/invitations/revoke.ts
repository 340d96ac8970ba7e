import { clientOf } from '@steward/identity';
import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import type { PortalPorts } from '../door.ts';
import { administerMembers } from '../permissions.ts';

/**
 * What was proposed through a client is taken back with the same one; that somebody does not come whom people invited themselves is decided.
 * @throws Problem `not_found` (404) unless the invitation is open; of another client, or one that people decide with, what deciding throws
 */
export async function revokeInvitation(
  { decider }: Pick<PortalPorts, 'decider'>,
  context: TenantContext,
  invitationId: string,
): Promise<void> {
  await context.require(administerMembers).write(async (tx) => {
    await tx.mark();
    const [row] = await tx.query<{ through: string | null }>(sql`
      update portal.invitation set revoked_at = clock_timestamp()
      where invitation_id = ${invitationId}::uuid and accepted_at is null and revoked_at is null returning created_through as through`);
    if (row === undefined) throw fail('not_found', 'There is no open invitation of this id.');
    if (row.through === null || row.through !== clientOf(context) || decider.decidesThrough(row.through))
      decider.requireFor(context);
    tx.record(event('portal.invitation.revoked', { invitation_id: invitationId }));
  });
}
