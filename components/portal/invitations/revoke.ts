import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { administerMembers } from '../permissions.ts';

/** @throws Problem `not_found` (404) unless the invitation is open */
export async function revokeInvitation(context: TenantContext, invitationId: string): Promise<void> {
  await context.require(administerMembers).write(async (tx) => {
    await tx.mark();
    const [row] = await tx.query(sql`
      update portal.invitation set revoked_at = clock_timestamp()
      where invitation_id = ${invitationId}::uuid and accepted_at is null and revoked_at is null returning invitation_id`);
    if (row === undefined) throw fail('not_found', 'There is no open invitation of this id.');
    tx.record({
      type: 'portal.invitation.revoked',
      eventVersion: '1.0.0',
      grammar: 'portal',
      source: 'portal',
      payload: { invitation_id: invitationId },
    });
  });
}
