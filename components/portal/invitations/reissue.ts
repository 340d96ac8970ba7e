import { randomBytes } from 'node:crypto';
import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { administerMembers } from '../permissions.ts';
import { contentOf } from './content.ts';
import { hashSecret, invitationDays, presentInvitation, type Invitation } from './invitation.ts';

/**
 * Makes a new secret for an open invitation, shown once, and lets it run anew; the one before ends.
 * @throws Problem `not_found` (404) unless the invitation is open or expired, `insufficient_role` (403)
 */
export async function reissueInvitation(
  context: TenantContext,
  invitationId: string,
): Promise<Invitation & { secret: string }> {
  const secret = randomBytes(24).toString('base64url');
  return context.require(administerMembers).write(async (tx) => {
    await tx.mark();
    const [row] = await tx.query(sql`
      update portal.invitation set secret_hash = ${hashSecret(secret)}::bytea,
        expires_at = clock_timestamp() + make_interval(days => ${invitationDays}::int)
      where invitation_id = ${invitationId}::uuid and accepted_at is null and revoked_at is null and suspended_at is null
      returning *`);
    if (row === undefined) throw fail('not_found', 'There is no open invitation of this id.');
    if (row['role'] === 'owner' && tx.role !== 'owner')
      throw fail('insufficient_role', 'Only an owner may invite an owner.');
    tx.record(
      event('portal.invitation.reissued', {
        invitation_id: invitationId,
        content_sha256: await contentOf(tx, invitationId),
      }),
    );
    return { ...presentInvitation(row), secret };
  });
}
